import { computed, signal } from '@preact/signals';
import type { LedgerItem, Requests, Shell, Tell } from '../protocol.ts';
import { Connection } from './connection.ts';
import { Documents } from './documents.ts';

export type Panel = 'files' | 'reviews' | 'agents' | 'context';
export type MainView =
  | { readonly kind: 'document' }
  | { readonly kind: 'review'; readonly id: string }
  | { readonly kind: 'ledger' };

export interface Toast {
  readonly id: number;
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

const EMPTY: Shell = {
  name: 'Tandem',
  folders: [],
  tabs: [],
  agents: [],
  published: [],
  reviews: [],
  sharing: 'auto',
  deny: [],
  windows: 0,
};

const MAX_TOASTS = 4;
const TOAST_MS = 8000;

/** What the page shows, and what it can do. */
export class Store {
  readonly connection = new Connection();
  readonly shell = signal<Shell>(EMPTY);
  readonly panel = signal<Panel>('files');
  readonly sidebar = signal(window.innerWidth >= 720);
  readonly main = signal<MainView>({ kind: 'document' });
  /** The tab in front, in this window. */
  readonly active = signal<string | undefined>(undefined);
  readonly toasts = signal<readonly Toast[]>([]);
  readonly ledger = signal<readonly LedgerItem[]>([]);
  readonly caret = signal('');
  readonly showAll = signal(false);
  /** Grows when files below a folder changed on disk. */
  readonly folderRevision = signal<Readonly<Record<string, number>>>({});
  readonly amended = signal<{ id: string; text: string } | undefined>(undefined);
  readonly documents = new Documents(this);
  readonly waiting = computed(() => this.shell.value.reviews.length);
  #toast = 0;
  #rejoining = false;

  constructor() {
    this.connection.ontell = (message) => this.#hear(message);
    this.connection.onup = () => {
      this.#rejoining = true;
      void this.documents.comeBack().finally(() => {
        this.#rejoining = false;
        this.documents.closeAllBut(this.shell.value.tabs.map((tab) => tab.path));
      });
    };
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
    const toast = { id: this.#toast, level, message, ...(action ? { action } : {}) };
    this.toasts.value = [...this.toasts.value, toast].slice(-MAX_TOASTS);
    setTimeout(() => this.dismiss(toast.id), TOAST_MS);
  }

  dismiss(id: number): void {
    this.toasts.value = this.toasts.value.filter((toast) => toast.id !== id);
  }

  openPanel(panel: Panel): void {
    this.sidebar.value = !(this.sidebar.value && this.panel.value === panel);
    this.panel.value = panel;
  }

  showReview(id: string): void {
    this.main.value = { kind: 'review', id };
    if (window.innerWidth < 720) this.sidebar.value = false;
  }

  /** The next or previous review in the list, round about. */
  stepReview(by: 1 | -1): void {
    const { reviews } = this.shell.value;
    if (reviews.length === 0) return;
    const main = this.main.value;
    const at = main.kind === 'review' ? reviews.findIndex((review) => review.id === main.id) : -1;
    const next = reviews[(at + by + reviews.length) % reviews.length];
    if (next) this.showReview(next.id);
  }

  async openFile(path: string, preview = false): Promise<void> {
    const document = await this.ask('open', { path, preview });
    if (!document) return;
    this.documents.show(document);
    this.front(path);
    if (window.innerWidth < 720) this.sidebar.value = false;
  }

  /** Brings a tab to the front. */
  front(path: string): void {
    this.main.value = { kind: 'document' };
    this.active.value = path;
    this.documents.focus(path);
    void this.ask('focus', { path });
  }

  async closeTab(path: string, discard = false): Promise<void> {
    const answer = await this.ask('close', { path, discard });
    if (answer?.closed === false && window.confirm(`${path} has unsaved changes. Close it and lose them?`)) {
      await this.closeTab(path, true);
    }
  }

  async save(path: string, overwrite = false): Promise<void> {
    await this.documents.flush(path);
    const answer = await this.ask('save', { path, overwrite });
    if (!answer || answer.saved) return;
    this.toast('warning', `${path} was changed on disk. Nothing was written.`, {
      label: 'Overwrite',
      run: () => void this.save(path, true),
    });
  }

  #hear(message: Tell): void {
    switch (message.tell) {
      case 'shell':
        return this.#shell(message.shell);
      case 'updates':
        return this.documents.receive(message.path, message.version, message.updates);
      case 'reset':
        return this.documents.reset(message.document);
      case 'reveal':
        return void this.#reveal(message.path, message.range);
      case 'amended':
        this.amended.value = message;
        return;
      case 'decided':
        return this.#decided(message);
      case 'ledger':
        this.ledger.value = [...this.ledger.value, message.entry].slice(-500);
        return;
      case 'files':
        this.folderRevision.value = {
          ...this.folderRevision.value,
          [message.folder]: (this.folderRevision.value[message.folder] ?? 0) + 1,
        };
        return;
      case 'notice':
        return this.toast(message.level, message.message);
    }
  }

  #shell(shell: Shell): void {
    const known = new Set(this.shell.value.reviews.map((review) => review.id));
    const fresh = this.shell.value === EMPTY ? [] : shell.reviews.filter((review) => !known.has(review.id));
    this.shell.value = shell;
    // A workbench that was restarted does not know our tabs yet; what was typed in them goes first.
    if (!this.#rejoining) this.documents.closeAllBut(shell.tabs.map((tab) => tab.path));
    if (!this.#rejoining && this.active.value && !shell.tabs.some((tab) => tab.path === this.active.value))
      this.#afterClose();
    for (const review of fresh)
      this.#announce(review.id, `${review.agentName} proposes a change to ${nameOf(review.path)}`);
    document.title = `${shell.reviews.length > 0 ? `(${shell.reviews.length}) ` : ''}${nameOf(shell.folders[0] ?? '')} · Tandem`;
  }

  /** Never takes the focus: a badge, the title, a line that a screen reader says, and a notification if wanted. */
  #announce(id: string, message: string): void {
    const idle = this.main.value.kind === 'document' && this.active.value === undefined;
    if (idle) this.showReview(id);
    else this.toast('info', message, { label: 'Show', run: () => this.showReview(id) });
    if (document.hidden && 'Notification' in window && Notification.permission === 'granted') {
      new Notification('Tandem', { body: message, tag: `review-${id}` });
    }
  }

  #decided(message: Extract<Tell, { tell: 'decided' }>): void {
    const main = this.main.value;
    if (main.kind === 'review' && main.id === message.id) {
      const next = this.shell.value.reviews.find((review) => review.id !== message.id);
      this.main.value = next ? { kind: 'review', id: next.id } : { kind: 'document' };
    }
    if (message.elsewhere) this.toast('info', `${message.agentName}, ${nameOf(message.path)}: ${message.how}`);
  }

  /** An agent or a command opened a file: shown, unless the user is in the middle of something. */
  async #reveal(path: string, range: { anchor: number; head: number } | undefined): Promise<void> {
    const document = await this.ask('open', { path });
    if (!document) return;
    this.documents.show(document);
    this.main.value = { kind: 'document' };
    this.active.value = path;
    if (range) this.documents.select(path, range);
  }

  #afterClose(): void {
    const next = this.shell.value.tabs.at(-1)?.path;
    this.active.value = undefined;
    if (next) void this.openFile(next);
  }
}

export function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}
