import type { ChangeDesc, Text } from '@codemirror/state';
import { diffLines, type LineChange } from './diff.ts';
import { diffWords, PAGE_LIMITS, type Words } from './words.ts';

/** One change as the reader sees it. */
export interface Hunk extends LineChange {
  readonly words: Words | null;
  /** The person has kept it; an edit inside it makes it open again. */
  readonly done: boolean;
}

/** Unchanged lines that are folded away, by their numbers on the left, which never change. */
export interface Fold {
  readonly from: number;
  readonly to: number;
}

export interface Model {
  readonly hunks: readonly Hunk[];
  readonly folds: readonly Fold[];
  /** The hunk that the caret is in, or -1. */
  readonly active: number;
  /** The hunks are a stopgap until the worker answers. */
  readonly pending: boolean;
}

export const EMPTY: Model = { hunks: [], folds: [], active: -1, pending: true };

/** Comparing on the page's thread stays below some ten milliseconds. */
const PAGE_BUDGET = 2_000_000;
const PAGE_LINES = 6_000;
const MARGIN = 3;
const SHORTEST_FOLD = 4;

/** All of it at once, where that is quick; nothing where only the worker should try. */
export function quickHunks(before: Text, after: Text): Hunk[] | undefined {
  if (before.lines + after.lines > PAGE_LINES) return undefined;
  return hunksBetween(before, 0, before.lines, after, 0, after.lines);
}

/** Lines of each side against each other; nothing when that would take too long here. */
function hunksBetween(
  before: Text,
  fromA: number,
  toA: number,
  after: Text,
  fromB: number,
  toB: number,
): Hunk[] | undefined {
  if (toA - fromA + toB - fromB > PAGE_LINES) return undefined;
  const a = linesIn(before, fromA, toA);
  const b = linesIn(after, fromB, toB);
  const { changes, exact } = diffLines(a, b, PAGE_BUDGET);
  if (!exact) return undefined;
  let left = PAGE_LIMITS.characters * 10;
  return changes.map((change) => {
    const words = left > 0 ? diffWords(change, a, b, PAGE_LIMITS) : null;
    left -= words ? (words.a.at(-1) ?? 0) + (words.b.at(-1) ?? 0) : 0;
    return { ...shifted(change, fromA, fromB), words, done: false };
  });
}

export function linesIn(text: Text, from: number, to: number): string[] {
  return from < to ? [...text.iterLines(from + 1, to + 1)] : [];
}

const shifted = (change: LineChange, byA: number, byB: number): LineChange => ({
  fromA: change.fromA + byA,
  toA: change.toA + byA,
  fromB: change.fromB + byB,
  toB: change.toB + byB,
});

