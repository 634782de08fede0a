import { join } from 'node:path';
import type { DiscoveryFile } from '../dialects/port.ts';
import { MARK, type Mark, markOf } from './mark.ts';
import { ensurePrivateDirectory, readOwnJson, removeFile, writePrivateFile } from './safe-files.ts';
import { sweep } from './stale.ts';

/** Writes, rewrites and takes back the discovery files of one dialect. */
export class Publisher {
  readonly #mark: Mark;
  #files: readonly DiscoveryFile[] = [];

  constructor(mark: Mark) {
    this.#mark = mark;
  }

  get paths(): readonly string[] {
    return this.#files.map(pathOf);
  }

  /** All or none: a dialect whose files cannot be written is not half published. */
  publish(files: readonly DiscoveryFile[]): void {
    const old = this.paths;
    try {
      for (const file of files) this.#write(file);
    } catch (error) {
      for (const path of [...old, ...files.map(pathOf)]) this.#remove(path);
      this.#files = [];
      throw error;
    }
    this.#files = files;
    const current = new Set(this.paths);
    for (const path of old) if (!current.has(path)) this.#remove(path);
  }

  /** For agents that take the newest file: this window is the newest again. */
  touch(): void {
    for (const file of this.#files) if (file.newestWins) this.#write(file);
  }

  /** Clears away what dead companions left beside our files. */
  async sweep(): Promise<void> {
    const directories = new Set(this.#files.map((file) => join(file.base, ...file.folders)));
    for (const directory of directories) await sweep(directory, this.#mark.pid);
  }

  withdraw(): void {
    for (const path of this.paths) this.#remove(path);
    this.#files = [];
  }

  #write(file: DiscoveryFile): void {
    const directory = ensurePrivateDirectory(file.base, file.folders);
    writePrivateFile(directory, file.name, { ...file.content, [MARK]: this.#mark });
  }

  /** A companion that came after us may have taken the name. */
  #remove(path: string): void {
    if (markOf(readOwnJson(path))?.pid === this.#mark.pid) removeFile(path);
  }
}

function pathOf(file: DiscoveryFile): string {
  return join(file.base, ...file.folders, file.name);
}
