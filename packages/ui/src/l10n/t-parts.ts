import type { ComponentChild } from 'preact';
import { type Fill, type Known, translated } from './t.ts';

/** `t` with elements in the places of the text. */
export function tParts<S extends Known>(text: S, ...parts: Fill<S, ComponentChild>): ComponentChild[] {
  const given: readonly ComponentChild[] = parts;
  // Split by places, every second piece is the number of one.
  return translated(text)
    .split(/\{(\d)\}/)
    .map((piece, i) => (i % 2 === 0 ? piece : given[Number(piece)]));
}
