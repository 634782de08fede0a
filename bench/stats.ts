/** The middle of the samples, or any other quantile. */
export function quantile(samples: readonly number[], q = 0.5): number {
  if (samples.length === 0) throw new Error('no samples');
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const below = sorted[Math.floor(at)] as number;
  const above = sorted[Math.ceil(at)] as number;
  return below + (above - below) * (at - Math.floor(at));
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}

/** A B C, B C A, C A B, …: what else the machine does hits all alike, and nobody always follows the same neighbour. */
export async function interleave(rounds: number, ...turns: ((round: number) => Promise<void> | void)[]): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const first = round % turns.length;
    for (const turn of [...turns.slice(first), ...turns.slice(0, first)]) await turn(round);
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
