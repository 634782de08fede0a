import type { FilePart } from './protocol.ts';

export function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) || path;
}

/** As it is called inside the workspace. */
export function wayTo(folders: readonly string[], path: string): string {
  const folder = folders.find((each) => path.startsWith(`${each}/`));
  if (folder === undefined) return path;
  const way = path.slice(folder.length + 1);
  return folders.length > 1 ? `${nameOf(folder)}/${way}` : way;
}

/** `a.ts:3–8`, counted as people count. */
export function partName({ path, lines }: FilePart): string {
  if (!lines) return nameOf(path);
  const { start, end } = lines;
  return `${nameOf(path)}:${start + 1}${end > start ? `–${end + 1}` : ''}`;
}
