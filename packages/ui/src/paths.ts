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
