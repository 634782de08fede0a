import { writeFile } from 'node:fs/promises';
import { requireTextFile } from './before.ts';
import type { Outcome } from './desk.ts';
import { languageOf } from './languages.ts';
import type { Range, Selection } from './model.ts';
import type {
  Abilities,
  CodeOutput,
  CodeRunner,
  Editor,
  EditorHost,
  EditorInfo,
  Notice,
  OpenedFile,
  OpenFileRequest,
} from './port.ts';
import type { Review } from './review.ts';
import { lineCount, textIn } from './text.ts';

interface Buffer {
  text: string;
  saved: string;
  version: number;
}

/** A complete editor without a screen: the tests use it, and faces that have no documents of their own build on it. */
export class MemoryEditor implements Editor {
  readonly info: EditorInfo;
  readonly can: Abilities;
  readonly shown = new Map<string, Review>();
  readonly closed: Review[] = [];
  readonly notices: Notice[] = [];
  readonly #buffers = new Map<string, Buffer>();
  readonly #folders: string[];
  readonly #runner: CodeRunner | undefined;
  #active: string | undefined;
  #host: EditorHost | undefined;

  constructor(options: {
    folders: readonly string[];
    info?: Partial<EditorInfo>;
    can?: Partial<Abilities>;
    /** Ends with the editor. */
    runner?: CodeRunner;
  }) {
    this.#runner = options.runner;
    this.#folders = [...options.folders];
    this.info = { name: 'memory', displayName: 'Memory', pid: process.pid, ...options.info };
    this.can = {
      review: true,
      diagnostics: true,
      openFile: true,
      save: true,
      executeCode: options.runner !== undefined,
      ...options.can,
    };
  }

  get host(): EditorHost {
    if (!this.#host) throw new Error('the editor is not started');
    return this.#host;
  }

  start(host: EditorHost): void {
    this.#host = host;
    host.apply({ type: 'folders', folders: this.#folders });
    for (const [path, buffer] of this.#buffers) {
      const dirty = buffer.text !== buffer.saved;
      host.apply({ type: 'opened', path, language: languageOf(path), dirty, version: buffer.version });
    }
    host.apply({ type: 'focused', path: this.#active });
  }

  async stop(): Promise<void> {
    this.#host = undefined;
    await this.#runner?.dispose();
  }

  unsavedText(path: string): string | undefined {
    const buffer = this.#buffers.get(path);
    return buffer && buffer.text !== buffer.saved ? buffer.text : undefined;
  }

  async openFile(request: OpenFileRequest): Promise<OpenedFile> {
    const buffer = this.#buffers.get(request.path) ?? (await this.#load(request.path));
    if (request.focus) this.focus(request.path);
    if (request.selection) this.select(request.path, [request.selection]);
    return { path: request.path, language: languageOf(request.path), lineCount: lineCount(buffer.text) };
  }

  async save(path: string): Promise<boolean> {
    const buffer = this.#buffers.get(path);
    if (!buffer) return false;
    await writeFile(path, buffer.text);
    buffer.saved = buffer.text;
    this.host.apply({ type: 'changed', path, dirty: false, version: buffer.version });
    return true;
  }

  async write(path: string, text: string): Promise<void> {
    await writeFile(path, text);
    const buffer = this.#buffers.get(path);
    if (!buffer) return;
    buffer.text = text;
    buffer.saved = text;
    buffer.version += 1;
    this.host.apply({ type: 'changed', path, dirty: false, version: buffer.version });
  }

  async executeCode(code: string, signal: AbortSignal): Promise<readonly CodeOutput[]> {
    if (!this.#runner) throw new Error('this editor cannot run code');
    return this.#runner.execute(code, signal);
  }

  showReview(review: Review): void {
    this.shown.set(review.id, review);
  }

  updateReview(review: Review): void {
    this.shown.set(review.id, review);
  }

  closeReview(review: Review): void {
    this.shown.delete(review.id);
    this.closed.push(review);
    if (this.closed.length > 100) this.closed.shift();
  }

  tell(notice: Notice): void {
    this.notices.push(notice);
    if (this.notices.length > 100) this.notices.shift();
  }

  // What a user does in it.

  focus(path: string | undefined): void {
    this.#active = path;
    this.host.apply({ type: 'focused', path });
  }

  /** Also fetches the selected text, as every editor can. */
  select(path: string, ranges: readonly Range[]): void {
    const text = this.#buffers.get(path)?.text ?? '';
    const selections: Selection[] = ranges.map((range) => ({ ...range, text: textIn(text, range) }));
    this.host.apply({ type: 'selected', path, selections });
  }

  type(path: string, text: string): void {
    const buffer = this.#buffers.get(path);
    if (!buffer) throw new Error(`${path} is not open`);
    buffer.text = text;
    buffer.version += 1;
    this.host.apply({ type: 'changed', path, dirty: text !== buffer.saved, version: buffer.version });
  }

  close(path: string): void {
    this.#buffers.delete(path);
    if (this.#active === path) this.#active = undefined;
    this.host.apply({ type: 'closed', path });
  }

  setFolders(folders: readonly string[]): void {
    this.#folders.splice(0, this.#folders.length, ...folders);
    this.host.apply({ type: 'folders', folders });
  }

  accept(reviewId: string, text?: string): Outcome {
    return this.host.decide(reviewId, { kind: 'accept', text: text ?? this.shown.get(reviewId)?.text ?? '' });
  }

  reject(reviewId: string): Outcome {
    return this.host.decide(reviewId, { kind: 'reject' });
  }

  async #load(path: string): Promise<Buffer> {
    const text = await requireTextFile(path);
    const buffer = { text, saved: text, version: 1 };
    this.#buffers.set(path, buffer);
    this.host.apply({ type: 'opened', path, language: languageOf(path), version: 1 });
    return buffer;
  }
}
