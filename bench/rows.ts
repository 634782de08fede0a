import { KNOWN_MISSES } from './known-misses.ts';

/** One line of the table. */
export interface Row {
  readonly id: string;
  readonly measure: string;
  readonly unit: 'ms' | 'µs' | 'KB' | 'MB' | 'count';
  readonly ours: number;
  readonly reference?: number;
  readonly floor?: number;
  /** What the bar is about; rows without one are information. */
  readonly bar?: Bar;
  readonly samples: number;
  readonly note?: string;
}

export interface Bar {
  /** `ours` is divided by this before it is compared; without it the bar is a number of the row's unit. */
  readonly of?: 'reference' | 'floor' | { readonly value: number; readonly name: string };
  readonly max: number;
  /** How much more than `max` still counts as noise of the machine, as a share. */
  readonly tolerance: number;
}

/**
 * Interleaved medians of the same run differ by up to a seventh between runs on a busy machine with two cores, memory
 * after a collection by less than a twentieth. Counts and bytes do not differ at all.
 */
export const NOISE = { time: 0.15, memory: 0.05, none: 0 } as const;

export interface Verdict {
  /** What is compared with the bar. */
  readonly value: number;
  readonly met: boolean;
  /** How much it is over, as a share of the bar; if that is 0, in the row's own unit. */
  readonly over: number;
  /** Fails the run. */
  readonly fails: boolean;
  readonly known?: string;
}

export function judge(row: Row): Verdict | undefined {
  if (!row.bar) return undefined;
  const value = ratio(row)?.value ?? row.ours;
  const met = value <= row.bar.max;
  const over = row.bar.max === 0 ? value : value / row.bar.max - 1;
  const known = KNOWN_MISSES[row.id];
  return {
    value,
    met,
    over: met ? 0 : over,
    fails: !met && over > row.bar.tolerance && known === undefined,
    ...(known === undefined ? {} : { known }),
  };
}

/** Ours against what the bar names; rows without a bar against the reference, else the floor. */
export function ratio(row: Row): { value: number; name: string } | undefined {
  const of = row.bar ? row.bar.of : row.reference === undefined ? 'floor' : 'reference';
  if (of === undefined) return undefined;
  if (typeof of === 'object') return { value: row.ours / of.value, name: of.name };
  const base = row[of];
  if (base !== undefined) return { value: row.ours / base, name: of === 'reference' ? 'ref' : 'floor' };
  if (row.bar) throw new Error(`${row.id} has no ${of}`);
  return undefined;
}
