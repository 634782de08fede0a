import { type EditorState, type Range, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import type { LineChange } from './diff.ts';
import { type Hunk, hunkAfter, otherLine } from './model.ts';
import { modelField, pane } from './state.ts';
import { Spacer } from './widgets.ts';

const setSpacers = StateEffect.define<DecorationSet>({ map: (spacers, changes) => spacers.map(changes) });

export const spacersField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(spacers, tr) {
    for (const effect of tr.effects) if (effect.is(setSpacers)) return effect.value;
    return spacers.map(tr.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const movesSpacers = (effects: readonly StateEffect<unknown>[]) => effects.some((each) => each.is(setSpacers));

/** Two lines, one of each side, whose tops must be level; `hunk` is the change that ends there. */
interface Level {
  readonly a: number;
  readonly b: number;
  readonly hunk: number;
  /** Heights out of sight are guesses, which differ from pane to pane: there, count lines instead. */
  readonly seen: boolean;
}

/** Gives each pane the empty room that keeps it level with the other. */
export function align(left: EditorView, right: EditorView): void {
  const [a, b] = [new Column(left), new Column(right)];
  const { hunks, active } = right.state.field(modelField);
  const buttons = !right.state.facet(pane).readOnly;
  for (const level of levels(left, right, hunks)) {
    const hunk = hunks[level.hunk];
    const difference = level.seen || !hunk ? a.top(level.a) - b.top(level.b) : guess(hunk, level, a, b);
    const height = Math.round(Math.abs(difference) * 8) / 8;
    const removal = hunk !== undefined && hunk.fromB === hunk.toB;
    if (height >= 0.5 && difference < 0) a.add(level.a, height, hunk !== undefined, null);
    if (height < 0.5 && !removal) continue;
    const pill = removal && buttons ? { active: level.hunk === active, done: hunk.done } : null;
    if (difference > 0 || removal) b.add(level.b, difference > 0 ? height : 0, hunk !== undefined, pill);
  }
  a.apply();
  b.apply();
}

/** What was measured while it was in sight, or else what the lines would come to if none of them wraps. */
function guess(hunk: Hunk, level: Level, a: Column, b: Column): number {
  const [left, right] = [a.former(level.a), b.former(level.b)];
  if (left > 0 || right > 0) return right - left;
  return (hunk.toA - hunk.fromA - (hunk.toB - hunk.fromB)) * a.lineHeight;
}

export function noSpacers(view: EditorView): void {
  if (view.state.field(spacersField).size > 0) view.dispatch({ effects: setSpacers.of(Decoration.none) });
}

function* levels(left: EditorView, right: EditorView, hunks: readonly Hunk[]): Generator<Level> {
  // What the right pane has drawn, from a line on that both panes have, and have drawn once they are level.
  const { doc } = right.state;
  let start = doc.lineAt(right.viewport.from).number - 1;
  const end = doc.lineAt(right.viewport.to).number - 1;
  const drawn = rightOf(hunks, left.state.doc.lineAt(left.viewport.from).number - 1);
  if (drawn > start && drawn < end) start = drawn;
  const index = hunkAfter(hunks, start, 'b');
  const removal = hunks[index - 1];
  const around = removal && removal.fromB === removal.toB && removal.fromB === start ? removal : hunks[index];
  const inside = around !== undefined && around.fromB <= start;
  const startA = inside ? around.fromA : otherLine(hunks, start, 'b');
  if (inside) start = around.fromB;
  let begun = start <= 0;
  let previous: LineChange = { fromA: 0, toA: 0, fromB: 0, toB: 0 };
  for (let at = 0; at < hunks.length; at++) {
    const hunk = hunks[at] as Hunk;
    if (!begun && hunk.fromB >= start) {
      begun = true;
      if (startA > previous.toA) yield { a: startA, b: start, hunk: -1, seen: true };
    }
    const seen = begun && hunk.fromB <= end;
    // Notes and wrapped lines may have set the unchanged lines before it off.
    if (seen && hunk.fromB > start && hunk.fromA > previous.toA) yield { a: hunk.fromA, b: hunk.fromB, hunk: -1, seen };
    yield { a: hunk.toA, b: hunk.toB, hunk: at, seen };
    previous = hunk;
  }
  if (!begun && startA > previous.toA) yield { a: startA, b: start, hunk: -1, seen: true };
  const [linesA, linesB] = [left.state.doc.lines, doc.lines];
  if (previous.toA < linesA && end >= linesB - 1) yield { a: linesA, b: linesB, hunk: -1, seen: true };
}

/** The line on the right beside a line of the left: of a change, its first. */
function rightOf(hunks: readonly Hunk[], line: number): number {
  const hunk = hunks[hunkAfter(hunks, line, 'a')];
  return hunk && hunk.fromA <= line ? hunk.fromB : otherLine(hunks, line, 'a');
}

/** One pane, walked from top to bottom, with the room it has and the room it will get. */
class Column {
  readonly #view: EditorView;
  readonly #state: EditorState;
  readonly #old: ReturnType<DecorationSet['iter']>;
  readonly #ranges: Range<Decoration>[] = [];
  #offset = 0;

  constructor(view: EditorView) {
    this.#view = view;
    this.#state = view.state;
    this.#old = view.state.field(spacersField).iter();
  }

  get lineHeight(): number {
    return this.#view.defaultLineHeight;
  }

  #positionOf(line: number): number {
    const { doc } = this.#state;
    return line >= doc.lines ? doc.length : doc.line(line + 1).from;
  }

  /** Passes the old spacers above a position, which will be gone. */
  #pass(line: number): number {
    const position = this.#positionOf(line);
    const atEnd = line >= this.#state.doc.lines;
    for (const old = this.#old; old.value && old.from < position; old.next()) {
      this.#offset -= (old.value.spec.widget as Spacer).height;
    }
    for (const old = this.#old; atEnd && old.value && old.value.startSide < 0; old.next()) {
      this.#offset -= (old.value.spec.widget as Spacer).height;
    }
    return position;
  }

  /** Where the line's block begins once the new spacers above it are in place. */
  top(line: number): number {
    const position = this.#pass(line);
    if (line < this.#state.doc.lines) return this.#view.lineBlockAt(position).top + this.#offset;
    const below = this.#old.value ? (this.#old.value.spec.widget as Spacer).height : 0;
    return this.#view.lineBlockAt(position).bottom - below + this.#offset;
  }

  /** The room for lines that are missing before a line, as it is now. */
  former(line: number): number {
    const position = this.#pass(line);
    const widget = this.#old.value && this.#old.from === position ? (this.#old.value.spec.widget as Spacer) : null;
    return widget?.missing ? widget.height : 0;
  }

  add(line: number, height: number, missing: boolean, pill: { active: boolean; done: boolean } | null): void {
    const widget = new Spacer(height, missing, pill);
    const side = line >= this.#state.doc.lines ? 2 : -1;
    this.#ranges.push(Decoration.widget({ widget, block: true, side }).range(this.#positionOf(line)));
    this.#offset += height;
  }

  apply(): void {
    const spacers = Decoration.set(this.#ranges);
    if (!same(spacers, this.#state.field(spacersField))) this.#view.dispatch({ effects: setSpacers.of(spacers) });
  }
}

function same(one: DecorationSet, two: DecorationSet): boolean {
  if (one.size !== two.size) return false;
  const [a, b] = [one.iter(), two.iter()];
  for (; a.value && b.value; a.next(), b.next()) {
    if (a.from !== b.from || !(a.value.spec.widget as Spacer).near(b.value.spec.widget as Spacer)) return false;
  }
  return true;
}
