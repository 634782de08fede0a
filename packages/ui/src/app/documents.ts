import { collab, getSyncedVersion, receiveUpdates, sendableUpdates } from '@codemirror/collab';
import { ChangeSet, EditorState, type Extension, Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { OpenDocument, SelectionRange, UpdateJson } from '../protocol.ts';
import { editorExtensions, languageFor } from './editor-setup.ts';
import type { Store } from './store.ts';

interface Entry {
  readonly view: EditorView;
  readonly path: string;
  readonly readOnly: boolean;
  readonly note: string | undefined;
  pushing: Promise<void> | undefined;
  selectionTimer: number | undefined;
}

/** The editors of this window, one for each open document; steps go to the workbench and come from other windows. */
export class Documents {
  readonly #store: Store;
  readonly #entries = new Map<string, Entry>();

  constructor(store: Store) {
    this.#store = store;
  }

  view(path: string): EditorView | undefined {
    return this.#entries.get(path)?.view;
  }

  note(path: string): string | undefined {
    return this.#entries.get(path)?.note;
  }

  show(document: OpenDocument): void {
    if (!this.#entries.has(document.path)) this.#create(document);
  }

  focus(path: string): void {
    requestAnimationFrame(() => this.view(path)?.focus());
  }

  select(path: string, { anchor, head }: SelectionRange): void {
    const view = this.view(path);
    if (!view) return;
    const max = view.state.doc.length;
    view.dispatch({ selection: { anchor: Math.min(anchor, max), head: Math.min(head, max) }, scrollIntoView: true });
  }

  closeAllBut(paths: readonly string[]): void {
    for (const [path, entry] of this.#entries) {
      if (paths.includes(path)) continue;
      entry.view.destroy();
      this.#entries.delete(path);
    }
  }

  receive(path: string, version: number, updates: readonly UpdateJson[]): void {
    const entry = this.#entries.get(path);
    if (!entry) return;
    const synced = getSyncedVersion(entry.view.state);
    if (version + updates.length <= synced) return; // known already
    if (version > synced) return void this.#refetch(path);
    const fresh = updates.slice(synced - version);
    const steps = fresh.map(({ clientID, changes }) => ({ clientID, changes: ChangeSet.fromJSON(changes) }));
    entry.view.dispatch(receiveUpdates(entry.view.state, steps));
    this.#push(entry);
  }

  /** The workbench replaced the whole text. */
  reset(document: OpenDocument): void {
    const entry = this.#entries.get(document.path);
    if (entry) entry.view.setState(this.#state(document, entry.view.state.selection.main.head));
  }

  /** Everything typed so far is with the workbench. */
  async flush(path: string): Promise<void> {
    const entry = this.#entries.get(path);
    if (!entry) return;
    this.#push(entry);
    while (await entry.pushing) await entry.pushing;
  }

  /** After the connection came back: the workbench may be another one, which never saw what was typed here. */
  async comeBack(): Promise<void> {
    const dirty = new Set(this.#store.shell.value.tabs.filter((tab) => tab.dirty).map((tab) => tab.path));
    await null; // the new shell is heard of first
    for (const entry of [...this.#entries.values()]) await this.#rejoin(entry, dirty.has(entry.path)).catch(() => {});
    const { active, shell } = this.#store;
    const front = active.value ?? shell.value.active ?? shell.value.tabs.at(-1)?.path;
    if (front !== undefined) await this.#store.openFile(front);
  }

  async #rejoin(entry: Entry, dirty: boolean): Promise<void> {
    const mine = entry.view.state.doc.toString();
    const typed = dirty || sendableUpdates(entry.view.state).length > 0;
    const theirs = await this.#store.connection.ask('open', { path: entry.path });
    if (theirs.text === mine || !typed || entry.readOnly) return this.reset(theirs);
    if (theirs.dirty) {
      this.reset(theirs);
      this.#replaceWith(entry.view, mine);
      return;
    }
    this.reset(await this.#store.connection.ask('restore', { path: entry.path, text: mine }));
    this.#store.toast('info', `Unsaved text of ${entry.path} was kept.`);
  }

  #create(document: OpenDocument): void {
    const view = new EditorView({ state: this.#state(document, 0) });
    const { path, readOnly, note } = document;
    this.#entries.set(path, { view, path, readOnly, note, pushing: undefined, selectionTimer: undefined });
    void languageFor(document.language).then((language) => this.#entries.get(path)?.view === view && language?.(view));
  }

  #state(document: OpenDocument, caret: number): EditorState {
    const doc = Text.of(document.text.split('\n'));
    const listener = EditorView.updateListener.of((update) => {
      const entry = this.#entries.get(document.path);
      if (!entry) return;
      if (update.docChanged) this.#push(entry);
      if (update.selectionSet || update.docChanged || update.focusChanged) this.#tellSelection(entry);
    });
    const extensions: Extension[] = [
      editorExtensions(this.#store, document),
      listener,
      collab({ startVersion: document.version }),
    ];
    return EditorState.create({ doc, extensions, selection: { anchor: Math.min(caret, doc.length) } });
  }

  /** One push at a time; what is typed meanwhile goes with the next. */
  #push(entry: Entry): void {
    const updates = sendableUpdates(entry.view.state);
    if (updates.length === 0 || entry.pushing || this.#store.connection.state.value.kind !== 'connected') return;
    const input = {
      path: entry.path,
      version: getSyncedVersion(entry.view.state),
      updates: updates.map(({ clientID, changes }) => ({ clientID, changes: changes.toJSON() })),
    };
    entry.pushing = this.#store.connection
      .ask('push', input)
      .then(
        ({ accepted }) => {
          // The steps come back to all windows, this one included, and count as confirmed then.
          if (accepted) this.receive(entry.path, input.version, input.updates);
          else return this.#refetch(entry.path);
        },
        () => {}, // the connection is gone; they go when it is back
      )
      .finally(() => {
        entry.pushing = undefined;
        this.#push(entry);
      });
  }

  /** This window is behind further than it can catch up: takes the text as it is, and its own typing on top. */
  async #refetch(path: string): Promise<void> {
    const entry = this.#entries.get(path);
    if (!entry) return;
    const typed = sendableUpdates(entry.view.state).length > 0;
    const mine = entry.view.state.doc.toString();
    const document = await this.#store.connection.ask('open', { path });
    this.reset(document);
    if (typed && !document.readOnly) this.#replaceWith(entry.view, mine);
  }

  /** The smallest change that makes it so, so that carets of others stay. */
  #replaceWith(view: EditorView, text: string): void {
    const old = view.state.doc.toString();
    let from = 0;
    while (from < old.length && from < text.length && old[from] === text[from]) from += 1;
    let end = 0;
    const most = Math.min(old.length, text.length) - from;
    while (end < most && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
    view.dispatch({ changes: { from, to: old.length - end, insert: text.slice(from, text.length - end) } });
  }

  #tellSelection(entry: Entry): void {
    const { main } = entry.view.state.selection;
    const line = entry.view.state.doc.lineAt(main.head);
    this.#store.caret.value = `${line.number}:${main.head - line.from + 1}`;
    if (this.#store.active.value !== entry.path) return;
    clearTimeout(entry.selectionTimer);
    entry.selectionTimer = window.setTimeout(() => void this.#sendSelection(entry), 20);
  }

  async #sendSelection(entry: Entry): Promise<void> {
    await this.flush(entry.path);
    if (this.#store.connection.state.value.kind !== 'connected') return;
    const { ranges } = entry.view.state.selection;
    const version = getSyncedVersion(entry.view.state);
    const input = { path: entry.path, version, ranges: ranges.map(({ anchor, head }) => ({ anchor, head })) };
    await this.#store.connection.ask('select', input).catch(() => {});
  }
}
