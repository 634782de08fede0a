// What this window keeps of a review over a reload.
import type { ReviewText } from '../protocol.ts';
import type { LineNote } from '../review/index.ts';

const keyOf = (what: 'notes' | 'text', review: ReviewText) => `tandem-${what}-${review.id}-${review.openedAt}`;

/** Notes are this window's own until the review is decided. */
export function keepNotes(review: ReviewText, notes: readonly LineNote[]): void {
  if (notes.length === 0) sessionStorage.removeItem(keyOf('notes', review));
  else sessionStorage.setItem(keyOf('notes', review), JSON.stringify(notes));
}

export function keptNotes(review: ReviewText): readonly LineNote[] {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf('notes', review)) ?? '[]');
  } catch {
    return [];
  }
}

/** The user's text, when the window goes before the workbench has said that it has it. */
export function keepText(review: ReviewText, text: string): void {
  try {
    sessionStorage.setItem(keyOf('text', review), text);
  } catch {
    // too long for it: then it was sent once, which mostly arrives
  }
}

export function takeText(review: ReviewText): string | undefined {
  const text = sessionStorage.getItem(keyOf('text', review)) ?? undefined;
  sessionStorage.removeItem(keyOf('text', review));
  return text;
}
