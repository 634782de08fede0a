import {
  type ChatCommand,
  type ChatEvent,
  type ConnectionCapabilities,
  type Conversation,
  type KeptChat,
  keepOf,
} from '@tandem/chat/view';
import { merge } from './merge.ts';
import type { AgentOffer, ChatSnapshot, ChatSummary, PanelAnswers, PanelRequest, PanelTell } from './protocol.ts';

/** A conversation as its host sees it; `Chat` of @tandem/chat is one. */
export interface HostedChat {
  readonly id: string;
  readonly conversation: Conversation;
  subscribe(listener: (event: ChatEvent) => void): () => void;
  start(options?: { session?: string }): Promise<void>;
  stop(): Promise<void>;
  perform(command: ChatCommand): Promise<unknown>;
}

export interface HubOptions {
  readonly agents: () => Promise<readonly AgentOffer[]>;
  /** Makes the conversation and starts nothing yet. With `kept` it is an earlier one, which `reconnect` takes up. */
  readonly connect: (agent: string, kept?: KeptChat) => Promise<Connected>;
  /** Conversations that were open before; asked for once, when the first panel comes. */
  readonly kept?: () => Promise<readonly KeptChat[]>;
  /** A summary is another one. */
  readonly changed?: () => void;
  readonly log?: (message: string) => void;
}

export interface Connected {
  readonly chat: HostedChat;
  readonly capabilities: () => ConnectionCapabilities;
}

/** One panel that looks on: a page, or a webview. */
export interface Viewer {
  tell(message: PanelTell): void;
  /** Whether it takes what it is told fast enough. */
  readonly keepsUp: boolean;
}

interface Entry {
  readonly chat: HostedChat;
  readonly agent: Pick<AgentOffer, 'id' | 'name'>;
  readonly unsubscribe: () => void;
  capabilities: ConnectionCapabilities | undefined;
  seq: number;
  pending: ChatEvent[];
  timer: ReturnType<typeof setTimeout> | undefined;
  flushedAt: number;
  /** An earlier conversation that nobody has looked at yet. */
  asleep: KeptChat | undefined;
  draft: string;
}

const FLUSH_MS = 25;
const CATCH_UP_MS = 100;
/** A conversation that was open so shortly before goes on by itself; an older one waits for a click. */
const WAKES_MS = 10 * 60_000;

/**
 * Hosts several conversations at once for any number of panels. Workbench and extension host both use it; each brings
 * its own way to a panel.
 */
export class ChatHub {
  readonly #options: HubOptions;
  readonly #entries = new Map<string, Entry>();
  /** Each viewer with the conversations it was not told everything of. */
  readonly #viewers = new Map<Viewer, Set<string>>();
  #catchUp: ReturnType<typeof setTimeout> | undefined;
  #restored: Promise<void> | undefined;
  /** Those whose agent is not there at the moment. */
  #left: readonly KeptChat[] = [];

  constructor(options: HubOptions) {
    this.#options = options;
  }

