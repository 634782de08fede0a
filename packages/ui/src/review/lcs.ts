/**
 * Which items of two sequences differ: Myers' linear-space algorithm, which finds a shortest edit. Items without a
 * partner on the other side are left out first, which loses nothing and makes dense rewrites cheap.
 */

export interface Marks {
  /** 1 for every item of the side that has no partner; the others pair up in order. */
  readonly a: Uint8Array;
  readonly b: Uint8Array;
  /** False when the budget ran out: still a correct difference, but perhaps not the shortest. */
  readonly exact: boolean;
}

/** Steps of the inner loop; a second or so of a worker's time. */
const WORKER_BUDGET = 400_000_000;

export function differingItems(a: Int32Array, b: Int32Array, budget = WORKER_BUDGET): Marks {
  const marksA = new Uint8Array(a.length);
  const marksB = new Uint8Array(b.length);
  let start = 0;
  const shorter = Math.min(a.length, b.length);
  while (start < shorter && a[start] === b[start]) start++;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  const keptA = withPartner(a, start, endA, new Set(b.subarray(start, endB)), marksA);
  const keptB = withPartner(b, start, endB, new Set(a.subarray(start, endA)), marksB);
  const search = new Search(
    keptA.map((at) => a[at] as number),
    keptB.map((at) => b[at] as number),
    budget,
  );
  search.run();
  for (let at = 0; at < keptA.length; at++) if (search.marksA[at]) marksA[keptA[at] as number] = 1;
  for (let at = 0; at < keptB.length; at++) if (search.marksB[at]) marksB[keptB[at] as number] = 1;
  return { a: marksA, b: marksB, exact: search.exact };
}

function withPartner(items: Int32Array, from: number, to: number, others: Set<number>, marks: Uint8Array): Int32Array {
  const kept = new Int32Array(to - from);
  let count = 0;
  for (let at = from; at < to; at++) {
    if (others.has(items[at] as number)) kept[count++] = at;
    else marks[at] = 1;
  }
  return kept.subarray(0, count);
}

type Box = readonly [fromA: number, toA: number, fromB: number, toB: number];

class Search {
  readonly marksA: Uint8Array;
  readonly marksB: Uint8Array;
  exact = true;
  readonly #a: Int32Array;
  readonly #b: Int32Array;
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;
  readonly #zero: number;
  #budget: number;

  constructor(a: Int32Array, b: Int32Array, budget: number) {
    this.#a = a;
    this.#b = b;
    this.#budget = budget;
    this.marksA = new Uint8Array(a.length);
    this.marksB = new Uint8Array(b.length);
    this.#forward = new Int32Array(a.length + b.length + 5);
    this.#backward = new Int32Array(a.length + b.length + 5);
    this.#zero = b.length + 2;
  }

