import { type Signal, signal } from '@preact/signals';
import {
  applyAll,
  type ChatCommand,
  type ChatEvent,
  type ConnectionCapabilities,
  type Conversation,
} from '@tandem/chat/view';
import { t } from '../l10n/t.ts';
import type { ChatClient } from './client.ts';
import { Draft } from './draft.ts';
import type { ChatSnapshot } from './protocol.ts';
import type { Surroundings } from './surroundings.ts';

const TELL_MS = 150;

export interface Problem {
  readonly message: string;
}

/** One conversation in the panel: what is known of it, and what this window alone knows. */
export class OpenChat {
  readonly id: string;
  readonly agent: ChatSnapshot['agent'];
  readonly conversation: Signal<Conversation>;
  readonly capabilities: Signal<ConnectionCapabilities | undefined>;
  /** What went wrong with the last thing the user asked for. */
  readonly problem = signal<Problem | undefined>(undefined);
  /** What is shown over the list. */
  readonly view = signal<'talk' | 'history' | 'locality'>('talk');
  /** Folded or unfolded by hand; cards come and go while one scrolls. */
  readonly folds = new Map<string, boolean>();
  readonly draft: Draft;
  readonly around: Surroundings;
  readonly #client: ChatClient;
  #seq: number;
  #queued: ChatEvent[] = [];
  #telling: ReturnType<typeof setTimeout> | undefined;

  constructor(snapshot: ChatSnapshot, client: ChatClient) {
    this.id = snapshot.id;
    this.agent = snapshot.agent;
    this.conversation = signal(snapshot.conversation);
    this.capabilities = signal(snapshot.capabilities);
    this.around = client.around;
    // An editor may save a panel's memory late, so after a reload that can be of long ago.
    const kept = snapshot.conversation.connection.status === 'stopped' ? snapshot.draft : undefined;
    this.draft = new Draft(this.id, client.around.memory, kept, (text) => this.#tellDraft(text));
    this.#client = client;
    this.#seq = snapshot.seq;
  }

  get title(): string {
    const { title, items } = this.conversation.value;
    if (title) return title;
    const first = items.find((item) => item.type === 'message' && item.role === 'user');
    const words = first?.type === 'message' ? first.text.trim().split('\n', 1)[0]?.slice(0, 60) : '';
    return words || t('New conversation');
  }

  /** Whether something can be said: the agent is there, and has a session for it. */
  get ready(): boolean {
    const { connection, session } = this.conversation.value;
    return connection.status === 'connected' && session !== undefined;
  }

  /** Asks; what is refused is shown, and the promise is `undefined`. */
  async perform<T>(command: ChatCommand): Promise<T | undefined> {
    this.problem.value = undefined;
    try {
      return (await this.#client.perform(this.id, command)) as T;
    } catch (error) {
      // How a reconnect went is the state's to say.
      if (command.do !== 'reconnect') this.problem.value = { message: (error as Error).message };
      return undefined;
    }
  }

  /** The host keeps it, should this page go. */
  #tellDraft(text: string): void {
    clearTimeout(this.#telling);
    this.#telling = setTimeout(() => this.#client.tellDraft(this.id, text), TELL_MS);
  }

  queue(seq: number, events: readonly ChatEvent[]): void {
    if (seq <= this.#seq) return; // it came with the whole
    this.#seq = seq;
    this.#queued.push(...events);
  }

  flush(): void {
    if (this.#queued.length === 0) return;
    const events = this.#queued;
    this.#queued = [];
    this.conversation.value = applyAll(this.conversation.value, events);
  }

  replace(snapshot: ChatSnapshot): void {
    this.#queued = [];
    this.#seq = snapshot.seq;
    this.conversation.value = snapshot.conversation;
    if (snapshot.capabilities) this.capabilities.value = snapshot.capabilities;
  }
}
