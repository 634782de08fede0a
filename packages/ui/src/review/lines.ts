import { type EditorState, type Extension, RangeSetBuilder } from '@codemirror/state';
import {
  type BlockInfo,
  Decoration,
  type DecorationSet,
  type EditorView,
  GutterMarker,
  gutter,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { type Hunk, hunkAfter, otherLine } from './model.ts';
import { modelField, modeOf, pane, type Side } from './state.ts';
import { DeletedLine, FoldBar, Pill, Spacer } from './widgets.ts';

const WORD = Decoration.mark({ class: 'tandem-review-word' });
const TEXT = { a: Decoration.mark({ tagName: 'del' }), b: Decoration.mark({ tagName: 'ins' }) };

/** The colours of changed lines and words, made for what is on the screen only. */
const colours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = build(view);
    }

    update(update: ViewUpdate): void {
      if (update.viewportChanged || changed(update)) this.decorations = build(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

const changed = (update: ViewUpdate) =>
  update.docChanged ||
  update.startState.field(modelField) !== update.state.field(modelField) ||
  update.startState.facet(modeOf) !== update.state.facet(modeOf);

function build(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const { state } = view;
  const { side, readOnly } = state.facet(pane);
  const { hunks, active } = state.field(modelField);
  const { from, to } = view.viewport;
  const last = state.doc.lineAt(to).number - 1;
  const inline = state.facet(modeOf) === 'inline';
  for (let at = hunkAfter(hunks, state.doc.lineAt(from).number - 1, side); at < hunks.length; at++) {
    const hunk = hunks[at] as Hunk;
    const first = side === 'a' ? hunk.fromA : hunk.fromB;
    if (first > last) break;
    const end = side === 'a' ? hunk.toA : hunk.toB;
    if (first === end || end > state.doc.lines) continue;
    const pill = side === 'b' && !readOnly && !(inline && hunk.fromA < hunk.toA);
    addHunk(builder, view, hunk, side, at === active, pill);
  }
  return builder.finish();
}

function addHunk(
  builder: RangeSetBuilder<Decoration>,
  view: EditorView,
  hunk: Hunk,
  side: Side,
  active: boolean,
  pill: boolean,
): void {
  const { doc } = view.state;
  const [first, end] = side === 'a' ? [hunk.fromA, hunk.toA] : [hunk.fromB, hunk.toB];
  const start = doc.line(first + 1).from;
  const words = hunk.words?.[side] ?? [];
  let word = 0;
  const { from, to } = view.viewport;
  for (let number = first; number < end; number++) {
    const line = doc.line(number + 1);
    if (line.from > to) break;
    if (line.to < from) continue;
    builder.add(line.from, line.from, lineMark(side, active, hunk.done, number === first, number === end - 1));
    if (line.from < line.to) builder.add(line.from, line.to, TEXT[side]);
    while (word < words.length && start + (words[word + 1] as number) <= line.from) word += 2;
    for (let at = word; at < words.length && start + (words[at] as number) < line.to; at += 2) {
      const [left, right] = [start + (words[at] as number), start + (words[at + 1] as number)];
      if (Math.max(left, line.from) < Math.min(right, line.to))
        builder.add(Math.max(left, line.from), Math.min(right, line.to), WORD);
    }
    if (pill && number === first) {
      const widget = new Pill({ active, done: hunk.done });
      builder.add(line.to, line.to, Decoration.widget({ widget, side: 1 }));
    }
  }
}

const lineMarks = new Map<string, Decoration>();

function lineMark(side: Side, active: boolean, done: boolean, first: boolean, last: boolean): Decoration {
  const classes =
    classesOf(side, active, done) + (first ? ' tandem-review-first' : '') + (last ? ' tandem-review-last' : '');
  let mark = lineMarks.get(classes);
  if (!mark) {
    mark = Decoration.line({ class: classes });
    lineMarks.set(classes, mark);
  }
  return mark;
}

const classesOf = (side: Side, active: boolean, done: boolean) =>
  `tandem-review-${side === 'a' ? 'removed' : 'added'}${active ? ' tandem-review-active' : ''}${done ? ' tandem-review-done' : ''}`;

/** A number or sign beside a line. */
class Sign extends GutterMarker {
  readonly #text: string;
  override readonly elementClass: string;

  constructor(text: string, elementClass: string) {
    super();
    this.#text = text;
    this.elementClass = elementClass;
  }

  override eq(other: Sign): boolean {
    return this.#text === other.#text && this.elementClass === other.elementClass;
  }

  override toDOM(): Node {
    return document.createTextNode(this.#text);
  }
}

interface Place {
  readonly side: Side | 'both';
  readonly a: number;
  readonly b: number;
  readonly classes: string;
  readonly done: boolean;
}

/** What stands in a line of the editor: which lines of the two sides it is. */
function placeOf(state: EditorState, from: number): Place {
  const { side } = state.facet(pane);
  const { hunks, active } = state.field(modelField);
  const line = state.doc.lineAt(from).number - 1;
  const at = hunkAfter(hunks, line, side);
  const hunk = hunks[at];
  const inside = hunk !== undefined && (side === 'a' ? hunk.fromA : hunk.fromB) <= line;
  if (inside) {
    return { side, a: line, b: line, classes: classesOf(side, at === active, hunk.done), done: hunk.done };
  }
  const other = otherLine(hunks, line, side);
  return { side: 'both', a: side === 'a' ? line : other, b: side === 'b' ? line : other, classes: '', done: false };
}

type Column = 'old' | 'new' | 'sign';

function column(kind: Column): Extension {
  const marker = (place: Place): Sign => {
    if (kind === 'sign') {
      const sign = place.side === 'a' ? '−' : '+';
      return new Sign(place.side === 'both' ? '' : place.done ? '✓' : sign, place.classes);
    }
    const mine = kind === 'old' ? 'a' : 'b';
    return new Sign(place.side === mine || place.side === 'both' ? String(place[mine] + 1) : '', place.classes);
  };
  return gutter({
    class: `tandem-review-${kind}`,
    renderEmptyElements: true,
    lineMarker: (view: EditorView, block: BlockInfo) => marker(placeOf(view.state, block.from)),
    widgetMarker: (_view, widget) => {
      if (widget instanceof FoldBar) return new Sign('', 'tandem-review-fold-end');
      if (widget instanceof Spacer) return new Sign('', widget.classes);
      if (!(widget instanceof DeletedLine)) return null;
      const { line, classes } = widget.state;
      const done = classes.includes('tandem-review-done');
      return marker({ side: 'a', a: line, b: -1, done, classes: `tandem-review-removed ${classes}` });
    },
    lineMarkerChange: changed,
    initialSpacer: (view) => new Sign(kind === 'sign' ? '+' : widest(view.state), ''),
    updateSpacer: (spacer, update) =>
      kind !== 'sign' && update.docChanged ? new Sign(widest(update.state), '') : spacer,
    domEventHandlers:
      kind === 'sign'
        ? {}
        : {
            click(view, block, event) {
              const { controls, readOnly, side } = view.state.facet(pane);
              const target = (event.target as HTMLElement).closest('.cm-gutterElement')?.textContent ?? '';
              if (readOnly || target === '') return false;
              if (kind === 'old') controls.note('a', Number(target) - 1);
              else controls.note(side, view.state.doc.lineAt(block.from).number - 1);
              return true;
            },
          },
  });
}

const widest = (state: EditorState) =>
  '9'.repeat(String(Math.max(state.doc.lines, state.facet(pane).before.lines)).length);

/** Numbers and signs for a pane: the inline view counts both sides. */
export function lineColumns(side: Side, inline: boolean): Extension {
  const numbers = side === 'a' ? [column('old')] : inline ? [column('old'), column('new')] : [column('new')];
  return [...numbers, column('sign')];
}

export const lineColours: Extension = colours;
