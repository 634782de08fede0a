import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, realpath, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export type Encoding = 'utf8' | 'utf8-bom' | 'utf16le' | 'utf16be' | 'latin1';

/** How a file was written, so that it is written that way again. */
export interface Format {
  readonly encoding: Encoding;
  readonly lineEnding: '\n' | '\r\n';
}

/** What tells one state of a file from another. */
export interface Stamp {
  readonly mtimeMs: number;
  readonly size: number;
  readonly ino: number;
}

export type FromDisk =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly format: Format;
      readonly stamp: Stamp;
      readonly readOnly?: string;
    }
  | { readonly kind: 'other'; readonly note: string; readonly stamp: Stamp };

const EDITABLE_BYTES = 16 * 1024 * 1024;
const READABLE_BYTES = 128 * 1024 * 1024;
export const NEW_FILE: Format = { encoding: 'utf8', lineEnding: '\n' };

/** Rejects when there is no such file. Never blocks on a pipe or a device. */
export async function readFromDisk(path: string): Promise<FromDisk> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const info = await file.stat();
    const stamp = stampOf(info);
    if (!info.isFile()) return { kind: 'other', note: 'This is not a regular file.', stamp };
    if (info.size > READABLE_BYTES)
      return { kind: 'other', note: 'This file is too large to be shown (over 128 MiB).', stamp };
    const bytes = await file.readFile();
    const encoding = encodingOf(bytes);
    if (encoding === undefined) return { kind: 'other', note: 'This is a binary file.', stamp };
    const raw = decode(bytes, encoding);
    const lineEnding = uniformCrlf(raw) ? '\r\n' : '\n';
    const text = lineEnding === '\r\n' ? raw.replaceAll('\r\n', '\n') : raw;
    const readOnly = info.size > EDITABLE_BYTES ? 'It is larger than 16 MiB, so it is shown read-only.' : undefined;
    return { kind: 'text', text, format: { encoding, lineEnding }, stamp, ...(readOnly ? { readOnly } : {}) };
  } finally {
    await file.close();
  }
}

/**
 * Written beside the file and moved over it, so that a crash leaves the old or the new text, never half of one. A link
 * stays a link: what it points to is written.
 */
export async function writeToDisk(path: string, text: string, format: Format): Promise<Stamp> {
  const target = await realpath(path).catch(() => path);
  const bytes = encode(format.lineEnding === '\r\n' ? text.replaceAll('\n', '\r\n') : text, format.encoding);
  const mode = (await stat(target).catch(() => undefined))?.mode;
  if (mode !== undefined) await access(target, constants.W_OK);
  if (!(await replaceFile(target, bytes, mode))) await writeFile(target, bytes);
  return stampOf(await stat(target));
}

/** `false` where the folder takes no new file, though the file itself may be written. */
async function replaceFile(path: string, bytes: Buffer, mode: number | undefined): Promise<boolean> {
  const temporary = join(dirname(path), `.${basename(path).slice(0, 200)}.${randomBytes(4).toString('hex')}.tmp`);
  const permissions = mode === undefined ? 0o666 : mode & 0o777;
  const file = await open(temporary, 'wx', permissions).catch((error: NodeJS.ErrnoException) => {
    if (mode !== undefined && (error.code === 'EACCES' || error.code === 'EPERM')) return undefined;
    throw error;
  });
  if (!file) return false;
  try {
    await file.writeFile(bytes);
    if (mode !== undefined) await file.chmod(permissions);
    await file.close();
    await rename(temporary, path);
    return true;
  } catch (error) {
    await file.close().catch(() => {});
    await unlink(temporary).catch(() => {});
    throw error;
  }
}

/** `undefined` when it is gone. */
export async function currentStamp(path: string): Promise<Stamp | undefined> {
  const info = await stat(path).catch(() => undefined);
  return info && stampOf(info);
}

export function sameStamp(a: Stamp | undefined, b: Stamp | undefined): boolean {
  return a?.mtimeMs === b?.mtimeMs && a?.size === b?.size && a?.ino === b?.ino;
}

function stampOf({ mtimeMs, size, ino }: Stamp): Stamp {
  return { mtimeMs, size, ino };
}

/** `undefined` for binary. What is not UTF-8 is read byte by byte, which gives the same bytes back. */
function encodingOf(bytes: Buffer): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.length % 2 === 0 ? 'utf16le' : undefined;
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return bytes.length % 2 === 0 ? 'utf16be' : undefined;
  if (bytes.includes(0)) return undefined;
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf8-bom';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf8';
  } catch {
    return 'latin1';
  }
}

function decode(bytes: Buffer, encoding: Encoding): string {
  if (encoding === 'utf16le') return bytes.subarray(2).toString('utf16le');
  if (encoding === 'utf16be') return Buffer.from(bytes.subarray(2)).swap16().toString('utf16le');
  if (encoding === 'utf8-bom') return bytes.subarray(3).toString('utf8');
  return bytes.toString(encoding);
}

function encode(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf16le') return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  if (encoding === 'utf16be') return Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()]);
  if (encoding === 'utf8-bom') return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text, 'utf8')]);
  return Buffer.from(text, encoding);
}

/** Whether the encoding has a place for every character of the text. */
export function canEncode(text: string, encoding: Encoding): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of Latin-1, which begins at zero
  return encoding !== 'latin1' || !/[^\u0000-\u00ff]/.test(text);
}

/** A file with both kinds keeps its bytes: the odd `\r` stays in its line. */
function uniformCrlf(text: string): boolean {
  return text.includes('\r\n') && !/(?<!\r)\n|\r(?!\n)/.test(text);
}
