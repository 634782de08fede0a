import { type LineChange, numbered } from './diff.ts';
import { differingItems } from './lcs.ts';

/** Offsets from the start of the change's text on each side, as from, to, from, to… */
export interface Words {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

const TOKEN = /[\p{L}\p{N}_$]+|[^\S\n]+|\n|./gsu;

/** Below this share of common text the marks would say less than the lines themselves. */
const LEAST_COMMON = 0.35;

export interface WordLimits {
  readonly characters: number;
  readonly budget: number;
}

export const WORKER_LIMITS: WordLimits = { characters: 200_000, budget: 4_000_000 };
export const PAGE_LIMITS: WordLimits = { characters: 20_000, budget: 400_000 };

/**
 * What changed inside a change, in words. Null when a side has no lines, when the sides have too little in common, or when
 * it would take too long.
 */
export function diffWords(
  change: LineChange,
  a: readonly string[],
  b: readonly string[],
  limits: WordLimits,
): Words | null {
  if (change.fromA === change.toA || change.fromB === change.toB) return null;
  const left = a.slice(change.fromA, change.toA);
  const right = b.slice(change.fromB, change.toB);
  const pairs = pairedLines(left, right);
  const result = { a: [] as number[], b: [] as number[] };
  let [lineA, lineB, startA, startB, spent] = [0, 0, 0, 0, 0];
  for (const [atA, atB] of pairs) {
    for (; lineA < atA; lineA++) startA += (left[lineA] as string).length + 1;
    for (; lineB < atB; lineB++) startB += (right[lineB] as string).length + 1;
    const [one, two] = [left[atA] as string, right[atB] as string];
    spent += one.length + two.length;
    if (spent > limits.characters) return null;
    const words = one === two ? null : wordsOf(one, two, limits);
    for (const offset of words?.a ?? []) result.a.push(offset + startA);
    for (const offset of words?.b ?? []) result.b.push(offset + startB);
  }
  return result.a.length + result.b.length > 0 ? result : null;
}

/** A table of this size takes about a millisecond. */
const LARGEST_TABLE = 4_096;

/** Which lines of the one side became which of the other: in order, the most alike. Lines without a pair are new. */
function pairedLines(left: readonly string[], right: readonly string[]): (readonly [number, number])[] {
  if (left.length === 1 && right.length === 1) return [[0, 0]];
  if (left.length * right.length > LARGEST_TABLE) {
    return left.length === right.length ? left.map((_line, at) => [at, at] as const) : [];
  }
  const bagsA = left.map(bagOf);
  const bagsB = right.map(bagOf);
  const width = right.length + 1;
  const best = new Float64Array((left.length + 1) * width);
  const likeness = new Float64Array(left.length * right.length);
  for (let atA = left.length - 1; atA >= 0; atA--) {
    for (let atB = right.length - 1; atB >= 0; atB--) {
      const alike = likenessOf(bagsA[atA] as Bag, bagsB[atB] as Bag);
      likeness[atA * right.length + atB] = alike;
      const skip = Math.max(best[(atA + 1) * width + atB] as number, best[atA * width + atB + 1] as number);
      const both = alike < LEAST_COMMON ? 0 : alike + (best[(atA + 1) * width + atB + 1] as number);
      best[atA * width + atB] = Math.max(skip, both);
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let atA = 0, atB = 0; atA < left.length && atB < right.length; ) {
    const value = best[atA * width + atB] as number;
    const alike = likeness[atA * right.length + atB] as number;
    if (alike >= LEAST_COMMON && value === alike + (best[(atA + 1) * width + atB + 1] as number)) {
      pairs.push([atA++, atB++]);
    } else if (value === best[(atA + 1) * width + atB]) atA++;
    else atB++;
  }
  return pairs;
}

interface Bag {
  readonly counts: ReadonlyMap<string, number>;
  readonly ink: number;
}

function bagOf(line: string): Bag {
  const counts = new Map<string, number>();
  let ink = 0;
  for (const token of line.match(TOKEN) ?? []) {
    if (blank(token)) continue;
    counts.set(token, (counts.get(token) ?? 0) + 1);
    ink += token.length;
  }
  return { counts, ink };
}

/** The share of the text that the two have in common, in any order. */
function likenessOf(a: Bag, b: Bag): number {
  if (a.ink === 0 || b.ink === 0) return 0;
  let common = 0;
  for (const [token, count] of a.counts) common += Math.min(count, b.counts.get(token) ?? 0) * token.length;
  return common / Math.max(a.ink, b.ink);
}

function wordsOf(left: string, right: string, limits: WordLimits): Words | null {
  if (left.length + right.length > limits.characters) return null;
  const tokensA = left.match(TOKEN) ?? [];
  const tokensB = right.match(TOKEN) ?? [];
  const numbers = new Map<string, number>();
  const marks = differingItems(numbered(tokensA, numbers), numbered(tokensB, numbers), limits.budget);
  const common = commonText(tokensA, marks.a);
  if (common < LEAST_COMMON * Math.max(inkOf(tokensA), inkOf(tokensB))) return null;
  bridge(tokensA, marks.a, tokensB, marks.b);
  return { a: ranges(tokensA, marks.a), b: ranges(tokensB, marks.b) };
}

const blank = (token: string) => token.trim() === '';
const inkOf = (tokens: readonly string[]) => tokens.reduce((sum, token) => sum + (blank(token) ? 0 : token.length), 0);

function commonText(tokens: readonly string[], marks: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < tokens.length; at++) {
    if (!marks[at] && !blank(tokens[at] as string)) sum += (tokens[at] as string).length;
  }
  return sum;
}

/** A lone blank or sign between two marked words on both sides is easier to read as part of one mark. */
function bridge(tokensA: readonly string[], a: Uint8Array, tokensB: readonly string[], b: Uint8Array): void {
  let [atA, atB] = [0, 0];
  while (atA < tokensA.length && atB < tokensB.length) {
    while (a[atA]) atA++;
    while (b[atB]) atB++;
    const token = tokensA[atA];
    if (token === undefined || tokensB[atB] === undefined) return;
    const small = token !== '\n' && (blank(token) || token.length === 1) && !/[\p{L}\p{N}]/u.test(token);
    if (small && a[atA - 1] && a[atA + 1] && b[atB - 1] && b[atB + 1]) {
      a[atA] = 1;
      b[atB] = 1;
    }
    atA++;
    atB++;
  }
}

function ranges(tokens: readonly string[], marks: Uint8Array): number[] {
  const result: number[] = [];
  let offset = 0;
  for (let at = 0; at < tokens.length; at++) {
    const end = offset + (tokens[at] as string).length;
    if (marks[at]) {
      if (result.at(-1) === offset && result.length > 0) result[result.length - 1] = end;
      else result.push(offset, end);
    }
    offset = end;
  }
  return result;
}