  run(): void {
    const boxes: Box[] = [[0, this.#a.length, 0, this.#b.length]];
    for (let box = boxes.pop(); box; box = boxes.pop()) {
      let [fromA, toA, fromB, toB] = box;
      while (fromA < toA && fromB < toB && this.#a[fromA] === this.#b[fromB]) {
        fromA++;
        fromB++;
      }
      while (fromA < toA && fromB < toB && this.#a[toA - 1] === this.#b[toB - 1]) {
        toA--;
        toB--;
      }
      if (fromA === toA || fromB === toB) {
        this.marksA.fill(1, fromA, toA);
        this.marksB.fill(1, fromB, toB);
        continue;
      }
      const middle = this.#middle(fromA, toA, fromB, toB);
      if (middle) boxes.push([fromA, middle[0], fromB, middle[1]], [middle[0], toA, middle[1], toB]);
      else boxes.push(...this.#betweenAnchors(fromA, toA, fromB, toB));
    }
  }

  /** A point on a shortest path through the box, searched from both corners; nothing when the budget is spent. */
  #middle(fromA: number, toA: number, fromB: number, toB: number): readonly [number, number] | undefined {
    const [a, b, forward, backward, zero] = [this.#a, this.#b, this.#forward, this.#backward, this.#zero];
    const lowest = fromA - toB;
    const highest = toA - fromB;
    const first = fromA - fromB;
    const last = toA - toB;
    const odd = ((first - last) & 1) !== 0;
    let [forwardLow, forwardHigh, backwardLow, backwardHigh] = [first, first, last, last];
    forward[zero + first] = fromA;
    backward[zero + last] = toA;
    for (;;) {
      this.#budget -= forwardHigh - forwardLow + backwardHigh - backwardLow + 2;
      if (this.#budget < 0) return undefined;
      if (forwardLow > lowest) forward[zero + --forwardLow - 1] = -1;
      else forwardLow++;
      if (forwardHigh < highest) forward[zero + ++forwardHigh + 1] = -1;
      else forwardHigh--;
      for (let diagonal = forwardHigh; diagonal >= forwardLow; diagonal -= 2) {
        const down = forward[zero + diagonal + 1] as number;
        const right = forward[zero + diagonal - 1] as number;
        let x = right >= down ? right + 1 : down;
        while (x < toA && x - diagonal < toB && a[x] === b[x - diagonal]) x++;
        forward[zero + diagonal] = x;
        if (odd && diagonal >= backwardLow && diagonal <= backwardHigh && (backward[zero + diagonal] as number) <= x)
          return [x, x - diagonal];
      }
      if (backwardLow > lowest) backward[zero + --backwardLow - 1] = 0x7fffffff;
      else backwardLow++;
      if (backwardHigh < highest) backward[zero + ++backwardHigh + 1] = 0x7fffffff;
      else backwardHigh--;
      for (let diagonal = backwardHigh; diagonal >= backwardLow; diagonal -= 2) {
        const up = backward[zero + diagonal - 1] as number;
        const left = backward[zero + diagonal + 1] as number;
        let x = up < left ? up : left - 1;
        while (x > fromA && x - diagonal > fromB && a[x - 1] === b[x - diagonal - 1]) x--;
        backward[zero + diagonal] = x;
        if (!odd && diagonal >= forwardLow && diagonal <= forwardHigh && x <= (forward[zero + diagonal] as number))
          return [x, x - diagonal];
      }
    }
  }

  /** Out of budget: keep the longest run of items that are unique on both sides and in the same order. */
  #betweenAnchors(fromA: number, toA: number, fromB: number, toB: number): Box[] {
    this.exact = false;
    const placeA = uniquePlaces(this.#a, fromA, toA);
    const placeB = uniquePlaces(this.#b, fromB, toB);
    const pairs: (readonly [number, number])[] = [];
    for (const [item, at] of placeA) {
      const other = placeB.get(item);
      if (at >= 0 && other !== undefined && other >= 0) pairs.push([at, other]);
    }
    const anchors = longestIncreasing(pairs);
    if (anchors.length === 0) {
      this.marksA.fill(1, fromA, toA);
      this.marksB.fill(1, fromB, toB);
      return [];
    }
    const boxes: Box[] = [];
    let [startA, startB] = [fromA, fromB];
    for (const [atA, atB] of anchors) {
      boxes.push([startA, atA, startB, atB]);
      [startA, startB] = [atA + 1, atB + 1];
    }
    boxes.push([startA, toA, startB, toB]);
    return boxes;
  }
}

/** Where each item stands, or -1 when it stands in more than one place. */
function uniquePlaces(items: Int32Array, from: number, to: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let at = from; at < to; at++) {
    const item = items[at] as number;
    places.set(item, places.has(item) ? -1 : at);
  }
  return places;
}

/** The longest subsequence of pairs (ordered by their first number) whose second numbers rise. */
function longestIncreasing(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const tails: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  for (let at = 0; at < pairs.length; at++) {
    const value = (pairs[at] as readonly [number, number])[1];
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] as number] as readonly [number, number])[1] < value) low = middle + 1;
      else high = middle;
    }
    previous[at] = low > 0 ? (tails[low - 1] as number) : -1;
    tails[low] = at;
  }
  const result: (readonly [number, number])[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at] as number) {
    result.push(pairs[at] as readonly [number, number]);
  }
  return result.reverse();
}
