import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { contains, Signal } from '@tandem/core';
import type { LanguageServerItem } from '@tandem/ui/protocol';
import { contentChange } from './change.ts';
import { type Capabilities, type Launch, ServerProcess } from './server-process.ts';
import { fromPublished, type Published } from './translate.ts';

/** Between two changes of one document; the first goes at once. */
const QUIET_MS = 120;
const REQUEST_MS = 5_000;
const BACKOFF_MS: readonly number[] = [500, 2_000, 8_000];
/** One that ran this long has earned its restarts back. */
const STABLE_MS = 60_000;
const INCREMENTAL = 2;

interface Synced {
  readonly language: string;
  read: () => string;
  version: number;
  /** What the server has; `undefined` before it was told. */
  sent: string | undefined;
  timer: NodeJS.Timeout | undefined;
  waiting: boolean;
}

/** One language server of one folder: keeps it running, and keeps it up to date. */
export class LanguageServer {
  readonly languages: readonly string[];
  readonly published = new Signal<Published>();
  readonly changed = new Signal<void>();
  /** It died; `again` says whether it comes back. */
  readonly died = new Signal<{ why: string; again: boolean }>();
  readonly #launch: Launch;
  readonly #backoff: readonly number[];
  readonly #documents = new Map<string, Synced>();
  #process: ServerProcess | undefined;
  #capabilities: Capabilities | undefined;
  #deaths = 0;
  #timer: NodeJS.Timeout | undefined;
  #state: 'starting' | 'running' | 'stopped' = 'starting';
  #why: string | undefined;

  constructor(launch: Launch, languages: readonly string[], backoff = BACKOFF_MS) {
    this.#launch = launch;
    this.languages = languages;
    this.#backoff = backoff;
    this.#start();
  }

  get item(): LanguageServerItem {
    return {
      name: basename(this.#launch.program),
      folder: this.#launch.folder,
      languages: this.languages,
      state: this.#state,
      ...(this.#why === undefined ? {} : { hint: this.#why }),
      ...(this.#capabilities === undefined ? {} : { capabilities: forPage(this.#capabilities) }),
    };
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get gone(): boolean {
    return this.#state === 'stopped';
  }

  open(path: string, language: string, read: () => string): void {
    const known = this.#documents.get(path);
    if (known) {
      known.read = read;
      return this.change(path);
    }
    const document: Synced = { language, read, version: 1, sent: undefined, timer: undefined, waiting: false };
    this.#documents.set(path, document);
    if (this.#capabilities) this.#tellOpen(path, document);
  }

  has(path: string): boolean {
    return this.#documents.has(path);
  }

  change(path: string): void {
    const document = this.#documents.get(path);
    if (!document) return;
    document.waiting = true;
    if (document.timer !== undefined) return;
    this.#tellChange(path, document);
    document.timer = setTimeout(() => {
      document.timer = undefined;
      if (document.waiting) this.change(path);
    }, QUIET_MS);
  }

  save(path: string): void {
    const document = this.#documents.get(path);
    if (!document || !this.#capabilities) return;
    this.#tellChange(path, document);
    this.#notify('textDocument/didSave', { textDocument: { uri: uriOf(path) } });
  }

  close(path: string): void {
    const document = this.#documents.get(path);
    if (!document) return;
    clearTimeout(document.timer);
    this.#documents.delete(path);
    if (document.sent !== undefined) this.#notify('textDocument/didClose', { textDocument: { uri: uriOf(path) } });
  }

  /** About one document, as it is now. */
  async request(path: string, method: string, params: object, signal?: AbortSignal): Promise<unknown> {
    const document = this.#documents.get(path);
    if (!document || !this.#process || !this.#capabilities) throw new Error('the language server is not running');
    this.#tellChange(path, document);
    const all = { ...params, textDocument: { uri: uriOf(path) } };
    return this.#process.rpc.request(method, all, REQUEST_MS, signal);
  }

  async stop(): Promise<void> {
    this.#state = 'stopped';
    clearTimeout(this.#timer);
    for (const { timer } of this.#documents.values()) clearTimeout(timer);
    this.#documents.clear();
    await this.#process?.stop();
  }

  #start(): void {
    const begun = Date.now();
    const run = new ServerProcess(this.#launch, (method, params) => this.#hear(method, params));
    this.#process = run;
    run.ready.then(
      (capabilities) => this.#running(run, capabilities),
      () => {}, // `ended` says why
    );
    void run.ended.then((why) => {
      this.#capabilities = undefined;
      if (why === undefined || this.#state === 'stopped') return;
      if (Date.now() - begun > STABLE_MS) this.#deaths = 0;
      this.#died(why);
    });
  }

  #running(run: ServerProcess, capabilities: Capabilities): void {
    if (run !== this.#process || this.#state === 'stopped') return;
    this.#capabilities = capabilities;
    this.#state = 'running';
    this.#why = undefined;
    for (const [path, document] of this.#documents) this.#tellOpen(path, document);
    this.changed.emit();
  }

  #died(why: string): void {
    const wait = this.#backoff[this.#deaths];
    this.#deaths += 1;
    this.#why = why;
    this.#state = wait === undefined ? 'stopped' : 'starting';
    if (wait !== undefined) this.#timer = setTimeout(() => this.#start(), wait);
    for (const document of this.#documents.values()) document.sent = undefined;
    this.died.emit({ why, again: wait !== undefined });
    this.changed.emit();
  }

  #hear(method: string, params: unknown): void {
    if (method !== 'textDocument/publishDiagnostics') return;
    const published = fromPublished(params);
    if (!published || !contains([this.#launch.folder], published.path)) return;
    const document = this.#documents.get(published.path);
    // Of a text that is no longer there; the next one is on its way.
    if (document && published.version !== undefined && published.version < document.version) return;
    this.published.emit(published);
  }

  #tellOpen(path: string, document: Synced): void {
    document.sent = document.read();
    const { language: languageId, version, sent: text } = document;
    this.#notify('textDocument/didOpen', { textDocument: { uri: uriOf(path), languageId, version, text } });
  }

  #tellChange(path: string, document: Synced): void {
    document.waiting = false;
    if (document.sent === undefined) return; // not open there yet: it gets the text of then
    const text = document.read();
    if (text === document.sent) return;
    const change = this.#incremental ? contentChange(document.sent, text) : { text };
    document.version += 1;
    document.sent = text;
    const textDocument = { uri: uriOf(path), version: document.version };
    this.#notify('textDocument/didChange', { textDocument, contentChanges: [change] });
  }

  get #incremental(): boolean {
    const sync = this.#capabilities?.textDocumentSync;
    const kind = typeof sync === 'object' ? (sync as { change?: unknown } | null)?.change : sync;
    return kind === INCREMENTAL;
  }

  #notify(method: string, params: object): void {
    this.#process?.rpc.notify(method, params);
  }
}

/** The rest is long, and no page asks for it. */
function forPage(all: Capabilities): Capabilities {
  const names = ['hover', 'completion', 'definition', 'references', 'signatureHelp', 'rename', 'documentFormatting'];
  const wanted = names.map((name) => `${name}Provider`);
  return Object.fromEntries(Object.entries(all).filter(([name]) => wanted.includes(name)));
}

function uriOf(path: string): string {
  return pathToFileURL(path).href;
}
