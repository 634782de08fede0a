import { Text } from '@codemirror/state';
import { t } from '../l10n/t.ts';
import type { LineChange } from './diff.ts';
import { linesIn } from './model.ts';

/** Where a change begins in the right text; a removal at the very end is at the end. */
export function hunkStart(doc: Text, hunk: LineChange): number {
  return hunk.fromB < doc.lines ? doc.line(hunk.fromB + 1).from : doc.length;
}

/** The edit of the right text that puts the lines of the left in place of a change. */
export function putBackChange(doc: Text, before: Text, hunk: LineChange): { from: number; to: number; insert: Text } {
  const old = linesIn(before, hunk.fromA, hunk.toA);
  const from = hunkStart(doc, hunk);
  if (hunk.fromB < hunk.toB && old.length > 0) return { from, to: doc.line(hunk.toB).to, insert: Text.of(old) };
  if (hunk.fromB < hunk.toB) {
    // The lines go with one of the two line breaks around them.
    if (hunk.toB < doc.lines) return { from, to: doc.line(hunk.toB + 1).from, insert: Text.empty };
    return { from: hunk.fromB > 0 ? doc.line(hunk.fromB).to : 0, to: doc.length, insert: Text.empty };
  }
  if (hunk.fromB < doc.lines) return { from, to: from, insert: Text.of([...old, '']) };
  return { from, to: from, insert: Text.of(['', ...old]) };
}

/** A change in words, for people who hear the page. */
export function describe(hunk: LineChange): string {
  const [removed, added] = [hunk.toA - hunk.fromA, hunk.toB - hunk.fromB];
  const lines = (count: number) => (count === 1 ? t('1 line') : t('{0} lines', count));
  const at = Math.max(hunk.fromB, 0) + 1;
  if (removed === 0) return t('{0} added at line {1}', lines(added), at);
  if (added === 0) return t('{0} removed at line {1}', lines(removed), at);
  return t('{0} replaced by {1} at line {2}', lines(removed), lines(added), at);
}
