import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  ensurePrivateDirectory,
  isAmended,
  type Places,
  Registry,
  readOwnJson,
  removeFile,
  writePrivateFile,
} from '@tandem/core';
import type { WorkbenchEditor } from './workbench-editor.ts';

/** Unsaved text as it lies on disk, for the eyes of its owner only. */
interface Draft {
  readonly path: string;
  readonly text: string;
  /** What the file on disk was when it was typed; `undefined` says it does not matter. */
  readonly disk?: string;
}

interface Written {
  readonly file: string;
  readonly text: string;
}

const MAX_BYTES = 128 * 1024 * 1024;
/** Text of this length is written less often: it is written whole. */
const LONG = 1_000_000;

/** Unsaved text outlives the process: it is written beside, and the next workbench of the same folder brings it back. */
export class Drafts {
  readonly #home: string;
  readonly #registry: Registry;
  readonly #editor: WorkbenchEditor;
  readonly #written = new Map<string, Written>();
  #timer: NodeJS.Timeout | undefined;
  #warned = false;
  #closed = false;

  constructor(places: Places, editor: WorkbenchEditor) {
    this.#home = places.env.TANDEM_HOME ? resolve(places.env.TANDEM_HOME) : join(places.home, '.tandem');
    this.#registry = new Registry(places);
    this.#editor = editor;
  }

  /** Brings back what a workbench that is gone has left, then follows the editor. */
  async start(): Promise<void> {
    const back: string[] = [];
    for (const { file, draft } of await this.#left()) {
      if (!(await this.#bringBack(draft))) continue; // it stays for a workbench that can
      removeFile(file);
      back.push(draft.path);
    }
    this.#write(); // under this process's name
    if (back.length > 0) {
      const message = `unsaved text from last time is back, not saved yet: ${back.join(', ')}`;
      this.#editor.tell({ level: 'info', message });
    }
    for (const signal of [this.#editor.documents.pushed, this.#editor.documents.tabsChanged])
      signal.on(() => this.#soon());
    for (const signal of [this.#editor.reviewAmended, this.#editor.reviewClosed]) signal.on(() => this.#soon());
  }

  /** The last word: what happens now, when reviews are answered because the companion stops, takes nothing away. */
  stop(): void {
    this.#write();
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #bringBack({ path, text, disk }: Draft): Promise<boolean> {
    try {
      await this.#editor.documents.bringBack(this.#editor.files.inside(path), text, disk);
      return true;
    } catch (error) {
      this.#editor.tell({ level: 'warning', message: `unsaved text of ${path} waits: ${(error as Error).message}` });
      return false;
    }
  }

  #soon(): void {
    if (this.#closed || this.#timer) return;
    const long = this.#unsaved().some(({ text }) => text.length > LONG);
    this.#timer = setTimeout(() => this.#write(), long ? 3000 : 300);
    this.#timer.unref();
  }

  /** Makes what is on disk the same as what is unsaved now. */
  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#closed) return;
    const unsaved = new Map(this.#unsaved().map((draft) => [draft.path, draft]));
    for (const [path, { file }] of this.#written) {
      if (unsaved.has(path)) continue;
      removeFile(file);
      this.#written.delete(path);
    }
    try {
      for (const draft of unsaved.values()) this.#writeOne(draft);
    } catch (error) {
      if (this.#warned) return;
      this.#warned = true;
      const message = `unsaved text is not kept for the next start: ${(error as Error).message}`;
      this.#editor.tell({ level: 'warning', message });
    }
  }

  #writeOne(draft: Draft): void {
    if (this.#written.get(draft.path)?.text === draft.text) return;
    const directory = ensurePrivateDirectory(this.#home, ['drafts', this.#place()]);
    const file = writePrivateFile(directory, `${digest(draft.path)}-${process.pid}.json`, draft);
    this.#written.set(draft.path, { file, text: draft.text });
  }

  /** Documents, and what the user typed into reviews that still wait. */
  #unsaved(): readonly Draft[] {
    const documents = this.#editor.documents.unsaved;
    const taken = new Set(documents.map(({ path }) => path));
    const reviews = this.#editor.reviews.filter((review) => isAmended(review) && !taken.has(review.path));
    return [...reviews.map(({ path, text }) => ({ path, text })), ...documents];
  }

  /** Those of workbenches that are gone; one that runs has its own. */
  async #left(): Promise<readonly { file: string; draft: Draft }[]> {
    const directory = join(this.#home, 'drafts', this.#place());
    let names: string[];
    try {
      names = readdirSync(directory);
    } catch {
      return [];
    }
    const running = new Set((await this.#registry.living()).map((record) => record.pid));
    running.delete(process.pid); // ours are not written yet; an earlier process had the same number
    return names.flatMap((name) => {
      const pid = Number(/^[0-9a-f]+-(\d+)\.json$/.exec(name)?.[1]);
      if (!pid || running.has(pid)) return [];
      const file = join(directory, name);
      const draft = readOwnJson(file, MAX_BYTES);
      return isDraft(draft) ? [{ file, draft }] : [];
    });
  }

  #place(): string {
    return digest(this.#editor.folders[0] ?? '');
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function isDraft(value: Record<string, unknown> | undefined): value is Record<string, unknown> & Draft {
  return typeof value?.path === 'string' && typeof value.text === 'string' && !value.path.includes('\0');
}
