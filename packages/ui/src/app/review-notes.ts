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

/** No agent's protocol carries notes, so they become a prompt to paste. Each has its line, so that it can be found. */
export function promptOf(review: ReviewText, text: string, notes: readonly LineNote[]): string {
  const sides = { before: review.before.split('\n'), proposed: text.split('\n') };
  const lines = notes.map(({ line, side, text: note }) => {
    const where = side === 'before' ? `line ${line} of the file as it is` : `line ${line} of your version`;
    const quoted = sides[side][line - 1]?.trim() ?? '';
    return `- ${where}${quoted === '' ? '' : ` (\`${quoted}\`)`}: ${note.trim()}`;
  });
  return `I rejected your change to ${review.path}. My notes on it:\n${lines.join('\n')}\n`;
}
