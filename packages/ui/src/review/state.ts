import { Facet, StateEffect, StateField, type Text } from '@codemirror/state';
import { afterEdit, EMPTY, hunkAt, type Model, otherLine } from './model.ts';

export type Side = 'a' | 'b';
export type Mode = 'split' | 'inline';

/** What the widgets inside the editors can ask of the view. Hunks are named by a place, since their numbers move. */
export interface Controls {
  keep(position: number): void;
  putBack(position: number): void;
  unfold(from: number, to: number): void;
  note(side: Side, line: number): void;
  noteChanged(id: number, text: string): void;
  noteDone(id: number): void;
  noteEdit(id: number): void;
  noteRemove(id: number): void;
}

export interface Pane {
  readonly side: Side;
  readonly before: Text;
  readonly readOnly: boolean;
  readonly controls: Controls;
}

export const pane = Facet.define<Pane, Pane>({ combine: (values) => values[0] as Pane });
export const modeOf = Facet.define<Mode, Mode>({ combine: (values) => values[0] ?? 'inline' });

export const setModel = StateEffect.define<Model>();

/** The left pane is told; the right pane, which is edited, keeps the hunks in step by itself. */
export const modelField = StateField.define<Model>({
  create: () => EMPTY,
  update(model, tr) {
    let result = model;
    let told = false;
    for (const effect of tr.effects) {
      if (effect.is(setModel)) [result, told] = [effect.value, true];
    }
    const { side, before } = tr.state.facet(pane);
    if (side === 'a') return result;
    if (tr.docChanged && !told) result = afterEdit(result, before, tr.startState.doc, tr.newDoc, tr.changes);
    if (result === model && !tr.selection) return result;
    const caret = tr.newSelection.main.head;
    const line = tr.newDoc.lineAt(caret).number - 1;
    const active = hunkAt(result.hunks, line, tr.newDoc.lines);
    if (active !== result.active) result = { ...result, active };
    if (tr.selection && result.folds.length > 0) {
      const left = otherLine(result.hunks, line, 'b');
      const folds = result.folds.filter((fold) => left < fold.from || left >= fold.to);
      if (folds.length < result.folds.length) result = { ...result, folds };
    }
    return result;
  },
});

export interface Note {
  readonly id: number;
  readonly side: Side;
  /** Left: the line's number from 0. Right: a position in the text, which moves with edits. */
  readonly at: number;
  readonly text: string;
  readonly editing: boolean;
}

export const setNotes = StateEffect.define<readonly Note[]>();

export const notesField = StateField.define<readonly Note[]>({
  create: () => [],
  update(notes, tr) {
    let result = notes;
    if (tr.docChanged && tr.state.facet(pane).side === 'b' && notes.length > 0) {
      result = notes.map((note) => (note.side === 'b' ? { ...note, at: tr.changes.mapPos(note.at, 1) } : note));
    }
    for (const effect of tr.effects) if (effect.is(setNotes)) result = effect.value;
    return result;
  },
});
