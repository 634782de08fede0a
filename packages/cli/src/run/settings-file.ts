import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The text of a settings file; `undefined` where there is none. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Puts `text` in the place of a settings file: whole or not at all, with the mode and owner it had, and through a symbolic
 * link to where the user really keeps it.
 */
export function replaceText(path: string, text: string): void {
  const target = targetOf(path);
  const before = statSync(target, { throwIfNoEntry: false });
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const temporary = join(dirname(target), `.${basename(target)}.tandem-${randomBytes(6).toString('hex')}`);
  const file = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (before) {
      if (before.uid !== process.getuid?.() || before.gid !== process.getgid?.()) keepOwner(temporary, before);
      chmodSync(temporary, before.mode & 0o7777);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Takes away a file that was made by us and holds nothing any more. */
export function removeText(path: string): void {
  rmSync(path, { force: true });
}

function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function keepOwner(path: string, { uid, gid }: { uid: number; gid: number }): void {
  try {
    chownSync(path, uid, gid);
  } catch {
    // Only root may; then the file becomes ours, as with every editor that saves by renaming.
  }
}
