import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';

export interface Vsix {
  readonly path: string;
  /** `publisher.name`, as editors list it. */
  readonly id: string;
  readonly version: string;
}

/** Our extension: beside this program where it was installed, or built in the repository. */
export function findVsix(from = dirname(fileURLToPath(import.meta.url))): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    for (const place of [folder, join(folder, 'editors', 'vscode', 'dist')]) {
      const found = existsSync(place) ? readdirSync(place).filter((name) => /^tandem-.*\.vsix$/.test(name)) : [];
      const newest = found.sort(byVersion).at(-1);
      if (newest !== undefined) return join(place, newest);
    }
    if (folder === dirname(folder)) return undefined;
  }
}

function byVersion(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** What a package says of itself. Throws when it is none. */
export function readVsix(path: string): Vsix {
  const manifest = JSON.parse(entryOf(readFileSync(path), 'extension/package.json').toString('utf8'));
  const { publisher, name, version } = manifest as Record<string, string>;
  if (!publisher || !name || !version) throw new Error(`${path} names no extension`);
  return { path, id: `${publisher}.${name}`, version };
}

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;

/** One file of a zip archive. Node has no reader for it, and we need a single small file. */
function entryOf(zip: Buffer, name: string): Buffer {
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1;
  if (end < 0) throw new Error('it is not a .vsix package');
  let at = zip.readUInt32LE(end + 16);
  while (at + 46 <= zip.length && zip.readUInt32LE(at) === DIRECTORY_ENTRY) {
    const [nameLength, extra, comment] = [
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
    ];
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) === name) return content(zip, at);
    at += 46 + nameLength + extra + comment;
  }
  throw new Error(`there is no ${name} in it`);
}

function content(zip: Buffer, entry: number): Buffer {
  const isDeflated = zip.readUInt16LE(entry + 10) === 8;
  const size = zip.readUInt32LE(entry + 20);
  const header = zip.readUInt32LE(entry + 42);
  const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
  const bytes = zip.subarray(start, start + size);
  return isDeflated ? inflateRawSync(bytes) : bytes;
}