/** The first hunk that ends after a line of the side (hunks without lines on the side end where they start). */
export function hunkAfter(hunks: readonly LineChange[], line: number, side: 'a' | 'b'): number {
  let [low, high] = [0, hunks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const hunk = hunks[middle] as LineChange;
    if ((side === 'a' ? hunk.toA : hunk.toB) > line) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The hunk that a line on the right belongs to; a removal belongs to the line that follows it, or to the last line. */
export function hunkAt(hunks: readonly Hunk[], line: number, lines: number): number {
  const at = hunkAfter(hunks, line, 'b');
  const hunk = hunks[at];
  if (hunk && hunk.fromB <= line) return at;
  const removal = hunks[at - 1];
  if (removal && removal.fromB === removal.toB && removal.fromB === line) return at - 1;
  if (line === lines - 1 && hunk && hunk.fromB === lines) return at;
  return -1;
}

/** Where a line of one side that is not inside a hunk stands on the other. */
export function otherLine(hunks: readonly LineChange[], line: number, side: 'a' | 'b'): number {
  const previous = hunks[hunkAfter(hunks, line, side) - 1];
  if (!previous) return line;
  return side === 'a' ? line - previous.toA + previous.toB : line - previous.toB + previous.toA;
}

export function foldsFor(hunks: readonly LineChange[], lines: number): Fold[] {
  const folds: Fold[] = [];
  for (let at = 0; at <= hunks.length; at++) {
    const previous = hunks[at - 1];
    const next = hunks[at];
    const from = previous ? previous.toA + MARGIN : 0;
    const to = next ? next.fromA - MARGIN : lines;
    if (hunks.length > 0 && to - from >= SHORTEST_FOLD) folds.push({ from, to });
  }
  return folds;
}

/** Without the folds that a change now touches. */
export function foldsLeft(folds: readonly Fold[], hunks: readonly LineChange[]): readonly Fold[] {
  const left = folds.filter((fold) => {
    const hunk = hunks[hunkAfter(hunks, fold.from - 1, 'a')];
    return !hunk || hunk.fromA > fold.to;
  });
  return left.length === folds.length ? folds : left;
}

/** Carries the marks "kept" over to hunks that are still the same change. */
export function keepDone(hunks: Hunk[], old: readonly Hunk[], oldDoc: Text, newDoc: Text): Hunk[] {
  const done = new Map(old.filter((hunk) => hunk.done).map((hunk) => [`${hunk.fromA},${hunk.toA}`, hunk]));
  if (done.size === 0) return hunks;
  return hunks.map((hunk) => {
    const same = done.get(`${hunk.fromA},${hunk.toA}`);
    if (!same || same.toB - same.fromB !== hunk.toB - hunk.fromB) return hunk;
    const was = linesIn(oldDoc, same.fromB, same.toB);
    const is = linesIn(newDoc, hunk.fromB, hunk.toB);
    return was.every((line, at) => line === is[at]) ? { ...hunk, done: true } : hunk;
  });
}

/** The hunks after an edit on the right: only the neighbourhood of the edit is compared again. */
export function afterEdit(model: Model, before: Text, oldDoc: Text, newDoc: Text, changes: ChangeDesc): Model {
  // Nothing to build on: the first comparison is still on its way.
  if (model.pending && model.hunks.length === 0) return model;
  let [first, last] = [-1, 0];
  changes.iterChangedRanges((from, to) => {
    if (first < 0) first = oldDoc.lineAt(from).number - 1;
    last = oldDoc.lineAt(to).number;
  });
  if (first < 0) return model;
  const { hunks } = model;
  // The hunks that the edit touches, and a few lines around them up to the next hunk.
  const low = hunkAfter(hunks, first - 2, 'b');
  let high = low;
  while (high < hunks.length && (hunks[high] as Hunk).fromB <= last + 1) high++;
  const previous = hunks[low - 1];
  const next = hunks[high];
  const fromB = Math.max(previous?.toB ?? 0, Math.min(first, hunks[low]?.fromB ?? first) - MARGIN, 0);
  const toB = Math.min(
    next?.fromB ?? oldDoc.lines,
    Math.max(last, high > low ? (hunks[high - 1] as Hunk).toB : 0) + MARGIN,
  );
  const fromA = fromB + (previous ? previous.toA - previous.toB : 0);
  const back = high > 0 ? (hunks[high - 1] as Hunk) : undefined;
  const toA = toB + (back ? back.toA - back.toB : 0);
  const grown = newDoc.lines - oldDoc.lines;
  const found = hunksBetween(before, fromA, toA, newDoc, fromB, toB + grown);
  const middle = found ?? [{ fromA, toA, fromB, toB: toB + grown, words: null, done: false }];
  const updated = joined([
    ...hunks.slice(0, low),
    ...keepDone(middle, hunks.slice(low, high), oldDoc, newDoc),
    ...(grown === 0
      ? hunks.slice(high)
      : hunks.slice(high).map((hunk) => ({ ...hunk, fromB: hunk.fromB + grown, toB: hunk.toB + grown }))),
  ]);
  return { ...model, hunks: updated, folds: foldsLeft(model.folds, updated), pending: model.pending || !found };
}

/** After the left lines of a hunk were put back: the others stay as they are. */
export function withoutHunk(model: Model, index: number): Model {
  const gone = model.hunks[index];
  if (!gone) return model;
  const grown = gone.toA - gone.fromA - (gone.toB - gone.fromB);
  const hunks = model.hunks.flatMap((hunk, at): Hunk[] => {
    if (at === index) return [];
    return [at < index ? hunk : { ...hunk, fromB: hunk.fromB + grown, toB: hunk.toB + grown }];
  });
  return { ...model, hunks };
}

/** Hunks that have come to touch are one. */
function joined(hunks: Hunk[]): Hunk[] {
  let touching = false;
  for (let at = 1; at < hunks.length && !touching; at++) {
    const [previous, hunk] = [hunks[at - 1] as Hunk, hunks[at] as Hunk];
    touching = previous.toA === hunk.fromA && previous.toB === hunk.fromB;
  }
  if (!touching) return hunks;
  const result: Hunk[] = [];
  for (const hunk of hunks) {
    const previous = result.at(-1);
    if (previous && previous.toA === hunk.fromA && previous.toB === hunk.fromB) {
      result[result.length - 1] = { ...previous, toA: hunk.toA, toB: hunk.toB, words: null, done: false };
    } else result.push(hunk);
  }
  return result;
}
