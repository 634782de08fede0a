import { randomUUID } from 'node:crypto';
import { type ChatCommand, type PromptDraft, perform } from './commands.ts';
import type { AgentConnection, PromptTaken, SessionOptions } from './connection.ts';
import { PromptBuilder } from './context-blocks.ts';
import { apply, type Conversation, EMPTY } from './conversation.ts';
import { DeskBridge } from './desk-bridge.ts';
import type { ChatEvent } from './events.ts';
import { type ChatHouse, type ChatIdentity, filesOf } from './house.ts';
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

  constructor(house: ChatHouse, connection: AgentConnection) {
    this.id = `chat-${connection.agent.id}-${randomUUID().slice(0, 8)}`;
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
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  subscribe(listener: (event: ChatEvent) => void): () => void {
    return this.#outlet.subscribe(listener);
  }

  async start({ session, ...options }: StartOptions = {}): Promise<void> {
    await this.connection.start();
    if (session !== undefined) await this.connection.loadSession(session, options);
    else await this.connection.newSession(options);
  }

  async stop(): Promise<void> {
    await this.connection.stop();
    this.#bridge.close();
    this.#unsubscribe();
  }

  /** Carries out what a panel asks for. The answer is plain JSON; errors are `ChatError`s. */
  async perform(command: ChatCommand): Promise<unknown> {
    if (command.do === 'prompt') return this.prompt(command.draft);
    return (await perform(this.connection, command)) ?? null;
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
