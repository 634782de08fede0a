import { dirname, sep } from 'node:path';
import { type EditorEvent, type Notice, Refusal, Signal } from '@tandem/core';
import type { SelectionRange, Tab, UpdateJson } from '@tandem/ui/protocol';
import { canEncode, currentStamp, type FromDisk, readFromDisk, sameStamp, writeToDisk } from './disk.ts';
import { WorkbenchDocument } from './document.ts';
import type { Files } from './files.ts';
import { Watcher } from './watcher.ts';

export interface Pushed {
  readonly path: string;
  readonly version: number;
  readonly updates: readonly UpdateJson[];
}

export interface DocumentsOptions {
  readonly files: Files;
  readonly apply: (event: EditorEvent) => void;
  readonly tell: (notice: Notice) => void;
}

/** What is open in the workbench. It lives here, so that no page that closes takes unsaved text with it. */
export class Documents {
  readonly tabsChanged = new Signal<void>();
  readonly pushed = new Signal<Pushed>();
  readonly moved = new Signal<{ from: string; to: string }>();
  readonly folderChanged = new Signal<string>();
  readonly #options: DocumentsOptions;
  readonly #documents = new Map<string, WorkbenchDocument>();
  readonly #watcher = new Watcher((folder) => this.#diskChanged(folder));
  /** Documents as `bringBack` left them. */
  readonly #drafts = new Set<string>();
  #active: string | undefined;
  #front: string | undefined;

  constructor(options: DocumentsOptions) {
    this.#options = options;
  }

  get tabs(): readonly Tab[] {
    return [...this.#documents.values()].map((document) => document.tab);
  }

  /** Documents whose text is not on disk. */
  get unsaved(): readonly { path: string; text: string; disk: string }[] {
    const dirty = [...this.#documents.values()].filter((document) => document.dirty);
    return dirty.map(({ path, text, tab }) => ({ path, text, disk: tab.disk }));
  }

  get active(): string | undefined {
    return this.#active;
  }

  /** The tab that was in front last; it stays so while no page is open. */
  get front(): string | undefined {
    return this.#front;
  }

  find(path: string): WorkbenchDocument | undefined {
    return this.#documents.get(path);
  }

  stop(): void {
    this.#watcher.close();
  }

  /** Watches a folder that a page shows. */
  watch(folder: string): void {
    this.#watcher.follow(folder);
  }

  /** Throws for one that is not open. */
  get(path: string): WorkbenchDocument {
    const document = this.#documents.get(path);
    if (!document) throw new Refusal(409, `${path} is not open`);
    return document;
  }

  async open(path: string, preview = false): Promise<WorkbenchDocument> {
    const known = this.#known(path, preview);
    if (known) return known;
    const disk = await this.#read(path).catch((error: NodeJS.ErrnoException) => {
      throw new Refusal(409, error.code === 'ENOENT' ? `${path} does not exist` : error.message);
    });
    return this.#known(path, preview) ?? this.#add(path, disk, preview);
  }

  async #read(path: string): Promise<FromDisk> {
    return readFromDisk(this.#options.files.inside(path));
  }

