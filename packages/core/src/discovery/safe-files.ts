import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** Why a place is refused, in words for the user. */
export class UnsafePlace extends Error {}

export type DirectoryCheck =
  | { readonly ok: true; readonly tighten: boolean }
  | { readonly ok: false; readonly why: string };

/** The rule for a folder that will hold secrets, as a pure function of what `lstat` says. */
export function checkDirectory(
  stat: Pick<Stats, 'isDirectory' | 'isSymbolicLink' | 'uid' | 'mode'>,
  uid: number | undefined,
): DirectoryCheck {
  if (stat.isSymbolicLink()) return { ok: false, why: 'it is a symbolic link; replace it with a real folder' };
  if (!stat.isDirectory()) return { ok: false, why: 'it is not a folder; move that file away' };
  if (uid === undefined) return { ok: true, tighten: false }; // Windows: no owner bits to look at
  if (stat.uid !== uid) return { ok: false, why: `it belongs to another user (uid ${stat.uid})` };
  if ((stat.mode & 0o022) !== 0) return { ok: false, why: 'others may write in it; run chmod 700 on it' };
  return { ok: true, tighten: (stat.mode & 0o077) !== 0 };
}

/** Makes `base/folders…`, each of the folders ours alone, or throws `UnsafePlace`. */
export function ensurePrivateDirectory(base: string, folders: readonly string[]): string {
  makeBase(base);
  let directory = base;
  for (const folder of folders) {
    directory = join(directory, folder);
    try {
      mkdirSync(directory, { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const check = checkDirectory(lstatSync(directory), process.getuid?.());
    if (!check.ok) throw new UnsafePlace(`${directory} is not safe to write in: ${check.why}`);
    if (check.tighten) chmodSync(directory, 0o700);
  }
  return directory;
}

/** The recursive form hides why it failed (a read-only disk reads as a missing folder), so the plain one goes first. */
function makeBase(base: string): void {
  try {
    mkdirSync(base, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') mkdirSync(base, { recursive: true, mode: 0o700 });
    else if (code !== 'EEXIST') throw error;
  }
}

/** Nobody ever sees the file half written or with wider permissions than 0600. */
export function writePrivateFile(directory: string, name: string, content: object): string {
  const path = join(directory, name);
  const temporary = join(directory, `.tandem-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  const file = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    try {
      writeAll(file, JSON.stringify(content));
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    removeFile(temporary);
    throw error;
  }
  return path;
}

function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // gone already, which is what we want
  }
}

/** A JSON object from a regular file of our own, or `undefined`. */
export function readOwnJson(path: string, maxBytes = 1024 * 1024): Record<string, unknown> | undefined {
  try {
    const stat = lstatSync(path);
    const uid = process.getuid?.();
    if (!stat.isFile() || stat.size > maxBytes || (uid !== undefined && stat.uid !== uid)) return undefined;
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
