import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, resolve } from 'node:path';
import {
  type Abilities,
  type CodeOutput,
  type Decision,
  type Editor,
  type EditorHost,
  type EditorInfo,
  KernelOnDemand,
  type Notice,
  type OpenedFile,
  type OpenFileRequest,
  type Outcome,
  Refusal,
  type Review,
  resolveFolders,
  Signal,
} from '@tandem/core';
import type { SelectionRange } from '@tandem/ui/protocol';
import { Documents } from './documents.ts';
import { Files } from './files.ts';
import type { LanguageServers } from './language-servers/language-servers.ts';

/** The browser as an editor. */
export class WorkbenchEditor implements Editor {
  readonly info: EditorInfo;
  readonly can: Abilities;
  readonly reveal = new Signal<{ path: string; range?: SelectionRange }>();
  readonly told = new Signal<Notice>();
  /** Set before the start. */
  languageServers: LanguageServers | undefined;
  readonly reviewShown = new Signal<Review>();
  readonly reviewAmended = new Signal<Review>();
  readonly reviewClosed = new Signal<Review>();
  readonly files = new Files(() => this.folders);
  readonly documents = new Documents({
    files: this.files,
    apply: (event) => this.#host?.apply(event),
    tell: (notice) => this.tell(notice),
  });
  #folders: readonly string[];
  readonly #reviews = new Map<string, Review>();
  #host: EditorHost | undefined;

  /** Starts nothing before the first call. */
  readonly #kernel: KernelOnDemand;

  constructor(name: string, folders: readonly string[], can: Partial<Abilities> = {}) {
    this.info = { name: 'workbench', displayName: name, pid: process.pid };
    this.can = { review: true, diagnostics: false, openFile: true, save: true, executeCode: true, ...can };
    this.#kernel = new KernelOnDemand({ folders: () => this.#folders });
    this.#folders = folders;
  }

  /** Real paths. */
  get folders(): readonly string[] {
    return resolveFolders(this.#folders).real;
  }

  /** Those that wait, oldest first. */
  get reviews(): readonly Review[] {
    return [...this.#reviews.values()];
  }

  start(host: EditorHost): void {
    this.#host = this.languageServers?.follow(host) ?? host;
    this.#host.apply({ type: 'folders', folders: this.#folders });
  }

  async stop(): Promise<void> {
    this.documents.stop();
    this.#host = undefined;
    await this.languageServers?.stop();
    await this.#kernel.dispose();
  }

  unsavedText(path: string): string | undefined {
    const document = this.documents.find(path);
    return document?.dirty ? document.text : undefined;
  }

  async openFile(request: OpenFileRequest): Promise<OpenedFile> {
    const document = await this.documents.open(this.files.inside(resolve(request.path)), request.preview);
    const { selection } = request;
    const range = selection && { anchor: document.offsetAt(selection.start), head: document.offsetAt(selection.end) };
    if (range) this.documents.select(document.path, [range]);
    if (request.focus) this.documents.focus(document.path);
    if (request.focus) this.reveal.emit({ path: document.path, ...(range ? { range } : {}) });
    return { path: document.path, language: document.language, lineCount: document.lineCount };
  }

  executeCode(code: string, signal: AbortSignal): Promise<readonly CodeOutput[]> {
    return this.#kernel.execute(code, signal);
  }

  close(path: string, discard: boolean): boolean {
    return this.documents.close(path, discard);
  }

  save(path: string): Promise<boolean> {
    return this.documents.save(path);
  }

  /** The user's own version of what an agent proposed. Where the file is open, its tab has it too. */
  async write(path: string, text: string): Promise<void> {
    if (this.documents.find(path)) return this.documents.write(path, text);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  showReview(review: Review): void {
    this.#reviews.set(review.id, review);
    this.reviewShown.emit(review);
  }

  updateReview(review: Review): void {
    this.#reviews.set(review.id, review);
    this.reviewAmended.emit(review);
  }

  closeReview(review: Review): void {
    this.#reviews.delete(review.id);
    this.reviewClosed.emit(review);
  }

  tell(notice: Notice): void {
    this.told.emit(notice);
  }

  // What the pages do.

  review(id: string): Review {
    const review = this.#reviews.get(id);
    if (!review) throw new Refusal(409, 'this review is gone');
    return review;
  }

  amend(id: string, text: string): void {
    settled(this.#host?.amend(id, text));
  }

  decide(id: string, decision: Exclude<Decision, { kind: 'withdraw' }>): void {
    settled(this.#host?.decide(id, decision));
  }

  async addFolder(path: string): Promise<void> {
    const info = isAbsolute(path) ? await stat(path).catch(() => undefined) : undefined;
    if (!info?.isDirectory()) throw new Refusal(409, `${path} is not a folder; give its whole path`);
    if (resolveFolders([path]).real.includes(resolve('/'))) throw new Refusal(409, 'the whole disk is not a workspace');
    this.#folders = [...new Set([...this.#folders, resolve(path)])];
    this.#host?.apply({ type: 'folders', folders: this.#folders });
  }
}

function settled(outcome: Outcome | undefined): void {
  if (outcome?.ok !== true) throw new Refusal(409, outcome?.message ?? 'the workbench stops');
}
