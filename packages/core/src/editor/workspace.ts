import { Signal } from '../signal.ts';
import { Debounce } from './debounce.ts';
import type { Diagnostic, Document, EditorEvent, Selection } from './model.ts';

const QUIET_MS = 50;
/** An editor with more tabs than this loses the ones that had no focus for longest. */
const MAX_DOCUMENTS = 1000;
/** Always the same, so that a reader sees that nothing changed. */
const NONE: readonly Selection[] = [];
const MAX_SELECTION_CHARACTERS = 1024 * 1024;

/** What the user sees: the neutral state that adapters feed and dialects read. */
export class Workspace {
  /** The state that agents are told about changed; debounced. */
  readonly changed = new Signal<void>();
  readonly foldersChanged = new Signal<readonly string[]>();
  readonly windowFocused = new Signal<void>();
  /** Not debounced: whoever waits for fresh results of one path listens here. */
  readonly diagnosed = new Signal<string>();

  #folders: readonly string[] = [];
  #active: string | undefined;
  #trusted: boolean | undefined;
  /** The document whose selection was last not empty, for "the latest selection, even if it lost the focus". */
  #latest: string | undefined;
  #lastStamp = 0;
  #revision = 0;
  /** By focus; made anew after a document changed. */
  #sorted: readonly Document[] | undefined;
  readonly #documents = new Map<string, Document>();
  readonly #selections = new Map<string, readonly Selection[]>();
  readonly #diagnostics = new Map<string, readonly Diagnostic[]>();
  readonly #debounce: Debounce;

  constructor(quietMs = QUIET_MS) {
    this.#debounce = new Debounce(quietMs, () => this.changed.emit());
  }

  get folders(): readonly string[] {
    return this.#folders;
  }

  /** Newest focus first. */
  get documents(): readonly Document[] {
    this.#sorted ??= [...this.#documents.values()].sort((a, b) => b.lastFocus - a.lastFocus);
    return this.#sorted;
  }

  get active(): Document | undefined {
    return this.#active === undefined ? undefined : this.#documents.get(this.#active);
  }

  get trusted(): boolean | undefined {
    return this.#trusted;
  }

  get latestSelectionPath(): string | undefined {
    return this.#latest;
  }

  document(path: string): Document | undefined {
    return this.#documents.get(path);
  }

  selections(path: string): readonly Selection[] {
    return this.#selections.get(path) ?? NONE;
  }

  diagnostics(path: string): readonly Diagnostic[] {
    return this.#diagnostics.get(path) ?? [];
  }

  get diagnosedPaths(): readonly string[] {
    return [...this.#diagnostics.keys()];
  }

  /** Grows with every event, so that a reader knows whether what it has is still true. */
  get revision(): number {
    return this.#revision;
  }

  apply(event: EditorEvent): void {
    this.#revision += 1;
    switch (event.type) {
      case 'folders':
        this.#folders = [...event.folders];
        this.foldersChanged.emit(this.#folders);
        break;
      case 'opened':
        this.#open(event.path, event.language, event.dirty ?? false, event.version ?? 0);
        break;
      case 'changed': {
        const document = this.#documents.get(event.path);
        if (!document) return;
        this.#put({ ...document, dirty: event.dirty, version: event.version });
        break;
      }
      case 'closed':
        this.#forget(event.path);
        break;
      case 'focused':
        this.#focus(event.path);
        break;
      case 'selected':
        if (!this.#documents.has(event.path)) return;
        this.#selections.set(event.path, event.selections.map(bounded));
        if (event.selections.some((selection) => selection.text !== '')) this.#latest = event.path;
        break;
      case 'diagnostics':
        if (event.diagnostics.length > 0) this.#diagnostics.set(event.path, event.diagnostics);
        else this.#diagnostics.delete(event.path);
        this.diagnosed.emit(event.path);
        return; // pulled by those who want it, so no news for the context
      case 'trust':
        this.#trusted = event.trusted;
        break;
      case 'window-focused':
        this.windowFocused.emit();
        return;
    }
    this.#debounce.poke();
  }

  /** No further event is emitted. */
  dispose(): void {
    this.#debounce.cancel();
  }

  #open(path: string, language: string, dirty: boolean, version: number): void {
    const lastFocus = this.#documents.get(path)?.lastFocus ?? 0;
    this.#put({ path, language, dirty, version, lastFocus });
    if (this.#documents.size > MAX_DOCUMENTS) {
      const oldest = this.documents.findLast((document) => document.path !== path && document.path !== this.#active);
      if (oldest) this.#forget(oldest.path);
    }
  }

  #focus(path: string | undefined): void {
    this.#active = path;
    const document = path === undefined ? undefined : this.#documents.get(path);
    if (document) this.#put({ ...document, lastFocus: this.#stamp() });
  }

  #put(document: Document): void {
    this.#documents.set(document.path, document);
    this.#sorted = undefined;
  }

  #forget(path: string): void {
    this.#sorted = undefined;
    this.#documents.delete(path);
    this.#selections.delete(path);
    if (this.#active === path) this.#active = undefined;
    if (this.#latest === path) this.#latest = undefined;
  }

  /** Agents sort by it, so two events in one millisecond must still differ. */
  #stamp(): number {
    this.#lastStamp = Math.max(Date.now(), this.#lastStamp + 1);
    return this.#lastStamp;
  }
}

function bounded(selection: Selection): Selection {
  if (selection.text.length <= MAX_SELECTION_CHARACTERS) return selection;
  return { ...selection, text: selection.text.slice(0, MAX_SELECTION_CHARACTERS) };
}
