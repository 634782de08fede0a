import { computed, signal } from '@preact/signals';
import { heard, t } from '../l10n/t.ts';
import { nameOf } from '../paths.ts';
import type { LedgerItem, Requests, SelectionRange, SharedItem, Shell, Tell } from '../protocol.ts';
import { ChatSide } from './chat-side.ts';
import { Connection } from './connection.ts';
import { Documents } from './documents.ts';
import { Problems } from './problems.ts';
import { type ClosedReview, Reviews } from './reviews.ts';
import { isNarrow, remembered } from './settings.ts';
import { TreeState } from './tree-state.ts';

export type Panel = 'files' | 'reviews' | 'agents' | 'context' | 'problems';
const PANELS: readonly unknown[] = ['files', 'reviews', 'agents', 'context', 'problems'];

export type MainView =
  | { readonly kind: 'document' }
  | { readonly kind: 'review'; readonly id: string }
  | { readonly kind: 'closed'; readonly closed: ClosedReview }
  | { readonly kind: 'ledger' };

export interface Toast {
  readonly id: number;
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** Something the user must answer before it goes on. */
export interface Question {
  readonly title: string;
  readonly text: string;
  readonly answers: readonly { readonly label: string; readonly main?: boolean; readonly run: () => void }[];
}

const EMPTY: Shell = {
  name: 'Tandem',
  instance: '',
  folders: [],
  tabs: [],
  agents: [],
  published: [],
  reviews: [],
  sharing: 'auto',
  deny: [],
  windows: 0,
  chats: [],
};

const MAX_TOASTS = 4;
const TOAST_MS = 8000;
const TYPING_MS = 20_000;

/** What the page shows, and what it can do. */
export class Store {
  readonly connection = new Connection();
  readonly shell = signal<Shell>(EMPTY);
  readonly panel = remembered<Panel>('tandem-panel', 'files', (value) => PANELS.includes(value));
  readonly wantsSidebar = remembered('tandem-sidebar', true, (value) => typeof value === 'boolean');
  readonly sidebarWidth = remembered('tandem-sidebar-width', 260, (value) => typeof value === 'number');
  /** In a narrow window the sidebar covers the rest, so it opens only when asked for. */
  readonly narrowSidebar = signal(false);
  readonly narrow = signal(isNarrow());
  readonly main = remembered<MainView>('tandem-main', { kind: 'document' }, isMain, sessionStorage);
  /** The tab in front, in this window. */
  readonly active = signal<string | undefined>(undefined);
  readonly toasts = signal<readonly Toast[]>([]);
  readonly question = signal<Question | undefined>(undefined);
  readonly overlay = signal<'none' | 'go to file' | 'help'>('none');
  readonly ledger = signal<readonly LedgerItem[]>([]);
  readonly shared = signal<readonly SharedItem[]>([]);
  readonly caret = signal('');
  /** Grows when files below a folder changed on disk. */
  readonly folderRevision = signal<Readonly<Record<string, number>>>({});
  readonly tree = new TreeState();
  readonly problems = new Problems(this.connection);
  readonly documents = new Documents(this);
  readonly reviews = new Reviews(this);
  readonly chat = new ChatSide(this);
  readonly waiting = computed(() => this.shell.value.reviews.length);
  readonly sidebar = computed(() => (this.narrow.value ? this.narrowSidebar.value : this.wantsSidebar.value));
  #toast = 0;
  #rejoining = false;
  #lastKey = 0;

