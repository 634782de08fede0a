import type { Position, Range } from './model.ts';

export type LineEnding = 'lf' | 'crlf';

/** The ending most lines use; `lf` when there is none. */
export function lineEndingOf(text: string): LineEnding {
  const crlf = text.split('\r\n').length - 1;
  const lf = text.split('\n').length - 1 - crlf;
  return crlf > lf ? 'crlf' : 'lf';
}

export function toLf(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text;
}

/** Cuts at `max` UTF-16 units, mark included, without splitting a character in two. */
export function truncate(text: string, max: number, mark: string): string {
  if (text.length <= max) return text;
  let end = max - mark.length;
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return text.slice(0, end) + mark;
}

export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const line = before.split('\n').length - 1;
  return { line, character: offset - (before.lastIndexOf('\n') + 1) };
}

/** The offset of a position; past the end of a line it stays on that line, past the last line it is the end. */
export function offsetAt(text: string, position: Position): number {
  let start = 0;
  for (let line = 0; line < position.line; line += 1) {
    const next = text.indexOf('\n', start);
    if (next < 0) return text.length;
    start = next + 1;
  }
  const newline = text.indexOf('\n', start);
  let end = newline < 0 ? text.length : newline;
  if (newline > start && text[newline - 1] === '\r') end -= 1;
  return Math.min(start + position.character, end);
}

export function textIn(text: string, range: Range): string {
  return text.slice(offsetAt(text, range.start), offsetAt(text, range.end));
}

export function lineCount(text: string): number {
  return text.split('\n').length;
}

/** The range as far as the text goes, with the text in it. */
export function textAt(text: string, range: Range): Range & { readonly text: string } {
  const [start, end] = [offsetAt(text, range.start), offsetAt(text, range.end)];
  return { start: positionAt(text, start), end: positionAt(text, end), text: text.slice(start, end) };
}
