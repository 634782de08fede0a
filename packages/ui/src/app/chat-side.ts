import { computed, signal } from '@preact/signals';
import type { ChatSummary, PanelTell } from '../chat/protocol.ts';
import { t } from '../l10n/t.ts';
import { remembered } from './settings.ts';
import type { Store } from './store.ts';

/** The column of the chat: whether it is there. What is in it loads when it is first shown. */
export class ChatSide {
  readonly width = remembered('tandem-chat-width', 420, (value) => typeof value === 'number');
  readonly waiting = computed(() => this.#store.shell.value.chats.reduce((sum, chat) => sum + chat.asks, 0));
  /** What the panel hears, once there is one. */
  ontell: (tell: PanelTell) => void = () => {};
  /** The conversation that is to be in front. */
  readonly front = signal<string | undefined>(undefined);
  readonly #wanted = remembered('tandem-chat', false, (value) => typeof value === 'boolean');
  /** In a narrow window it covers the rest, so it opens only when asked for. */
  readonly #narrow = signal(false);
  readonly shown = computed(() => (this.#store.narrow.value ? this.#narrow.value : this.#wanted.value));
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  show(shown: boolean): void {
    if (this.#store.narrow.value) {
      this.#narrow.value = shown;
      if (shown) this.#store.narrowSidebar.value = false;
    } else this.#wanted.value = shown;
  }

  /** Opens it and goes to what waits, or to the field; pressed there, it closes and the text has the keyboard again. */
  toggle(): void {
    const card = document.querySelector('#chat .ask');
    const there = card ? card.contains(document.activeElement) : inChat();
    if (this.shown.value && there) {
      this.show(false);
      return this.#store.focusMain();
    }
    this.show(true);
    this.focus();
  }

  /** To what waits for an answer, else to the field; the panel may have to load first. */
  focus(tries = 60): void {
    const side = document.getElementById('chat');
    const likely = ['[data-answer]', '.composer textarea', '.pick', '.chat button'];
    const first = likely.map((each) => side?.querySelector<HTMLElement>(each)).find((found) => found);
    if (first) first.focus();
    else if (tries > 0) requestAnimationFrame(() => this.focus(tries - 1));
  }

  /** Somebody asks while nobody looks: said, and nothing is opened by itself. */
  announce(before: readonly ChatSummary[], now: readonly ChatSummary[]): void {
    for (const chat of now) {
      const asked = before.find(({ id }) => id === chat.id)?.asks ?? 0;
      if (chat.asks <= asked) continue;
      const message = t('{0} waits for your answer.', chat.agentName);
      if (document.hidden && 'Notification' in window && Notification.permission === 'granted')
        new Notification('Tandem', { body: message, tag: `chat-${chat.id}` });
      if (this.shown.value) continue;
      this.#store.toast('info', message, {
        label: t('Show'),
        run: () => {
          this.show(true);
          this.focus();
        },
      });
    }
  }
}

export function inChat(): boolean {
  return document.getElementById('chat')?.contains(document.activeElement) ?? false;
}
