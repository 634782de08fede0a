import { EditorSelection } from '@codemirror/state';
import { BlockType, EditorView } from '@codemirror/view';
import { t } from '../l10n/t.ts';
import type { Frame } from './frame.ts';
import { type Hunk, type Model, withoutHunk } from './model.ts';
import { describe, hunkStart, putBackChange } from './places.ts';
import { modelField, pane, setModel } from './state.ts';

const HOLD = 500;

/** Going from change to change, and the person's answer to each. */
export class Moves {
  readonly #view: EditorView;
  readonly #frame: Frame;
  readonly #readOnly: boolean;
  /** Until when a change that was gone to is kept in sight, while guessed heights above it become real ones. */
  #heldUntil = 0;

  constructor(view: EditorView, frame: Frame, readOnly: boolean) {
    this.#view = view;
    this.#frame = frame;
    this.#readOnly = readOnly;
    for (const event of ['wheel', 'pointerdown', 'keydown', 'touchstart']) {
      frame.dom.addEventListener(event, () => this.letGo(), { passive: true, capture: true });
    }
  }

  letGo(): void {
    this.#heldUntil = 0;
  }

  /** The layout has changed: whoever went to a change a moment ago still wants to see it. */
  settle(): void {
    const hunk = this.#model.hunks[this.#model.active];
    if (!hunk || performance.now() > this.#heldUntil) return;
    const effects = this.#scrollTo(hunk, hunkStart(this.#view.state.doc, hunk));
    if (effects.length > 0) this.#view.dispatch({ effects });
  }

  get #model(): Model {
    return this.#view.state.field(modelField);
  }

  /** To a change by its index; beyond the last comes the first. */
  goTo(index: number): void {
    const { hunks } = this.#model;
    if (hunks.length === 0) return;
    const at = (index + hunks.length) % hunks.length;
    const hunk = hunks[at] as Hunk;
    const from = hunkStart(this.#view.state.doc, hunk);
    this.#view.dispatch({
      selection: { anchor: from },
      effects: this.#scrollTo(hunk, from),
      userEvent: 'select.change',
    });
    this.#heldUntil = performance.now() + HOLD;
    this.#frame.say(t('Change {0} of {1}: {2}', at + 1, hunks.length, describe(hunk)));
  }

  /** Nothing moves when the change is in sight as it is. */
  #scrollTo(hunk: Hunk, from: number): ReturnType<typeof EditorView.scrollIntoView>[] {
    const view = this.#view;
    const to = hunk.toB > hunk.fromB ? view.state.doc.line(hunk.toB).to : from;
    const above = roomAbove(view, from);
    const room = this.#frame.room;
    const [start, end] = [view.coordsAtPos(from), view.coordsAtPos(to)];
    const top = start ? start.top - above : Number.NaN;
    const height = (hunk.toB - hunk.fromB) * view.defaultLineHeight + above;
    const tall = height > 0.6 * (room.bottom - room.top);
    if (tall && Math.abs(top - room.top - 80) < 40) return [];
    if (end && top > room.top + 40 && end.bottom < room.bottom - 40) return [];
    const range = EditorSelection.range(to, from);
    return [EditorView.scrollIntoView(range, tall ? { y: 'start', yMargin: above + 80 } : { y: 'center' })];
  }

  keep(index: number, toggle: boolean): void {
    const model = this.#model;
    const hunk = model.hunks[index];
    if (!hunk || this.#readOnly) return;
    const done = !(toggle && hunk.done);
    const hunks = model.hunks.map((each, at) => (at === index ? { ...each, done } : each));
    this.#view.dispatch({ effects: setModel.of({ ...model, hunks }) });
    if (done) this.#goOn(index + 1, t('Kept.'));
    else this.goTo(index);
  }

  putBack(index: number): void {
    const hunk = this.#model.hunks[index];
    if (!hunk || this.#readOnly) return;
    const { doc } = this.#view.state;
    this.#view.dispatch({
      changes: putBackChange(doc, this.#view.state.facet(pane).before, hunk),
      effects: setModel.of(withoutHunk(this.#model, index)),
      userEvent: 'revert',
    });
    this.#goOn(index, t('Put back.'));
  }

  /** To the next change that is still open, from an index on and round again. */
  #goOn(from: number, said: string): void {
    const { hunks } = this.#model;
    for (let step = 0; step < hunks.length; step++) {
      const at = (from + step) % hunks.length;
      if (!(hunks[at] as Hunk).done) return this.goTo(at);
    }
    this.#frame.say(t('{0} No open changes are left.', said));
  }
}

/** The height of what stands above a line and belongs to it: its removed lines, or the room for them. */
function roomAbove(view: EditorView, position: number): number {
  const block = view.lineBlockAt(position);
  const text = Array.isArray(block.type) ? block.type.find((part) => part.type === BlockType.Text) : block;
  return (text ?? block).top - block.top;
}
