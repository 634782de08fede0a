import { signal } from '@preact/signals';
import { heard, t } from '../l10n/t.ts';
import { nameOf } from '../paths.ts';
import type { Tell } from '../protocol.ts';
import type { Store } from './store.ts';

/** What is left of the user's notes on a review. */
export interface NotesLeft {
  /** For the agent. */
  readonly prompt?: string;
  /** The conversation it came from. */
  readonly chat?: string;
}

/** A review that is over, where there is something left to say of it. */
export interface ClosedReview extends NotesLeft {
  readonly path: string;
  readonly agentName: string;
  readonly how: string;
  /** The user's own version, which the decision left out. */
  readonly text?: string;
}

/** How reviews come, are shown one after the other, and go. */
export class Reviews {
  readonly amended = signal<{ id: string; text: string } | undefined>(undefined);
  /** Of reviews that wait and have notes of this window: what to say when somebody else decides. */
  readonly noted = new Map<string, (path: string) => NotesLeft>();
  /** The review that takes the keyboard when it is shown, because the user asked for it. */
  readonly wanted = signal<string | undefined>(undefined);
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** By the user's own doing, so it may take the keyboard. */
  show(id: string): void {
    this.wanted.value = id;
    this.#store.main.value = { kind: 'review', id };
    this.#store.narrowSidebar.value = false;
  }

  /** The next or previous review in the list, round about. */
  step(by: 1 | -1): void {
    const { reviews } = this.#store.shell.value;
    if (reviews.length === 0) return;
    const main = this.#store.main.value;
    const at = main.kind === 'review' ? reviews.findIndex((review) => review.id === main.id) : by > 0 ? -1 : 0;
    const next = reviews[(at + by + reviews.length) % reviews.length];
    if (next) this.show(next.id);
  }

  /** Never takes the focus: a badge, the title, a line that a screen reader says, and a notification if wanted. */
  announce(id: string, message: string): void {
    const idle = this.#store.main.value.kind === 'document' && this.#store.active.value === undefined;
    if (idle && !this.#store.isTyping) this.#store.main.value = { kind: 'review', id };
    else this.#store.toast('info', message, { label: t('Show'), run: () => this.show(id) });
    if (document.hidden && 'Notification' in window && Notification.permission === 'granted') {
      new Notification('Tandem', { body: message, tag: `review-${id}` });
    }
  }

  decided(message: Extract<Tell, { tell: 'decided' }>): void {
    const { agentName, path, how } = message;
    const main = this.#store.main.value;
    const shown = main.kind === 'review' && main.id === message.id;
    const notes = this.noted.get(message.id)?.(path);
    this.noted.delete(message.id);
    if (message.here) {
      if (shown) this.#onward(message.id);
      return;
    }
    const { text } = message;
    const closed = { path, agentName, how, ...(text === undefined ? {} : { text }), ...notes };
    const show = () => {
      this.#store.main.value = { kind: 'closed', closed };
    };
    const action = notes?.prompt !== undefined && !shown ? { label: t('Show my notes'), run: show } : undefined;
    this.#store.toast('info', t('{0}, {1}: {2}', agentName, nameOf(path), heard(how)), action);
    // Not on to the next one by itself: a key that was meant for this one would decide that one.
    if (shown) show();
  }

  /** After a decision of the user's own: the next review, or back to the text. */
  #onward(id: string): void {
    const next = this.#store.shell.value.reviews.find((review) => review.id !== id);
    if (next) this.show(next.id);
    else this.#store.showDocument();
  }

  /** The window was loaded again, or the workbench, and the review that was shown is over. */
  leaveLost(): void {
    const main = this.#store.main.value;
    if (main.kind !== 'review' || this.#store.shell.value.reviews.some((review) => review.id === main.id)) return;
    this.#store.main.value = { kind: 'document' };
  }
}
