import { computed, effect, type Signal, signal } from '@preact/signals';
import type { ChatCommand } from '@tandem/chat/view';
import { OpenChat } from './open-chat.ts';
import type { AgentOffer, ChatSnapshot, FilePart, PanelAnswers, PanelRequest, PanelTell } from './protocol.ts';
import type { Surroundings } from './surroundings.ts';

/** The way to the host; what is refused rejects, with a message for the user. */
export type AskHost = <Name extends PanelRequest['do']>(
  request: PanelRequest & { do: Name },
) => Promise<PanelAnswers[Name]>;

const CURRENT = 'chat-current';

/** The panel's side of its host: the conversations as they are, and what can be asked for. */
export class ChatClient {
  readonly chats = signal<readonly OpenChat[]>([]);
  readonly agents = signal<readonly AgentOffer[] | undefined>(undefined);
  readonly attached = signal(false);
  /** The conversation in front; without one, agents are offered. */
  readonly currentId: Signal<string | undefined>;
  readonly current = computed(() => this.chats.value.find(({ id }) => id === this.currentId.value));
  readonly around: Surroundings;
  /** A conversation that the user has just begun: its field may take the keyboard. */
  begun: string | undefined;
  readonly #ask: AskHost;
  readonly #unattached: FilePart[] = [];
  #frame = false;

  constructor(ask: AskHost, around: Surroundings) {
    this.#ask = ask;
    this.around = around;
    this.currentId = signal(around.memory.get(CURRENT));
    this.currentId.subscribe((id) => around.memory.set(CURRENT, id));
    // Without a conversation it waits for the next one.
    effect(() => {
      const draft = this.current.value?.draft;
      if (draft) for (const part of this.#unattached.splice(0)) draft.attach(part);
    });
  }

  /** Goes along with what the user says next. */
  attachFile(part: FilePart): void {
    if (this.current.value) this.current.value.draft.attach(part);
    else this.#unattached.push(part);
  }

  /** Also after the connection to the host came back: everything comes anew. */
  async attach(): Promise<void> {
    const { chats } = await this.#ask({ do: 'attach' });
    const before = new Map(this.chats.value.map((chat) => [chat.id, chat]));
    this.chats.value = chats.map((snapshot) => {
      const chat = before.get(snapshot.id);
      chat?.replace(snapshot);
      return chat ?? this.#open(snapshot);
    });
    if (this.currentId.value === undefined || !this.current.value) this.currentId.value = chats.at(-1)?.id;
    this.attached.value = true;
    await this.refreshAgents();
  }

  async refreshAgents(): Promise<void> {
    this.agents.value = (await this.#ask({ do: 'agents' })).agents;
  }

  async start(agent: string, session?: string): Promise<OpenChat | undefined> {
    const { chat } = await this.#ask({ do: 'start', agent, ...(session === undefined ? {} : { session }) });
    this.begun = chat;
    this.currentId.value = chat;
    return this.current.value;
  }

  /** It is in front of the user now. */
  look(chat: OpenChat): void {
    void this.#ask({ do: 'look', chat: chat.id }).catch(() => {}); // it was closed meanwhile
  }

  tellDraft(chat: string, text: string): void {
    void this.#ask({ do: 'draft', chat, text }).catch(() => {}); // it was closed meanwhile
  }

  async close(chat: OpenChat): Promise<void> {
    await this.#ask({ do: 'close', chat: chat.id });
  }

  hear(tell: PanelTell): void {
    switch (tell.tell) {
      case 'chat':
        return this.#show(tell.chat);
      case 'closed':
        return this.#closed(tell.chat);
      case 'capabilities': {
        const chat = this.#find(tell.chat);
        if (chat) chat.capabilities.value = tell.capabilities;
        return;
      }
      case 'events':
        this.#find(tell.chat)?.queue(tell.seq, tell.events);
        return this.#soon();
    }
  }

  perform(chat: string, command: ChatCommand): Promise<unknown> {
    return this.#ask({ do: 'perform', chat, command }).then(({ result }) => result);
  }

  /** Everything heard since the last frame is applied at once; a hidden page has no frames. */
  #soon(): void {
    if (this.#frame) return;
    this.#frame = true;
    const flush = () => {
      this.#frame = false;
      for (const chat of this.chats.value) chat.flush();
    };
    if (document.hidden) setTimeout(flush, 100);
    else requestAnimationFrame(flush);
  }

  #find(id: string): OpenChat | undefined {
    return this.chats.value.find((chat) => chat.id === id);
  }

  #show(snapshot: ChatSnapshot): void {
    const known = this.#find(snapshot.id);
    if (known) return known.replace(snapshot);
    this.chats.value = [...this.chats.value, this.#open(snapshot)];
  }

  #open(snapshot: ChatSnapshot): OpenChat {
    return new OpenChat(snapshot, this);
  }

  #closed(id: string): void {
    const at = this.chats.value.findIndex((chat) => chat.id === id);
    this.#find(id)?.draft.forget();
    this.chats.value = this.chats.value.filter((chat) => chat.id !== id);
    if (this.currentId.value === id) this.currentId.value = (this.chats.value[at] ?? this.chats.value.at(-1))?.id;
  }
}
