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
  const disk = await readRegularFile(path);
  if (disk === undefined) return { text: '', exists: false, unsaved: false, lineEnding: 'lf' };
  if (typeof disk === 'string') return { text: '', exists: true, unsaved: false, lineEnding: 'lf', note: disk };
  return before(disk.text, proposed, false);
}

function before(raw: string, proposed: string, unsaved: boolean): Before {
  const lineEnding = lineEndingOf(raw);
  let text = proposed.includes('\r\n') ? raw : toLf(raw);
  if (text.startsWith('\ufeff') && !proposed.startsWith('\ufeff')) text = text.slice(1);
  return { text, exists: true, unsaved, lineEnding };
}

/** `undefined`: there is none. A string: why it cannot be shown. Never blocks on a pipe or a device. */
export async function readRegularFile(path: string): Promise<{ text: string } | string | undefined> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : `it cannot be read (${code})`;
  }
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return 'it is not a regular file';
    if (stat.size > MAX_BYTES) return 'it is larger than 64 MiB';
    const bytes = await file.readFile();
    if (bytes.includes(0)) return 'it is a binary file';
    return { text: bytes.toString('utf8') };
  } finally {
    await file.close();
  }
}
