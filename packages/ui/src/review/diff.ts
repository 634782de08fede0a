import { differingItems } from './lcs.ts';

/** Lines [fromA, toA) of the left became lines [fromB, toB) of the right, counted from 0. */
export interface LineChange {
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}

export interface LineDiff {
  readonly changes: readonly LineChange[];
  /** False when the budget ran out: correct, but perhaps more than the least. */
  readonly exact: boolean;
}

/** A text of n line breaks has n + 1 lines, as in the editor; an empty text has one empty line. */
export const linesOf = (text: string): string[] => text.split('\n');

export function diffLines(a: readonly string[], b: readonly string[], budget?: number): LineDiff {
  const numbers = new Map<string, number>();
  const marks = differingItems(lineNumbers(a, numbers), lineNumbers(b, numbers), budget);
  const changes: LineChange[] = [];
  let [atA, atB] = [0, 0];
  while (atA < a.length || atB < b.length) {
    const [fromA, fromB] = [atA, atB];
    while (marks.a[atA] === 1) atA++;
    while (marks.b[atB] === 1) atB++;
    if (atA > fromA || atB > fromB) changes.push({ fromA, toA: atA, fromB, toB: atB });
    // The unmarked lines pair up one by one.
    while (atA < a.length && atB < b.length && marks.a[atA] === 0 && marks.b[atB] === 0) {
      atA++;
      atB++;
    }
  }
  return { changes: slide(changes, a, b), exact: marks.exact };
}

/** The empty line after a final line break is no blank line: it is like its counterpart only. */
function lineNumbers(lines: readonly string[], numbers: Map<string, number>): Int32Array {
  const result = numbered(lines, numbers);
  if (lines.at(-1) === '') result[lines.length - 1] = -1;
  return result;
}

export function numbered(items: readonly string[], numbers: Map<string, number>): Int32Array {
  const result = new Int32Array(items.length);
  for (let at = 0; at < items.length; at++) {
    const item = items[at] as string;
    let number = numbers.get(item);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(item, number);
    }
    result[at] = number;
  }
  return result;
}

/**
 * An added or removed block can often stand in several places (`}` before or after). Put it where a reader would: after a
 * blank line, starting with the least indented line. Blocks that come to touch become one.
 */
function slide(changes: readonly LineChange[], a: readonly string[], b: readonly string[]): LineChange[] {
  const result: LineChange[] = [];
  for (let at = 0; at < changes.length; at++) {
    let change = changes[at] as LineChange;
    const added = change.fromA === change.toA;
    if (added || change.fromB === change.toB) {
      const previous = result.at(-1);
      const next = changes[at + 1];
      const lines = added ? b : a;
      const from = added ? change.fromB : change.fromA;
      const to = added ? change.toB : change.toA;
      const lowest = previous ? (added ? previous.toB : previous.toA) : 0;
      const highest = next ? (added ? next.fromB : next.fromA) : lines.length;
      const by = bestShift(lines, from, to, lowest, highest);
      change = { fromA: change.fromA + by, toA: change.toA + by, fromB: change.fromB + by, toB: change.toB + by };
    }
    const previous = result.at(-1);
    if (previous && previous.toA === change.fromA && previous.toB === change.fromB) {
      result[result.length - 1] = { ...previous, toA: change.toA, toB: change.toB };
    } else result.push(change);
  }
  return result;
}

const FARTHEST_SHIFT = 100;

function bestShift(lines: readonly string[], from: number, to: number, lowest: number, highest: number): number {
  let best = 0;
  let least = roughness(lines, from) + roughness(lines, to);
  const consider = (by: number) => {
    const cost = roughness(lines, from + by) + roughness(lines, to + by);
    if (cost < least || (cost === least && by > best)) [best, least] = [by, cost];
  };
  for (let by = -1; by >= -FARTHEST_SHIFT && from + by >= lowest; by--) {
    if (lines[from + by] !== lines[to + by]) break;
    consider(by);
  }
  for (let by = 1; by <= FARTHEST_SHIFT && to + by <= highest; by++) {
    if (lines[from + by - 1] !== lines[to + by - 1]) break;
    consider(by);
  }
  return best;
}

/** How odd it looks to cut the lines before `at`: deep indentation is bad, a blank line before is good. */
function roughness(lines: readonly string[], at: number): number {
  if (at === 0 || at >= lines.length) return -1;
  const line = lines[at] as string;
  if (line.trim() === '') return 1 + indentation(lines[at - 1] as string);
  return 2 * indentation(line) - ((lines[at - 1] as string).trim() === '' ? 3 : 0);
}

function indentation(line: string): number {
  let width = 0;
  for (const character of line) {
    if (character === ' ') width++;
    else if (character === '\t') width += 4;
    else break;
  }
  return width;
}