  constructor() {
    this.connection.ontell = (message) => this.#hear(message);
    this.connection.onup = () => {
      this.#rejoining = true;
      void this.problems.fetch();
      void this.documents.comeBack().finally(() => {
        this.#rejoining = false;
        this.reviews.leaveLost();
      });
    };
    window.addEventListener('keydown', () => (this.#lastKey = Date.now()), true);
    window.addEventListener('resize', () => (this.narrow.value = isNarrow()));
    window.addEventListener('focus', () => {
      if (this.connection.connected) void this.connection.ask('check', {}).catch(() => {});
    });
    window.addEventListener('pagehide', () => this.documents.flushAtOnce());
    // While the workbench is away, this page alone has what was typed.
    window.addEventListener('beforeunload', (event) => {
      if (!this.connection.connected && this.documents.unsaved) event.preventDefault();
    });
  }

  /** Asks; what is refused is shown, and the promise is `undefined`. */
  async ask<Name extends keyof Requests>(
    name: Name,
    input: Requests[Name]['input'],
  ): Promise<Requests[Name]['output'] | undefined> {
    try {
      return await this.connection.ask(name, input);
    } catch (error) {
      this.toast('error', (error as Error).message);
      return undefined;
    }
  }

  toast(level: Toast['level'], message: string, action?: Toast['action']): void {
    this.#toast += 1;
    const toast = { id: this.#toast, level, message: heard(message), ...(action ? { action } : {}) };
    this.toasts.value = [...this.toasts.value, toast].slice(-MAX_TOASTS);
    setTimeout(() => this.dismiss(toast.id), TOAST_MS);
  }

  dismiss(id: number): void {
    this.toasts.value = this.toasts.value.filter((toast) => toast.id !== id);
  }

  showSidebar(shown: boolean): void {
    if (this.narrow.value) this.narrowSidebar.value = shown;
    else this.wantsSidebar.value = shown;
  }

  openPanel(panel: Panel): void {
    this.showSidebar(!(this.sidebar.value && this.panel.value === panel));
    this.panel.value = panel;
  }

  showLedger(): void {
    this.main.value = { kind: 'ledger' };
    this.narrowSidebar.value = false;
  }

  showDocument(): void {
    this.main.value = { kind: 'document' };
    this.focusMain();
  }

  focusMain(): void {
    if (this.active.value !== undefined) this.documents.focus(this.active.value);
  }

  async openFile(path: string, preview = false): Promise<void> {
    if (!(await this.#load(path, preview))) return;
    this.front(path);
    this.narrowSidebar.value = false;
  }

  async #load(path: string, preview: boolean): Promise<boolean> {
    if (this.documents.has(path)) {
      if (!preview) void this.ask('keep', { path });
      return true;
    }
    const document = await this.ask('open', { path, preview });
    if (document) this.documents.show(document);
    return document !== undefined;
  }

  /** Brings a tab to the front. */
  front(path: string, focus = true): void {
    this.main.value = { kind: 'document' };
    this.active.value = path;
    if (focus) this.documents.focus(path);
    void this.ask('focus', { path });
    this.documents.tellSelection(path);
  }

  /** The tab that was in front, after the page or the connection came back; takes the keyboard only on a fresh page. */
  async resume(path: string, fresh: boolean): Promise<void> {
    if (!(await this.#load(path, true))) return;
    this.active.value = path;
    if (fresh && this.main.value.kind === 'document') this.documents.focus(path);
    void this.ask('focus', { path });
    this.documents.tellSelection(path);
  }

  stepTab(by: 1 | -1): void {
    const { tabs } = this.shell.value;
    const at = tabs.findIndex((tab) => tab.path === this.active.value);
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (next) void this.openFile(next.path, next.preview);
  }

  async closeTab(path: string): Promise<void> {
    await this.documents.flush(path);
    const answer = await this.ask('close', { path, discard: false });
    if (answer?.closed !== false) return;
    this.question.value = {
      title: t('Save {0}?', nameOf(path)),
      text: t('It has changes that are not saved.'),
      answers: [
        { label: t('Save'), main: true, run: () => void this.#saveAndClose(path) },
        { label: t('Don’t save'), run: () => void this.ask('close', { path, discard: true }) },
        { label: t('Cancel'), run: () => {} },
      ],
    };
  }

  async #saveAndClose(path: string): Promise<void> {
    if (await this.save(path)) await this.closeTab(path);
  }

  async save(path: string, overwrite = false): Promise<boolean> {
    await this.documents.flush(path);
    const answer = await this.ask('save', { path, overwrite });
    if (!answer || answer.saved) return answer !== undefined;
    this.toast('warning', t('{0} was changed on disk. Nothing was written.', nameOf(path)));
    return false;
  }

  async copy(text: string): Promise<void> {
    await navigator.clipboard.writeText(text).then(
      () => this.toast('info', t('Copied.')),
      () => this.toast('warning', t('The browser does not let this page copy.')),
    );
  }

  #hear(message: Tell): void {
    switch (message.tell) {
      case 'shell':
        return this.#shell(message.shell);
      case 'updates':
        return this.documents.receive(message.path, message.version, message.updates);
      case 'moved':
        return void this.#moved(message.from, message.to);
      case 'reveal':
        return void this.#reveal(message.path, message.range);
      case 'amended':
        this.reviews.amended.value = message;
        return;
      case 'decided':
        return this.reviews.decided(message);
      case 'shared':
        this.shared.value = message.documents;
        return;
      case 'ledger':
        this.ledger.value = [...this.ledger.value, message.entry].slice(-500);
        return;
      case 'files':
        this.folderRevision.value = {
          ...this.folderRevision.value,
          [message.folder]: (this.folderRevision.value[message.folder] ?? 0) + 1,
        };
        return;
      case 'diagnostics':
      case 'language-servers':
        return this.problems.hear(message);
      case 'chat':
        return this.chat.ontell(message.chat);
      case 'notice':
        return this.toast(message.level, message.message);
    }
  }

  #shell(shell: Shell): void {
    const known = new Set(this.shell.value.reviews.map((review) => review.id));
    const first = this.shell.value.instance !== shell.instance;
    const chats = first ? shell.chats : this.shell.value.chats;
    const fresh = first ? [] : shell.reviews.filter((review) => !known.has(review.id));
    this.shell.value = shell;
    this.chat.announce(chats, shell.chats);
    document.title = `${shell.reviews.length > 0 ? `(${shell.reviews.length}) ` : ''}${nameOf(shell.folders[0] ?? '')} · Tandem`;
    for (const review of fresh)
      this.reviews.announce(review.id, t('{0} proposes a change to {1}', review.agentName, nameOf(review.path)));
    // A workbench that was restarted does not know our tabs yet; what was typed in them goes first.
    if (this.#rejoining) return;
    this.documents.follow(shell.tabs);
    if (this.active.value && !shell.tabs.some((tab) => tab.path === this.active.value)) this.#afterClose();
  }

  /** An agent or a command opened a file: shown, unless the user is in the middle of something. */
  async #reveal(path: string, range: SelectionRange | undefined): Promise<void> {
    const busy = this.isTyping || this.main.value.kind === 'review';
    if (!(await this.#load(path, true))) return;
    if (range) this.documents.select(path, range);
    if (!busy) return this.front(path, false);
    this.toast('info', t('{0} was opened for you.', nameOf(path)), { label: t('Show'), run: () => this.front(path) });
    if (this.active.value !== undefined) void this.ask('focus', { path: this.active.value });
  }

  /** The user is at work in a field: nothing may jump in. */
  get isTyping(): boolean {
    const at = document.activeElement;
    const field = at instanceof HTMLElement && (at.isContentEditable || at.matches('input, textarea'));
    return field && document.hasFocus() && Date.now() - this.#lastKey < TYPING_MS;
  }

  async #moved(from: string, to: string): Promise<void> {
    if (!this.documents.has(from)) return;
    const inFront = this.active.value === from;
    if (inFront) this.active.value = undefined;
    const document = await this.ask('open', { path: to });
    if (!document) return;
    this.documents.show(document);
    if (inFront) this.front(to, false);
  }

  #afterClose(): void {
    const next = this.shell.value.tabs.at(-1);
    this.active.value = undefined;
    if (next && this.main.value.kind === 'document') void this.openFile(next.path, next.preview);
  }
}

function isMain(value: unknown): boolean {
  const main = value as MainView | null;
  return main?.kind === 'ledger' || (main?.kind === 'review' && typeof main.id === 'string');
}
