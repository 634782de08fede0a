import type { Position } from '@tandem/core';

export interface ContentChange {
  readonly range?: { readonly start: Position; readonly end: Position };
  readonly text: string;
}

/** One step from a text to the next, as small as a common beginning and end make it. */
export function contentChange(before: string, after: string): ContentChange {
  // A lone \r is the end of a line for a language server and none for us: positions would not agree.
  if (before.includes('\r')) return { text: after };
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  // Never through the middle of a character.
  if (isHigh(before[start - 1])) start -= 1;
  if (end > 0 && isHigh(before[before.length - end - 1])) end -= 1;
  const first = positionAt(before, start, { line: 0, character: 0 }, 0);
  const range = { start: first, end: positionAt(before, before.length - end, first, start) };
  return { range, text: after.slice(start, after.length - end) };
}

/** Counted on from a place that is known already. */
function positionAt(text: string, offset: number, known: Position, knownOffset: number): Position {
  let { line } = known;
  let lineStart = knownOffset - known.character;
  for (let at = text.indexOf('\n', knownOffset); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return { line, character: offset - lineStart };
}

function isHigh(unit: string | undefined): boolean {
  return unit !== undefined && unit >= '\ud800' && unit <= '\udbff';
}