  #known(path: string, preview: boolean): WorkbenchDocument | undefined {
    const document = this.#documents.get(path);
    if (document && !preview) this.keep(path);
    return document;
  }

  #add(path: string, disk: FromDisk, preview: boolean): WorkbenchDocument {
    const document = new WorkbenchDocument(path, disk);
    document.preview = preview;
    if (preview) this.#replacePreview();
    this.#documents.set(path, document);
    this.#watcher.follow(dirname(path));
    if (document.note === undefined || document.text !== '') {
      this.#options.apply({ type: 'opened', path, language: document.language });
    }
    this.tabsChanged.emit();
    return document;
  }

  /** No longer a preview that the next one takes the place of. */
  keep(path: string): void {
    const document = this.get(path);
    if (!document.preview) return;
    document.preview = false;
    this.tabsChanged.emit();
  }

  close(path: string, discard: boolean): boolean {
    const document = this.#documents.get(path);
    if (!document) return true;
    if (document.dirty && !discard) return false;
    this.#documents.delete(path);
    if (this.#active === path) this.#active = undefined;
    if (this.#front === path) this.#front = undefined;
    this.#options.apply({ type: 'closed', path });
    this.tabsChanged.emit();
    return true;
  }

  focus(path: string | undefined): void {
    if (path === this.#active) return;
    if (path !== undefined) this.get(path);
    this.#active = path;
    this.#front = path ?? this.#front;
    this.#options.apply({ type: 'focused', path });
    this.tabsChanged.emit();
  }

  select(path: string, ranges: readonly SelectionRange[]): void {
    this.#options.apply({ type: 'selected', path, selections: this.get(path).select(ranges) });
  }

  push(path: string, version: number, updates: readonly UpdateJson[]): boolean {
    const document = this.get(path);
    const before = document.tab;
    const accepted = document.push(version, updates);
    if (!accepted) return false;
    this.#drafts.delete(path);
    this.#options.apply({ type: 'changed', path, dirty: document.dirty, version: document.version });
    this.pushed.emit({ path, version, updates: accepted });
    if (document.dirty !== before.dirty || before.preview) this.tabsChanged.emit();
    // The user took back what stood against the disk's text.
    if (document.conflict === 'changed' && !document.dirty) this.#check(document);
    return true;
  }

  /** A page brings back text that this process never saw, because it was restarted. `disk` is what it was based on. */
  async restore(path: string, text: string, disk: string): Promise<WorkbenchDocument> {
    const document = await this.#openOrMissing(path);
    const older = this.#drafts.delete(path); // what was written of it may lack the last keys
    if (document.dirty && document.text !== text && !older) throw new Refusal(409, `${path} has other unsaved changes`);
    if (document.readOnly) throw new Refusal(409, `${path} is read-only now`);
    const based = document.tab.disk === disk;
    this.#replaced(document, document.replace(text));
    if (!based && document.dirty && document.conflict === 'none') this.#mark(document, 'changed');
    return document;
  }

  /** Text that another process left. A page that still has it knows better. */
  async bringBack(path: string, text: string, disk: string | undefined): Promise<void> {
    const base = disk ?? (await this.#openOrMissing(path)).tab.disk;
    const document = await this.restore(path, text, base);
    if (document.dirty) this.#drafts.add(path);
  }

  async #openOrMissing(path: string): Promise<WorkbenchDocument> {
    if ((await currentStamp(path)) || this.#documents.has(path)) return this.open(path);
    const stamp = { mtimeMs: 0, size: 0, ino: 0 };
    const format = { encoding: 'utf8', lineEnding: '\n' } as const;
    const document = this.#add(path, { kind: 'text', text: '', format, stamp }, false);
    document.conflict = 'deleted';
    return document;
  }

  async save(path: string, overwrite = false): Promise<boolean> {
    const document = this.#documents.get(path);
    if (!document) return false;
    this.#options.files.inside(path); // a link may have been turned since
    if (document.readOnly) throw new Refusal(409, `${path} is read-only`);
    if (!overwrite) await this.#checkDisk(document);
    if (document.conflict === 'changed' && !overwrite) throw new Refusal(409, `${path} was changed on disk`);
    const snapshot = document.snapshot;
    const text = snapshot.toString();
    if (!canEncode(text, document.format.encoding)) {
      document.format = { ...document.format, encoding: 'utf8' };
      this.#options.tell({
        level: 'warning',
        message: `${path} is UTF-8 now: its old encoding has no place for what you typed.`,
      });
    }
    const stamp = await writeToDisk(path, text, document.format);
    document.saved(stamp, snapshot);
    document.preview = false;
    this.#options.apply({ type: 'changed', path, dirty: document.dirty, version: document.version });
    this.tabsChanged.emit();
    return true;
  }

  /** Puts a whole text in and saves it. */
  async write(path: string, text: string): Promise<void> {
    const document = this.get(path);
    if (document.readOnly) throw new Refusal(409, `${path} is read-only`);
    this.#replaced(document, document.replace(text.replaceAll('\r\n', '\n')));
    await this.save(path, true);
  }

  async reload(path: string): Promise<WorkbenchDocument> {
    const document = this.get(path);
    const disk = await this.#read(path).catch((error: Error) => {
      throw new Refusal(409, error.message);
    });
    if (disk.kind !== 'text') throw new Refusal(409, disk.note);
    this.#replaced(document, document.reloaded(disk));
    return document;
  }

  /** What no watch told of, for example on a network disk. */
  checkDisk(): void {
    for (const document of this.#documents.values()) this.#check(document);
  }

  /** A file or a folder has another name: open documents go with it, unsaved text and all. */
  renamed(from: string, to: string): void {
    const all = [...this.#documents.entries()];
    this.#documents.clear();
    for (const [path, document] of all) {
      const goes = path === from || path.startsWith(from + sep);
      const target = goes ? to + path.slice(from.length) : path;
      this.#documents.set(target, goes ? document.movedTo(target) : document);
      if (goes) this.#toldMoved(path, target);
    }
    this.tabsChanged.emit();
  }

  #toldMoved(from: string, to: string): void {
    const { language, dirty, version } = this.get(to);
    this.#watcher.follow(dirname(to));
    this.#options.apply({ type: 'closed', path: from });
    this.#options.apply({ type: 'opened', path: to, language, dirty, version });
    if (this.#front === from) this.#front = to;
    if (this.#active === from) {
      this.#active = to;
      this.#options.apply({ type: 'focused', path: to });
    }
    this.moved.emit({ from, to });
  }

  #replaced(document: WorkbenchDocument, updates: readonly UpdateJson[]): void {
    const { path, dirty, version } = document;
    this.#options.apply({ type: 'changed', path, dirty, version });
    if (updates.length > 0) this.pushed.emit({ path, version: version - updates.length, updates });
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
      if (dirname(document.path) === folder) this.#check(document);
    }
  }

  #check(document: WorkbenchDocument): void {
    this.#checkDisk(document).catch((error: Error) => this.#options.tell({ level: 'warning', message: error.message }));
  }

  /** A clean document follows the disk; a dirty one is marked, and the user decides. */
  async #checkDisk(document: WorkbenchDocument): Promise<void> {
    const stamp = await currentStamp(document.path);
    if (sameStamp(stamp, document.stamp)) return;
    if (stamp === undefined) return this.#mark(document, 'deleted');
    const disk = await this.#read(document.path).catch(() => undefined);
    if (this.#documents.get(document.path) !== document) return; // closed meanwhile
    if (disk?.kind !== 'text') return this.#mark(document, 'changed');
    if (disk.text === document.text) {
      document.saved(disk.stamp); // somebody wrote what is in the buffer already
      this.#replaced(document, []);
    } else if (document.dirty) this.#mark(document, 'changed');
    else this.#replaced(document, document.reloaded(disk));
  }

  #mark(document: WorkbenchDocument, conflict: Tab['conflict']): void {
    if (document.conflict === conflict) return;
    document.conflict = conflict;
    this.tabsChanged.emit();
  }
}
