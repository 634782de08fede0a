import { existsSync, type FSWatcher, watch } from 'node:fs';

const MAX_FOLDERS = 500;
const QUIET_MS = 60;

/** Tells which folders changed on disk, each at most once in a short while. */
export class Watcher {
  readonly #changed: (folder: string) => void;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #pending = new Map<string, NodeJS.Timeout>();

  constructor(changed: (folder: string) => void) {
    this.#changed = changed;
  }

  follow(folder: string): void {
    if (this.#watchers.has(folder) || this.#watchers.size >= MAX_FOLDERS) return;
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#note(folder));
      watcher.on('error', () => this.forget(folder));
      this.#watchers.set(folder, watcher);
    } catch {
      // gone, or too many watches: the page asks again when it gains the focus
    }
  }

  forget(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  close(): void {
    for (const timer of this.#pending.values()) clearTimeout(timer);
    this.#pending.clear();
    for (const folder of [...this.#watchers.keys()]) this.forget(folder);
  }

  #note(folder: string): void {
    if (this.#pending.has(folder)) return;
    const timer = setTimeout(() => {
      this.#pending.delete(folder);
      // A folder that is made again under this name is another one; it is followed when it is next looked at.
      if (!existsSync(folder)) this.forget(folder);
      this.#changed(folder);
    }, QUIET_MS);
    this.#pending.set(folder, timer);
  }
}
