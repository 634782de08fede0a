import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Editor } from './port.ts';
import type { Before } from './review.ts';
import { lineEndingOf, toLf } from './text.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The left side of a review: the unsaved buffer where there is one, else the file. Agents propose LF for CRLF files
 * and restore the endings themselves, so the left side follows the proposal and only real changes show.
 */
export async function readBefore(editor: Editor, path: string, proposed: string): Promise<Before> {
  const unsaved = await editor.unsavedText(path);
  if (unsaved !== undefined) return before(unsaved, proposed, true);
  const disk = await readTextFile(path);
  if (disk.kind === 'text') return before(disk.text, proposed, false);
  const nothing = { text: '', unsaved: false, lineEnding: 'lf' } as const;
  return disk.kind === 'missing' ? { ...nothing, exists: false } : { ...nothing, exists: true, note: disk.why };
}

function before(raw: string, proposed: string, unsaved: boolean): Before {
  const lineEnding = lineEndingOf(raw);
  let text = proposed.includes('\r\n') ? raw : toLf(raw);
  if (text.startsWith('\ufeff') && !proposed.startsWith('\ufeff')) text = text.slice(1);
  return { text, exists: true, unsaved, lineEnding };
}

export type FileText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly why: string };

/** Never blocks on a pipe or a device. */
export async function readTextFile(path: string): Promise<FileText> {
  const unreadable = (why: string): FileText => ({ kind: 'unreadable', why });
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ENOENT' || code === 'ENOTDIR' ? { kind: 'missing' } : unreadable(`it cannot be read (${code})`);
  }
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return unreadable('it is not a regular file');
    if (stat.size > MAX_BYTES) return unreadable('it is larger than 64 MiB');
    const bytes = await file.readFile();
    return bytes.includes(0) ? unreadable('it is a binary file') : { kind: 'text', text: bytes.toString('utf8') };
  } finally {
    await file.close();
  }
}

/** The text, or an error in words for the user. */
export async function requireTextFile(path: string): Promise<string> {
  const file = await readTextFile(path);
  if (file.kind === 'text') return file.text;
  throw new Error(file.kind === 'missing' ? `${path} does not exist` : `${path} cannot be opened: ${file.why}`);
}
