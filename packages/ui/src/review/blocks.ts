import { type EditorState, type Extension, type Range, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import { type Hunk, hunkAfter, type Model, otherLine } from './model.ts';
import { NoteWidget } from './note-widget.ts';
import { modelField, modeOf, type Note, notesField, pane } from './state.ts';
import { DeletedLine, FoldBar, MoreDeleted, showDeleted } from './widgets.ts';

const MANY_DELETED = 300;

const shownField = StateField.define<ReadonlyMap<number, number>>({
  create: () => new Map(),
  update(shown, tr) {
    for (const effect of tr.effects) {
      if (effect.is(showDeleted)) return new Map(shown).set(effect.value.fromA, effect.value.count);
    }
    return shown;
  },
});

/** Everything that takes vertical room: folds, notes and, inline, the removed lines. */
const blocksField = StateField.define<DecorationSet>({
  create: (state) => build(state),
  update(blocks, tr) {
    const { startState, state } = tr;
    const same =
      !tr.docChanged &&
      startState.field(modelField) === state.field(modelField) &&
      startState.field(notesField) === state.field(notesField) &&
      startState.field(shownField) === state.field(shownField) &&
      startState.facet(modeOf) === state.facet(modeOf);
    return same ? blocks : build(state);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const blocks: Extension = [shownField, blocksField];

function build(state: EditorState): DecorationSet {
  const model = state.field(modelField);
  const { side } = state.facet(pane);
  const inline = state.facet(modeOf) === 'inline';
  const ranges: Range<Decoration>[] = [];
  addFolds(ranges, state, model);
  const notes = new Map<number, Note[]>();
  for (const note of state.field(notesField)) {
    if (!inline && note.side !== side) continue;
    if (note.side === 'a' && inline && isRemoved(model, note.at)) {
      notes.set(note.at, [...(notes.get(note.at) ?? []), note]);
    } else addNote(ranges, state, model, note);
  }
  if (inline && side === 'b') {
    for (let at = 0; at < model.hunks.length; at++) {
      const hunk = model.hunks[at] as Hunk;
      if (hunk.fromA < hunk.toA) addDeleted(ranges, state, hunk, at === model.active, notes);
    }
  }
  return Decoration.set(ranges, true);
}

function addFolds(ranges: Range<Decoration>[], state: EditorState, model: Model): void {
  const { side } = state.facet(pane);
  for (const fold of model.folds) {
    const first = side === 'a' ? fold.from : otherLine(model.hunks, fold.from, 'a');
    const last = first + fold.to - fold.from;
    if (last > state.doc.lines) continue;
    const widget = new FoldBar(fold.from, fold.to);
    ranges.push(
      Decoration.replace({ widget, block: true }).range(state.doc.line(first + 1).from, state.doc.line(last).to),
    );
  }
}

export function isRemoved(model: Model, line: number): boolean {
  const hunk = model.hunks[hunkAfter(model.hunks, line, 'a')];
  return hunk !== undefined && hunk.fromA <= line;
}

function addNote(ranges: Range<Decoration>[], state: EditorState, model: Model, note: Note): void {
  const { side } = state.facet(pane);
  const number = note.side === 'b' ? state.doc.lineAt(Math.min(note.at, state.doc.length)).number - 1 : note.at;
  const here = note.side === side ? number : otherLine(model.hunks, number, note.side);
  const line = state.doc.line(Math.min(here + 1, state.doc.lines));
  ranges.push(Decoration.widget({ widget: new NoteWidget(note, number), block: true, side: 1 }).range(line.to));
}

function addDeleted(
  ranges: Range<Decoration>[],
  state: EditorState,
  hunk: Hunk,
  active: boolean,
  notes: ReadonlyMap<number, readonly Note[]>,
): void {
  const atEnd = hunk.fromB >= state.doc.lines;
  const position = atEnd ? state.doc.length : state.doc.line(hunk.fromB + 1).from;
  const side = atEnd ? 2 : -1;
  const add = (widget: DeletedLine | NoteWidget | MoreDeleted) =>
    ranges.push(Decoration.widget({ widget, block: true, side }).range(position));
  const { readOnly } = state.facet(pane);
  const shown = Math.min(hunk.toA - hunk.fromA, state.field(shownField).get(hunk.fromA) ?? MANY_DELETED);
  const classes = `${active ? 'tandem-review-active ' : ''}${hunk.done ? 'tandem-review-done' : ''}`;
  for (let line = hunk.fromA; line < hunk.fromA + shown; line++) {
    const pill = line === hunk.fromA && !readOnly ? { active, done: hunk.done } : null;
    add(new DeletedLine({ line, first: hunk.fromA, words: hunk.words, classes, pill }));
    for (const note of notes.get(line) ?? []) add(new NoteWidget(note, line));
  }
  const rest = hunk.toA - hunk.fromA - shown;
  if (rest > 0) add(new MoreDeleted(rest, { fromA: hunk.fromA, count: shown + 1000 }));
}
