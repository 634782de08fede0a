/** Where a review opens: beside what the user looks at, in the active group, or only in the list. */
export const PLACEMENTS = ['beside', 'activeGroup', 'list'] as const;
export type PlacementSetting = (typeof PLACEMENTS)[number];

export interface Group {
  /** 1-based, as VS Code counts columns. */
  readonly column: number;
  readonly active: boolean;
  readonly empty: boolean;
  /** A waiting review is in front. */
  readonly showsReview: boolean;
  readonly hasReviews: boolean;
}

export type Place =
  | { readonly kind: 'list' }
  /** `background`: as a tab behind the one that is in front. */
  | { readonly kind: 'tab'; readonly column: number | 'beside'; readonly background: boolean };

/** Never hides the document the user works in, and never the review the user reads. */
export function placeReview(setting: PlacementSetting, groups: readonly Group[], working: boolean): Place {
  if (setting === 'list') return { kind: 'list' };
  const active = groups.find((group) => group.active);
  if (!active || (active.empty && groups.length === 1)) {
    return { kind: 'tab', column: active?.column ?? 1, background: false };
  }
  const reading = groups.find((group) => group.showsReview);
  if (reading) return { kind: 'tab', column: reading.column, background: true };
  if (setting === 'activeGroup') return { kind: 'tab', column: active.column, background: working && !active.empty };
  const known = groups.find((group) => group.hasReviews && !group.active);
  if (known) return { kind: 'tab', column: known.column, background: false };
  const at = groups.indexOf(active);
  const neighbour = groups[at + 1] ?? groups[at - 1];
  return { kind: 'tab', column: neighbour?.column ?? 'beside', background: false };
}
