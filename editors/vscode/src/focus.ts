/** What is in front in one editor group. */
export type Front = { readonly focused: boolean } & (
  | { readonly kind: 'file'; readonly path: string }
  /** A terminal, a review of ours, a page: something one looks at beside the document one works on. */
  | { readonly kind: 'aside' }
  /** Settings, an image, an untitled document. */
  | { readonly kind: 'other' }
);

/**
 * The active document. A terminal or a review that takes the focus does not change it; neither does a panel, since then
 * it is still in front of its group.
 */
export function activeAfter(before: string | undefined, fronts: readonly Front[], caret: string | undefined) {
  if (caret !== undefined) return caret;
  if (before === undefined) return undefined;
  if (fronts.some((front) => front.kind === 'file' && front.path === before)) return before;
  return fronts.some((front) => front.focused && front.kind === 'aside') ? before : undefined;
}
