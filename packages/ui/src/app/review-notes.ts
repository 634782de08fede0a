import type { ReviewText } from '../protocol.ts';
import type { LineNote } from '../review/index.ts';

const keyOf = (review: ReviewText) => `tandem-notes-${review.id}-${review.openedAt}`;

/** Notes are this window's own until the review is decided; they outlive a reload. */
export function keepNotes(review: ReviewText, notes: readonly LineNote[]): void {
  if (notes.length === 0) sessionStorage.removeItem(keyOf(review));
  else sessionStorage.setItem(keyOf(review), JSON.stringify(notes));
}

export function keptNotes(review: ReviewText): readonly LineNote[] {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(review)) ?? '[]');
  } catch {
    return [];
  }
}
