import { randomUUID } from 'node:crypto';
import { type ChatCommand, type PromptDraft, perform } from './commands.ts';
import {
  type AgentConnection,
  ChatError,
  type ChatErrorCode,
  type PromptTaken,
  type SessionOptions,
} from './connection.ts';
import { PromptBuilder } from './context-blocks.ts';
import { apply, type Conversation, EMPTY, type Item } from './conversation.ts';
import { DeskBridge } from './desk-bridge.ts';
import type { ChatEvent } from './events.ts';
import { type ChatHouse, type ChatIdentity, filesOf } from './house.ts';
import { ended, type KeptChat } from './kept.ts';
import { Outlet } from './outlet.ts';

export interface StartOptions extends SessionOptions {
  /** An earlier session; without it a new one begins. */
  readonly session?: string;
}

/** One conversation in the house: a connection, what it has come to, its reviews on the desk, its context. */
export class Chat {
  readonly id: string;
  readonly connection: AgentConnection;
  readonly #outlet = new Outlet();
  readonly #bridge: DeskBridge;
  readonly #builder: PromptBuilder;
  readonly #unsubscribe: () => void;
  #conversation: Conversation = EMPTY;
  /** How it was to begin; a start that came to nothing is tried again as a whole. */
  #begin: StartOptions = {};
  /** What it was before this process, until it is taken up. */
  #kept: KeptChat | undefined;

  /** With `kept` it shows an earlier conversation, and `reconnect` takes it up again. */
  constructor(house: ChatHouse, connection: AgentConnection, kept?: KeptChat) {
    this.id = kept?.id ?? `chat-${connection.agent.id}-${randomUUID().slice(0, 8)}`;
    this.#kept = kept;
    this.connection = connection;
    const identity: ChatIdentity = { id: this.id, agent: connection.agent.id };
    connection.useFiles?.(filesOf(house, identity));
    this.#builder = new PromptBuilder(house, identity, () => connection.capabilities);
    this.#bridge = new DeskBridge(house, identity, connection, {
      tell: (event) => this.#tell(event),
      say: (blocks) => connection.prompt(blocks),
    });
    this.#unsubscribe = connection.subscribe((event) => {
      this.#tell(event);
      this.#bridge.handle(event);
    });
    if (kept) this.#tell(shownOf(kept));
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  subscribe(listener: (event: ChatEvent) => void): () => void {
    return this.#outlet.subscribe(listener);
  }

  async start(options: StartOptions = {}): Promise<void> {
    this.#begin = options;
    await this.connection.start();
    await this.#enter(options);
  }

  async stop(): Promise<void> {
    await this.connection.stop();
    this.#bridge.close();
    this.#unsubscribe();
  }

  /** Carries out what a panel asks for. The answer is plain JSON; errors are `ChatError`s. */
  async perform(command: ChatCommand): Promise<unknown> {
    if (command.do === 'prompt') return this.prompt(command.draft);
    if (command.do === 'reconnect') return (await this.reconnect()) ?? null;
    const { session, items, mode } = this.#conversation;
    try {
      return (await perform(this.connection, command)) ?? null;
    } catch (error) {
      // Another session could not be opened: it stays the one it was.
      const lost = session && this.connection.state.status === 'connected' && !this.connection.session;
      if (lost) await this.#takeUp(session.id, { type: 'kept', items }, async () => {}, mode.current);
      throw error;
    }
  }

  /** Also what was kept is taken up so. What the agent does not remember stays to be read. */
  async reconnect(): Promise<void> {
    const kept = this.#kept;
    if (kept) {
      await this.#takeUp(kept.session.id, shownOf(kept), () => this.connection.start(), kept.mode);
      this.#kept = undefined;
      if (kept.busy && !this.connection.capabilities.shared) this.#cutOff(kept.items);
      return;
    }
    const { session, items, mode } = this.#conversation;
    const reach = () => this.connection.reconnect();
    if (session) return this.#takeUp(session.id, { type: 'kept', items: items.map(ended) }, reach, mode.current);
    await reach();
    if (!this.connection.session) await this.#enter(this.#begin);
  }

  /** An agent remembers little of a turn that it could not end; what was seen of it stays. */
  #cutOff(seen: readonly Item[]): void {
    const { items } = this.#conversation;
    if (isPrompt(items.at(-1))) {
      this.#tell({ type: 'kept', items: [...items, ...seen.slice(seen.findLastIndex(isPrompt) + 1)] });
    }
    this.#tell({ type: 'turn-end', promptId: '', reason: 'interrupted' });
  }

  async #takeUp(session: string, shown: ChatEvent, reach: () => Promise<void>, mode?: string): Promise<void> {
    try {
      await reach();
      if (!this.connection.session && this.connection.capabilities.load) await this.#load(session, mode);
    } catch (error) {
      if (this.connection.state.status !== 'connected' || this.connection.session) throw error;
      if (codeOf(error) === 'authentication') return this.#giveUp(error, shown);
      // The agent is there, and has no such session any more.
    }
    if (!this.connection.session) await this.#enter({}, shown);
    if (this.connection.session?.id === session) return;
    const message = `${this.connection.agent.name} does not remember what was said so far.`;
    this.#tell(shown);
    this.#tell({ type: 'notice', notice: { level: 'warning', message, code: 'forgotten' } });
  }

  /** In the mode it had, where the agent still has that. */
  async #load(session: string, mode: string | undefined): Promise<void> {
    try {
      await this.connection.loadSession(session, mode === undefined ? {} : { mode });
    } catch (error) {
      if (codeOf(error) !== 'refused') throw error;
      await this.connection.loadSession(session);
    }
  }

  async #enter({ session, ...options }: StartOptions, shown?: ChatEvent): Promise<void> {
    try {
      if (session !== undefined) await this.connection.loadSession(session, options);
      else await this.connection.newSession(options);
    } catch (error) {
      await this.#giveUp(error, shown);
    }
  }

  /** An agent without a session is of no use: it ends, and the state says why. */
  async #giveUp(error: unknown, shown?: ChatEvent): Promise<never> {
    await this.connection.stop();
    const { message: reason } = error as Error;
    this.#tell({ type: 'connection', state: { status: 'died', reason, canReconnect: true, canContinue: false } });
    if (shown) this.#tell(shown);
    throw error;
  }

  async prompt(draft: PromptDraft): Promise<PromptTaken> {
    const { blocks, sent } = await this.#builder.build(draft);
    const taken = await this.connection.prompt(blocks);
    sent();
    return taken;
  }

  #tell(event: ChatEvent): void {
    if (event.type === 'history' && event.phase === 'begin') this.#builder.forget();
    this.#conversation = apply(this.#conversation, event);
    this.#outlet.emit(event);
  }
}

function shownOf({ items, title }: KeptChat): ChatEvent {
  return { type: 'kept', items, ...(title === undefined ? {} : { title }) };
}

function codeOf(error: unknown): ChatErrorCode | undefined {
  return error instanceof ChatError ? error.code : undefined;
}

function isPrompt(item: Item | undefined): boolean {
  return item?.type === 'message' && item.role === 'user';
}
