import { collab, getSyncedVersion, receiveUpdates, sendableUpdates } from '@codemirror/collab';
import { ChangeSet, EditorSelection, EditorState, type Extension, Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { OpenDocument, SelectionRange, Tab, UpdateJson } from '../protocol.ts';
import { editorExtensions, languageFor } from './editor-setup.ts';
import { deliverWords, type LastWords, leaveWords, onWordsLeft, toJson } from './last-words.ts';
import type { Store } from './store.ts';

interface Entry {
  readonly view: EditorView;
  readonly path: string;
  readonly readOnly: boolean;
  readonly note: string | undefined;
  pushing: Promise<void> | undefined;
  /** How many steps are on their way. */
  inFlight: number;
  selectionTimer: number | undefined;
}

/** The editors of this window, one for each open document; steps go to the workbench and come from other windows. */
export class Documents {
  readonly #store: Store;
  readonly #entries = new Map<string, Entry>();
  readonly #loading = new Set<string>();

  constructor(store: Store) {
    this.#store = store;
    onWordsLeft(() => void deliverWords(store.connection, store.shell.value.instance));
  }

  has(path: string): boolean {
    return this.#entries.has(path);
  }

  view(path: string): EditorView | undefined {
    return this.#entries.get(path)?.view;
  }

  note(path: string): string | undefined {
    return this.#entries.get(path)?.note;
  }

  /** Whether there is text that is not on disk. */
  get unsaved(): boolean {
    const typed = [...this.#entries.values()].some((entry) => sendableUpdates(entry.view.state).length > 0);
    return typed || this.#store.shell.value.tabs.some((tab) => tab.dirty);
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
    const selection = EditorSelection.range(Math.min(anchor, max), Math.min(head, max));
    view.dispatch({ selection, effects: EditorView.scrollIntoView(selection, { y: 'center' }) });
  }

  /** Closes what has no tab any more, and fetches unsaved text of other windows, in case the workbench dies with it. */
  follow(tabs: readonly Tab[]): void {
    const open = new Set(tabs.map((tab) => tab.path));
    for (const [path, entry] of this.#entries) {
      if (open.has(path)) continue;
      clearTimeout(entry.selectionTimer);
      entry.view.destroy();
      this.#entries.delete(path);
    }
    for (const tab of tabs) if (tab.dirty && !this.#entries.has(tab.path)) void this.#fetch(tab.path);
  }

  async #fetch(path: string): Promise<void> {
    if (this.#loading.has(path)) return;
    this.#loading.add(path);
    const document = await this.#store.connection.ask('open', { path, preview: true }).catch(() => undefined);
    this.#loading.delete(path);
    if (document) this.show(document);
  }

  receive(path: string, version: number, updates: readonly UpdateJson[]): void {
    const entry = this.#entries.get(path);
    if (!entry) return;
    const synced = getSyncedVersion(entry.view.state);
    if (version + updates.length <= synced) return; // known already
    if (version > synced) return void this.#catchUp(entry).catch(() => {});
    const fresh = updates.slice(synced - version);
    const steps = fresh.map(({ clientID, changes }) => ({ clientID, changes: ChangeSet.fromJSON(changes) }));
    entry.view.dispatch(receiveUpdates(entry.view.state, steps));
    this.#push(entry);
  }

  /** Everything typed so far is with the workbench. */
  async flush(path: string): Promise<void> {
    const entry = this.#entries.get(path);
    if (!entry) return;
    this.#push(entry);
    while (entry.pushing !== undefined) await entry.pushing;
  }

  /** The page goes away and cannot wait for answers: the rest is sent on top of what is under way. */
  flushAtOnce(): void {
    const { instance } = this.#store.shell.value;
    const left: LastWords[] = [];
    for (const entry of this.#entries.values()) {
      const { path, inFlight } = entry;
      const version = getSyncedVersion(entry.view.state);
      const updates = sendableUpdates(entry.view.state).map(toJson);
      const push = { path, version: version + inFlight, updates: updates.slice(inFlight) };
      if (push.updates.length > 0) this.#store.connection.ask('push', push).catch(() => {});
      if (entry.selectionTimer !== undefined) void this.#askSelection(entry, version + updates.length);
      if (updates.length > 0) left.push({ instance, path, version, updates, ranges: rangesOf(entry.view) });
    }
    leaveWords(left);
  }

  async flushAll(): Promise<void> {
    for (const path of this.#entries.keys()) await this.flush(path);
  }

  /** After the connection came back: the workbench may be another one, which never saw what was typed here. */
  async comeBack(): Promise<void> {
    const before = this.#store.shell.value;
    await null; // the new shell is heard of first
    const { shell, active } = this.#store;
    const same = before.instance === shell.value.instance;
    await deliverWords(this.#store.connection, shell.value.instance);
    for (const tab of before.tabs) {
      const entry = this.#entries.get(tab.path);
      const work = same ? entry && this.#catchUp(entry) : this.#rejoin(tab, entry);
      await work?.catch((error: Error) => this.#store.toast('error', error.message));
    }
    const front = active.value ?? shell.value.active ?? shell.value.tabs.at(-1)?.path;
    if (front !== undefined) await this.#store.resume(front, before.instance === '');
  }

  /** To a workbench that was started anew. */
  async #rejoin(tab: Tab, entry: Entry | undefined): Promise<void> {
    const { path, preview, disk } = tab;
    const { connection } = this.#store;
    if (!entry) return void (await connection.ask('open', { path, preview }));
    const unsent = sendableUpdates(entry.view.state).length > 0;
    if (entry.readOnly || !(tab.dirty || unsent))
      return this.#adopt(entry, await connection.ask('open', { path, preview }));
    const mine = entry.view.state.doc.toString();
    try {
      this.#adopt(entry, await connection.ask('restore', { path, text: mine, disk }));
    } catch {
      // Another window was quicker, with another text; what it never saw of ours goes on top.
      this.#adopt(entry, await connection.ask('open', { path }));
      if (unsent) replaceWith(entry.view, mine);
    }
  }

  /** To the same workbench: what was missed comes first, then what was typed meanwhile. */
  async #catchUp(entry: Entry): Promise<void> {
    const version = getSyncedVersion(entry.view.state);
    const { updates } = await this.#store.connection.ask('since', { path: entry.path, version });
    if (!updates) return this.#refetch(entry);
    this.receive(entry.path, version, updates);
    this.#push(entry);
  }

  /** This window is behind further than it can catch up: takes the text as it is, and its own typing on top. */
  async #refetch(entry: Entry): Promise<void> {
    const unsent = sendableUpdates(entry.view.state).length > 0;
    const mine = entry.view.state.doc.toString();
    this.#adopt(entry, await this.#store.connection.ask('open', { path: entry.path, preview: true }));
    if (unsent && !entry.readOnly) replaceWith(entry.view, mine);
  }

  #adopt(entry: Entry, document: OpenDocument): void {
    const { ranges } = entry.view.state.selection;
    entry.view.setState(this.#state({ ...document, ranges: ranges.map(({ anchor, head }) => ({ anchor, head })) }));
    this.#colour(entry.view, document);
  }

  #create(document: OpenDocument): void {
    const view = new EditorView({ state: this.#state(document) });
    const { path, readOnly, note } = document;
    this.#entries.set(path, { view, path, readOnly, note, pushing: undefined, inFlight: 0, selectionTimer: undefined });
    this.#colour(view, document);
  }

  #colour(view: EditorView, { path, language, readOnly }: OpenDocument): void {
    if (readOnly) return; // too large to be worth it
    void languageFor(language).then((apply) => this.#entries.get(path)?.view === view && apply?.(view));
  }

  #state(document: OpenDocument): EditorState {
    const doc = Text.of(document.text.split('\n'));
    const listener = EditorView.updateListener.of((update) => {
      const entry = this.#entries.get(document.path);
      if (!entry) return;
      if (update.docChanged) this.#push(entry);
      if (update.selectionSet || update.docChanged || update.focusChanged) this.tellSelection(entry.path);
    });
    const extensions: Extension[] = [
      editorExtensions(this.#store, document),
      listener,
      collab({ startVersion: document.version }),
    ];
    return EditorState.create({ doc, extensions, selection: selectionOf(document.ranges, doc.length) });
  }

  /** One push at a time; what is typed meanwhile goes with the next. */
  #push(entry: Entry): void {
    const updates = sendableUpdates(entry.view.state);
    if (updates.length === 0 || entry.pushing || !this.#store.connection.connected) return;
    const input = {
      path: entry.path,
      version: getSyncedVersion(entry.view.state),
      updates: updates.map(toJson),
    };
    let failed = false;
    entry.inFlight = updates.length;
    entry.pushing = this.#store.connection
      .ask('push', input)
      .then(({ accepted }) => {
        // The steps come back to all windows, this one included, and count as confirmed then. So do those of another
        // window that was quicker; ours are moved over them and sent again.
        if (accepted) this.receive(entry.path, input.version, input.updates);
        else if (getSyncedVersion(entry.view.state) === input.version) return this.#catchUp(entry);
      })
      .catch(() => {
        failed = true; // they go when the connection is back, or with the next key
      })
      .finally(() => {
        entry.pushing = undefined;
        entry.inFlight = 0;
        if (!failed) this.#push(entry);
      });
  }

  tellSelection(path: string): void {
    const entry = this.#entries.get(path);
    if (!entry || this.#store.active.value !== path) return;
    const { main } = entry.view.state.selection;
    const line = entry.view.state.doc.lineAt(main.head);
    this.#store.caret.value = `${line.number}:${main.head - line.from + 1}`;
    clearTimeout(entry.selectionTimer);
    entry.selectionTimer = window.setTimeout(() => void this.#sendSelection(entry), 20);
  }

  async #sendSelection(entry: Entry): Promise<void> {
    const timer = entry.selectionTimer;
    await this.flush(entry.path);
    if (entry.selectionTimer === timer) entry.selectionTimer = undefined;
    if (this.#store.connection.connected) await this.#askSelection(entry, getSyncedVersion(entry.view.state));
  }

  async #askSelection(entry: Entry, version: number): Promise<void> {
    const input = { path: entry.path, version, ranges: rangesOf(entry.view) };
    await this.#store.connection.ask('select', input).catch(() => {});
  }
}

/** The main one first, as agents want it. */
function rangesOf(view: EditorView): SelectionRange[] {
  const { ranges, mainIndex } = view.state.selection;
  const sorted = [...ranges.slice(mainIndex), ...ranges.slice(0, mainIndex)];
  return sorted.map(({ anchor, head }) => ({ anchor, head }));
}

function selectionOf(ranges: readonly SelectionRange[], length: number): EditorSelection {
  const clamp = (offset: number) => Math.min(offset, length);
  const carets = ranges.map(({ anchor, head }) => EditorSelection.range(clamp(anchor), clamp(head)));
  return carets.length > 0 ? EditorSelection.create(carets) : EditorSelection.single(0);
}

/** The smallest change that makes it so, so that carets of others stay. */
function replaceWith(view: EditorView, text: string): void {
  const old = view.state.doc.toString();
  let from = 0;
  while (from < old.length && from < text.length && old[from] === text[from]) from += 1;
  let end = 0;
  const most = Math.min(old.length, text.length) - from;
  while (end < most && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
  // As lines, so that no lone carriage return becomes one.
  const insert = Text.of(text.slice(from, text.length - end).split('\n'));
  view.dispatch({ changes: { from, to: old.length - end, insert } });
}
