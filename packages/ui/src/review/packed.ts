import { diffLines, linesOf } from './diff.ts';
import type { Hunk } from './model.ts';
import { diffWords, WORKER_LIMITS } from './words.ts';

/** What the view asks its worker. The left text is sent once; it never changes. */
export interface DiffRequest {
  readonly id: number;
  readonly before?: string;
  readonly text: string;
}

export interface DiffAnswer {
  readonly id: number;
  readonly packed: Int32Array<ArrayBuffer>;
  readonly exact: boolean;
}

/** Line difference with words, as one block of numbers that moves between threads without a copy. */
export function packedDiff(
  before: readonly string[],
  text: string,
): { packed: Int32Array<ArrayBuffer>; exact: boolean } {
  const after = linesOf(text);
  const { changes, exact } = diffLines(before, after);
  const numbers: number[] = [];
  for (const change of changes) {
    const words = diffWords(change, before, after, WORKER_LIMITS);
    numbers.push(change.fromA, change.toA, change.fromB, change.toB, words ? words.a.length : -1, words?.b.length ?? 0);
    for (const offset of words?.a ?? []) numbers.push(offset);
    for (const offset of words?.b ?? []) numbers.push(offset);
  }
  return { packed: Int32Array.from(numbers), exact };
}

export function unpackedDiff(packed: Int32Array): Hunk[] {
  const hunks: Hunk[] = [];
  for (let at = 0; at < packed.length; ) {
    const [fromA, toA, fromB, toB, countA, countB] = packed.subarray(at, at + 6) as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    at += 6;
    const endA = at + Math.max(countA, 0);
    const words =
      countA < 0 ? null : { a: [...packed.subarray(at, endA)], b: [...packed.subarray(endA, endA + countB)] };
    hunks.push({ fromA, toA, fromB, toB, words, done: false });
    at = endA + countB;
  }
  return hunks;
}
