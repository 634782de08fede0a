import { type Range, textAt } from '@tandem/core';

const MAX_LINES = 20;

/** A place as this dialect names it: by a text whose first occurrence is there. Empty where there is none. */
export function patternAt(text: string, range: Range): { readonly startText?: string } {
  const selected = textAt(text, range);
  const offset = offsetOf(text, selected.start);
  if (selected.text !== '' && text.indexOf(selected.text) === offset) return { startText: selected.text };
  // A caret is a line; lines are added until nothing before it looks the same.
  const lines = text.slice(offset).split('\n');
  for (let count = 1; count <= Math.min(lines.length, MAX_LINES); count += 1) {
    const startText = lines.slice(0, count).join('\n');
    if (startText.trim() !== '' && text.indexOf(startText) === offset) return { startText };
  }
  return {};
}

function offsetOf(text: string, { line, character }: Range['start']): number {
  const lines = text.split('\n').slice(0, line);
  return lines.reduce((sum, each) => sum + each.length + 1, character);
}
