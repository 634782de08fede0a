import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readFromDisk } from '../disk.ts';

const MAX_FILES = 20;
const MAX_CHARACTERS = 4 * 1024 * 1024;
/** A folder that did not exist could not be watched, so it is looked at as well. */
const LOOKS_MS: readonly number[] = [100, 300, 600];
/** By then it was written before we heard of it, or is not written at all. */
const LAST_LOOK_MS = 900;

interface Known {
  /** The state of the file that is no news. */
  stamp: string;
  text: string | undefined;
}

/** Files that an agent writes and nobody has open: their problems are what the agent asks for next. */
export class Unopened {
  readonly #files = new Map<string, Known>();
  readonly #changed: (path: string, read: () => string) => void;
  readonly #dropped: (path: string) => void;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(changed: (path: string, read: () => string) => void, dropped: (path: string) => void) {
    this.#changed = changed;
    this.#dropped = dropped;
  }

  /** It is about to be written. What it says until then must not be taken for fresh. */
  expect(path: string): void {
    const text = this.#files.get(path)?.text;
    this.#files.delete(path);
    this.#files.set(path, { stamp: stampOf(path), text }); // the newest last
    const [oldest] = this.#files.keys();
    if (this.#files.size > MAX_FILES && oldest !== undefined) this.#drop(oldest);
    for (const ms of LOOKS_MS) this.#later(ms, () => this.#look(path));
    this.#later(LAST_LOOK_MS, () => this.#look(path, true));
  }

  folderChanged(folder: string): void {
    for (const path of this.#files.keys()) if (dirname(path) === folder) void this.#look(path);
  }

  /** Somebody opened it: its text is in a buffer now. */
  forget(path: string): void {
    this.#files.delete(path);
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#files.clear();
  }

  #later(ms: number, look: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void look();
    }, ms);
    this.#timers.add(timer);
  }

  async #look(path: string, anyway = false): Promise<void> {
    const stamp = stampOf(path);
    if (!this.#isNews(path, stamp, anyway)) return;
    const disk = await readFromDisk(path).catch(() => undefined);
    const known = this.#files.get(path);
    if (!known) return;
    if (disk === undefined) return known.text === undefined ? undefined : this.#drop(path);
    known.stamp = stamp;
    if (disk.kind !== 'text' || disk.text === known.text || disk.text.length > MAX_CHARACTERS) return;
    known.text = disk.text;
    this.#changed(path, () => disk.text);
  }

  #isNews(path: string, stamp: string, anyway: boolean): boolean {
    const known = this.#files.get(path);
    return known !== undefined && (known.stamp !== stamp || (anyway && known.text === undefined));
  }

  #drop(path: string): void {
    this.#files.delete(path);
    this.#dropped(path);
  }
}

function stampOf(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return 'none';
  }
}