  get summaries(): readonly ChatSummary[] {
    return [...this.#entries.values()].map(({ chat, agent }) => {
      const { title, running, asks } = chat.conversation;
      const named = title === undefined ? {} : { title };
      return { id: chat.id, agentName: agent.name, ...named, running: running !== undefined, asks: asks.length };
    });
  }

  /** What the next host can take up, should this one end now. */
  get kept(): readonly KeptChat[] {
    const open = [...this.#entries.values()].flatMap(({ chat, agent, asleep, draft }) => {
      const kept = asleep ?? keepOf(chat.id, agent, chat.conversation, Date.now());
      return kept ? [{ ...kept, draft }] : [];
    });
    return [...this.#left, ...open];
  }

  async ask<Name extends PanelRequest['do']>(
    viewer: Viewer,
    request: PanelRequest & { do: Name },
  ): Promise<PanelAnswers[Name]>;
  async ask(viewer: Viewer, request: PanelRequest): Promise<PanelAnswers[keyof PanelAnswers]> {
    switch (request.do) {
      case 'attach':
        await this.#restore();
        return this.#attach(viewer);
      case 'agents':
        return { agents: await this.#options.agents() };
      case 'start':
        return { chat: await this.start(request.agent, request.session) };
      case 'look':
        this.#wake(this.#entry(request.chat));
        return {};
      case 'draft':
        this.#entry(request.chat).draft = request.text;
        this.#options.changed?.();
        return {};
      case 'close':
        await this.close(request.chat);
        return {};
      case 'perform':
        return { result: (await this.#entry(request.chat).chat.perform(request.command)) ?? null };
    }
  }

  detach(viewer: Viewer): void {
    this.#viewers.delete(viewer);
  }

  /** Answers as soon as there is something to show; how the start goes is told as events. */
  async start(agentId: string, session?: string): Promise<string> {
    await this.#restore(); // before anything is kept in their place
    const agent = (await this.#options.agents()).find(({ id }) => id === agentId);
    if (!agent) throw new Error(`there is no agent ${agentId}`);
    const { chat } = this.#host(agent, await this.#options.connect(agentId));
    chat.start(session === undefined ? {} : { session }).catch((error: Error) => this.#failed(chat.id, error));
    return chat.id;
  }

  #host({ id, name }: Pick<AgentOffer, 'id' | 'name'>, { chat, capabilities }: Connected, asleep?: KeptChat): Entry {
    const entry: Entry = {
      chat,
      agent: { id, name },
      unsubscribe: chat.subscribe((event) => this.#hear(entry, event, capabilities)),
      capabilities: undefined,
      seq: 0,
      pending: [],
      timer: undefined,
      flushedAt: 0,
      asleep,
      draft: asleep?.draft ?? '',
    };
    this.#entries.set(chat.id, entry);
    for (const viewer of this.#viewers.keys()) viewer.tell({ tell: 'chat', chat: snapshotOf(entry) });
    this.#options.changed?.();
    return entry;
  }

  /** Shows what was open before; nothing of it runs until somebody looks at it. */
  #restore(): Promise<void> {
    this.#restored ??= this.#options.kept ? this.#open(this.#options.kept) : Promise.resolve();
    return this.#restored;
  }

  async #open(load: () => Promise<readonly KeptChat[]>): Promise<void> {
    const all = await load();
    this.#left = all;
    for (const kept of all) {
      try {
        this.#host(kept.agent, await this.#options.connect(kept.agent.id, kept), kept);
        this.#left = this.#left.filter((each) => each !== kept);
      } catch (error) {
        this.#options.log?.(`a conversation with ${kept.agent.name} waits: ${(error as Error).message}`);
      }
    }
  }

  #wake({ chat, asleep }: Entry): void {
    if (!asleep || chat.conversation.connection.status !== 'stopped' || asleep.at < Date.now() - WAKES_MS) return;
    chat.perform({ do: 'reconnect' }).catch((error: Error) => this.#failed(chat.id, error));
  }

  /** Words of the user that do not come from a panel. */
  async say(id: string, text: string): Promise<void> {
    await this.#entry(id).chat.perform({ do: 'prompt', draft: { text, context: false } });
  }

  async close(id: string): Promise<void> {
    const entry = this.#entry(id);
    this.#entries.delete(id);
    clearTimeout(entry.timer);
    entry.unsubscribe();
    for (const [viewer, behind] of this.#viewers) {
      behind.delete(id);
      viewer.tell({ tell: 'closed', chat: id });
    }
    this.#options.changed?.();
    await entry.chat.stop();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#catchUp);
    this.#viewers.clear();
    await Promise.all([...this.#entries.keys()].map((id) => this.close(id).catch(() => {})));
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id);
    if (!entry) throw new Error('This conversation is closed.');
    return entry;
  }

  #attach(viewer: Viewer): PanelAnswers['attach'] {
    // What is under way is in the snapshots.
    for (const entry of this.#entries.values()) this.#flush(entry);
    this.#viewers.set(viewer, new Set());
    return { chats: [...this.#entries.values()].map(snapshotOf) };
  }

  #hear(entry: Entry, event: ChatEvent, capabilities: () => ConnectionCapabilities): void {
    entry.seq += 1;
    entry.pending.push(event);
    if (event.type === 'connection' && event.state.status === 'connected') this.#learn(entry, capabilities());
    if (event.type === 'session') entry.asleep = undefined;
    if (CHANGES_SUMMARY.has(event.type)) this.#options.changed?.();
    if (entry.timer !== undefined) return;
    // The first one goes in the same turn of the loop; what comes in a rush goes together.
    const wait = Math.max(0, entry.flushedAt + FLUSH_MS - Date.now());
    entry.timer = setTimeout(() => this.#flush(entry), wait);
  }

  #learn(entry: Entry, capabilities: ConnectionCapabilities): void {
    entry.capabilities = capabilities;
    for (const viewer of this.#viewers.keys()) viewer.tell({ tell: 'capabilities', chat: entry.chat.id, capabilities });
  }

  #flush(entry: Entry): void {
    clearTimeout(entry.timer);
    entry.timer = undefined;
    if (entry.pending.length === 0) return;
    const tell: PanelTell = { tell: 'events', chat: entry.chat.id, seq: entry.seq, events: merge(entry.pending) };
    entry.pending = [];
    entry.flushedAt = Date.now();
    for (const [viewer, behind] of this.#viewers) {
      if (viewer.keepsUp && !behind.has(entry.chat.id)) viewer.tell(tell);
      else behind.add(entry.chat.id);
    }
    this.#bringUp();
  }

  /** Who could not keep up gets the whole once there is room: what waits for them never grows. */
  #bringUp(): void {
    let somebody = false;
    for (const [viewer, behind] of this.#viewers) {
      for (const id of [...behind]) {
        const entry = this.#entries.get(id);
        // Events that wait to go out would be told twice: they go first.
        if (entry && (!viewer.keepsUp || entry.pending.length > 0)) somebody = true;
        else {
          behind.delete(id);
          if (entry) viewer.tell({ tell: 'chat', chat: snapshotOf(entry) });
        }
      }
    }
    clearTimeout(this.#catchUp);
    if (somebody) this.#catchUp = setTimeout(() => this.#bringUp(), CATCH_UP_MS);
  }

  /** The connection tells its own failures as a state; this is for those that happened before it could. */
  #failed(id: string, error: Error): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#options.log?.(`chat with ${entry.agent.name}: ${error.message}`);
    const { status } = entry.chat.conversation.connection;
    if (status !== 'stopped' && status !== 'starting') return;
    const state = { status: 'died', reason: error.message, canReconnect: true, canContinue: false } as const;
    for (const viewer of this.#viewers.keys()) {
      entry.seq += 1;
      viewer.tell({
        tell: 'events',
        chat: entry.chat.id,
        seq: entry.seq,
        events: [{ type: 'connection', state }],
      });
    }
  }
}

const CHANGES_SUMMARY: ReadonlySet<ChatEvent['type']> = new Set([
  'permission',
  'question',
  'answered',
  'turn-start',
  'turn-end',
  'title',
  'session',
  'history',
]);

function snapshotOf({ chat, agent, seq, capabilities, draft }: Entry): ChatSnapshot {
  const known = capabilities ? { capabilities } : {};
  return { id: chat.id, agent, seq, conversation: chat.conversation, draft, ...known };
}
