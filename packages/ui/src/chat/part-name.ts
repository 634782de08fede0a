import { nameOf } from '../paths.ts';
import type { FilePart } from './protocol.ts';

/** `a.ts:3–8`, counted as people count. */
export function partName({ path, lines }: FilePart): string {
  if (!lines) return nameOf(path);
  const { start, end } = lines;
  return `${nameOf(path)}:${start + 1}${end > start ? `–${end + 1}` : ''}`;
}
