import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';

export interface Folders {
  readonly real: readonly string[];
  /** Spellings through a symlink that differ from the real path. */
  readonly aliases: readonly string[];
}

/** Workspace folders as agents compare them: absolute, real, each once. */
export function resolveFolders(folders: readonly string[]): Folders {
  const real: string[] = [];
  const aliases: string[] = [];
  for (const folder of folders) {
    if (folder === '') continue;
    const spelled = resolve(folder);
    const physical = realPath(spelled);
    if (!real.includes(physical)) real.push(physical);
    if (spelled !== physical && !aliases.includes(spelled)) aliases.push(spelled);
  }
  return { real, aliases };
}

/** Whether `path` is one of the folders or below one; textual, so give it real paths. */
export function contains(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => {
    const way = relative(folder, path);
    return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
  });
}

/** Whether `path`, followed through every symlink as far as it exists, lies outside the folders. */
export function isOutside(folders: readonly string[], path: string): boolean {
  return !contains(folders, realPathOfNearest(path));
}

/** Where a write to `path` would land: links are followed even if what they point to does not exist yet. */
function realPathOfNearest(path: string, hops = 40): string {
  const missing: string[] = [];
  for (let current = resolve(path); ; ) {
    try {
      return resolve(realpathSync(current), ...missing);
    } catch {
      const target = hops > 0 ? linkTarget(current) : undefined;
      if (target !== undefined) return realPathOfNearest(resolve(target, ...missing), hops - 1);
      const parent = dirname(current);
      if (parent === current) return resolve(path);
      missing.unshift(basename(current));
      current = parent;
    }
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return resolve(realpathSync(dirname(path)), readlinkSync(path));
  } catch {
    return undefined;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
