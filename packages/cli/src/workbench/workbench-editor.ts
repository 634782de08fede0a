import { dirname } from 'node:path';
import {
  type Abilities,
  type Editor,
  type EditorHost,
  type EditorInfo,
  type Notice,
  type OpenedFile,
  type OpenFileRequest,
  Refusal,
  type Review,
  Signal,
} from '@tandem/core';
import type { OpenDocument, SelectionRange, Tab, UpdateJson } from '@tandem/ui/protocol';
import { currentStamp, readFromDisk, sameStamp, writeToDisk } from './disk.ts';
import { WorkbenchDocument } from './document.ts';
import { Watcher } from './watcher.ts';

export interface Pushed {
  readonly path: string;
  readonly version: number;
  readonly updates: readonly UpdateJson[];
}

/** The browser as an editor. Documents live here, so that no page that closes takes unsaved text with it. */
export class WorkbenchEditor implements Editor {
  readonly info: EditorInfo;
  readonly can: Abilities;
  readonly tabsChanged = new Signal<void>();
  readonly pushed = new Signal<Pushed>();
  readonly reset = new Signal<OpenDocument>();
  readonly reveal = new Signal<{ path: string; range?: SelectionRange }>();
  readonly told = new Signal<Notice>();
  readonly folderChanged = new Signal<string>();
  readonly #folders: readonly string[];
  readonly #documents = new Map<string, WorkbenchDocument>();
  readonly #watcher = new Watcher((folder) => this.#diskChanged(folder));
  #active: string | undefined;
  #host: EditorHost | undefined;

  constructor(name: string, folders: readonly string[], can: Partial<Abilities> = {}) {
    this.info = { name: 'workbench', displayName: name, pid: process.pid };
    this.can = { review: true, diagnostics: false, openFile: true, save: true, executeCode: false, ...can };
    this.#folders = folders;
  }

