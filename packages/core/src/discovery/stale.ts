import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { markOf } from './mark.ts';
import { answers, isAlive } from './process.ts';
import { readOwnJson, removeFile } from './safe-files.ts';

/** Half-written files older than this were left by a crash. */
const TEMPORARY_MS = 60_000;

/** Removes what a dead companion left in a folder: only our own user's files, only with our mark (ALL-6). */
export async function sweep(directory: string, self: number): Promise<readonly string[]> {
  const removed: string[] = [];
  const drop = (path: string) => {
    removeFile(path);
    removed.push(path);
  };
  for (const name of list(directory)) {
    const path = join(directory, name);
    if (name.startsWith('.tandem-') && name.endsWith('.tmp')) {
      if (isOldTemporary(path)) drop(path);
      continue;
    }
    const mark = markOf(readOwnJson(path));
    if (mark === undefined || mark.pid === self) continue;
    if (isAlive(mark.pid) && (await answers(mark.port))) continue;
    // Somebody may have taken the name meanwhile: look again before it goes.
    if (markOf(readOwnJson(path))?.pid === mark.pid) drop(path);
  }
  return removed;
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function isOldTemporary(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  const uid = process.getuid?.();
  return stat !== undefined && (uid === undefined || stat.uid === uid) && Date.now() - stat.mtimeMs > TEMPORARY_MS;
}