  get tabs(): readonly Tab[] {
    return [...this.#documents.values()].map((document) => document.tab);
  }

  get active(): string | undefined {
    return this.#active;
  }

  start(host: EditorHost): void {
    this.#host = host;
    host.apply({ type: 'folders', folders: this.#folders });
  }

  stop(): void {
    this.#watcher.close();
    this.#host = undefined;
  }

  unsavedText(path: string): string | undefined {
    const document = this.#documents.get(path);
    return document?.dirty ? document.text : undefined;
  }

  async openFile(request: OpenFileRequest): Promise<OpenedFile> {
    const document = await this.open(request.path, request.preview);
    const { selection } = request;
    const range = selection && { anchor: document.offsetAt(selection.start), head: document.offsetAt(selection.end) };
    if (range) this.select(document.path, [range]);
    if (request.focus) this.focus(document.path);
    if (request.focus) this.reveal.emit({ path: document.path, ...(range ? { range } : {}) });
    return { path: document.path, language: document.language, lineCount: document.lineCount };
  }

  showReview(_review: Review): void {}

  updateReview(_review: Review): void {}

  closeReview(_review: Review): void {}

  tell(notice: Notice): void {
    this.told.emit(notice);
  }

  // What the pages do.

  /** Watches a folder that a page shows. */
  watch(folder: string): void {
    this.#watcher.follow(folder);
  }

  document(path: string): WorkbenchDocument {
    const document = this.#documents.get(path);
    if (!document) throw new Refusal(409, `${path} is not open`);
    return document;
  }

  async open(path: string, preview = false): Promise<WorkbenchDocument> {
    const known = this.#documents.get(path);
    if (known) {
      if (!preview) known.preview = false;
      return known;
    }
    const disk = await readFromDisk(path).catch((error: NodeJS.ErrnoException) => {
      throw new Refusal(409, error.code === 'ENOENT' ? `${path} does not exist` : error.message);
    });
    const meanwhile = this.#documents.get(path);
    if (meanwhile) return meanwhile;
    const document = new WorkbenchDocument(path, disk);
    document.preview = preview;
    if (preview) this.#replacePreview();
    this.#documents.set(path, document);
    this.#watcher.follow(dirname(path));
    if (document.note === undefined || document.text !== '') {
      this.#host?.apply({ type: 'opened', path, language: document.language });
    }
    this.tabsChanged.emit();
    return document;
  }

  close(path: string, discard: boolean): boolean {
    const document = this.#documents.get(path);
    if (!document) return true;
    if (document.dirty && !discard) return false;
    this.#documents.delete(path);
    if (this.#active === path) this.#active = undefined;
    this.#host?.apply({ type: 'closed', path });
    this.tabsChanged.emit();
    return true;
  }

  focus(path: string | undefined): void {
    if (path === this.#active) return;
    if (path !== undefined) this.document(path);
    this.#active = path;
    this.#host?.apply({ type: 'focused', path });
    this.tabsChanged.emit();
  }

  select(path: string, ranges: readonly SelectionRange[]): void {
    this.#host?.apply({ type: 'selected', path, selections: this.document(path).select(ranges) });
  }

  push(path: string, version: number, updates: readonly UpdateJson[]): boolean {
    const document = this.document(path);
    const wasDirty = document.dirty;
    const accepted = document.push(version, updates);
    if (!accepted) return false;
    this.#host?.apply({ type: 'changed', path, dirty: document.dirty, version: document.version });
    this.pushed.emit({ path, version, updates: accepted });
    if (document.dirty !== wasDirty) this.tabsChanged.emit();
    return true;
  }

  /** A page brings back text that this process never saw, because it was restarted. */
  async restore(path: string, text: string): Promise<WorkbenchDocument> {
    const document = await this.open(path);
    if (document.dirty && document.text !== text) throw new Refusal(409, `${path} has other unsaved changes`);
    document.replace(text);
    this.#changedWhole(document);
    return document;
  }

  async save(path: string, overwrite = false): Promise<boolean> {
    const document = this.#documents.get(path);
    if (!document) return false;
    if (document.readOnly) throw new Refusal(409, `${path} is read-only`);
    if (!overwrite) await this.#checkDisk(document);
    if (document.conflict === 'changed' && !overwrite) throw new Refusal(409, `${path} was changed on disk`);
    const snapshot = document.snapshot;
    const stamp = await writeToDisk(path, snapshot.toString(), document.format);
    document.saved(stamp, snapshot);
    this.#host?.apply({ type: 'changed', path, dirty: document.dirty, version: document.version });
    this.tabsChanged.emit();
    return true;
  }

  async reload(path: string): Promise<WorkbenchDocument> {
    const document = this.document(path);
    const disk = await readFromDisk(path).catch((error: Error) => {
      throw new Refusal(409, error.message);
    });
    if (disk.kind !== 'text') throw new Refusal(409, disk.note);
    document.reloaded(disk);
    this.#changedWhole(document);
    return document;
  }

  renamed(from: string, to: string): void {
    const document = this.#documents.get(from);
    if (!document) return;
    this.close(from, true);
    void this.restoreAfterRename(document, to);
  }

  async restoreAfterRename(old: WorkbenchDocument, to: string): Promise<void> {
    const document = await this.open(to);
    if (!old.dirty) return;
    document.replace(old.text);
    this.#changedWhole(document);
  }

  #changedWhole(document: WorkbenchDocument): void {
    const { path, dirty, version } = document;
    this.#host?.apply({ type: 'changed', path, dirty, version });
    this.reset.emit(document.open);
    this.tabsChanged.emit();
  }

  /** At most one preview: the next one takes its place. */
  #replacePreview(): void {
    for (const document of this.#documents.values()) {
      if (document.preview && !document.dirty) this.close(document.path, false);
    }
  }

  #diskChanged(folder: string): void {
    this.folderChanged.emit(folder);
    for (const document of this.#documents.values()) {
      if (dirname(document.path) !== folder) continue;
      this.#checkDisk(document).catch((error: Error) => this.tell({ level: 'warning', message: error.message }));
    }
  }

  /** A clean document follows the disk; a dirty one is marked, and the user decides. */
  async #checkDisk(document: WorkbenchDocument): Promise<void> {
    const stamp = await currentStamp(document.path);
    if (sameStamp(stamp, document.stamp)) return;
    if (stamp === undefined) return this.#mark(document, 'deleted');
    const disk = await readFromDisk(document.path).catch(() => undefined);
    if (disk?.kind !== 'text') return this.#mark(document, 'changed');
    if (disk.text === document.text) {
      document.saved(disk.stamp); // somebody wrote what is in the buffer already
      this.tabsChanged.emit();
    } else if (document.dirty) this.#mark(document, 'changed');
    else {
      document.reloaded(disk);
      this.#changedWhole(document);
    }
  }

  #mark(document: WorkbenchDocument, conflict: Tab['conflict']): void {
    if (document.conflict === conflict) return;
    document.conflict = conflict;
    this.tabsChanged.emit();
  }
}
