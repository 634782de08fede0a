import { EventEmitter } from 'node:events';
import type { EditorContext } from './context.ts';
import type { DialectName, Endpoint } from './endpoint.ts';
import { Lifeline, type LinkState, type Locate, type ReconnectOptions } from './lifeline.ts';
import {
  type AgentName,
  type ConnectError,
  NotConnected,
  type OpenWire,
  type ToolResult,
  Unsupported,
  type Wire,
} from './wire.ts';

/** What became of a diff. */
export type Decision =
  /** Write this text: the companion never does. */
  | { readonly kind: 'accepted'; readonly text: string }
  | { readonly kind: 'rejected' }
  /** We closed it ourselves. */
  | { readonly kind: 'closed' }
  /** It could not be shown, or the connection broke before anybody decided. Ask in the terminal. */
  | { readonly kind: 'lost'; readonly why: string };

export interface Diff {
  readonly path: string;
  /** Never rejects. */
  readonly decision: Promise<Decision>;
  /** The person has answered elsewhere. Gives the text the diff held, with the person's own edits, where that is told. */
  close(): Promise<string | undefined>;
}

export interface Mention {
  readonly path: string;
  /** From 1, inclusive; absent when the whole file is meant. */
  readonly lines?: { readonly start: number; readonly end: number };
}

export type LinkEvents = {
  /** What the person looks at changed. */
  context: [EditorContext];
  /** The person sends something by hand. Gemini's and Qwen's dialects show it as context instead. */
  mention: [Mention];
  state: [LinkState];
  /** The companion is gone for good, with the last thing that went wrong. */
  gone: [ConnectError];
  /** Something malformed came and was left out. */
  problem: [Error];
};

export interface Abilities {
  readonly diff: boolean;
  readonly diagnostics: boolean;
  readonly openFile: boolean;
  readonly openEditors: boolean;
  readonly folders: boolean;
  readonly save: boolean;
}

export interface LinkOptions {
  /** How we introduce ourselves. */
  readonly agent?: Partial<AgentName>;
  readonly reconnect?: ReconnectOptions | false;
}

const NOTHING: EditorContext = { files: [] };

/** One live connection to a companion, whatever it speaks. It comes back by itself when the companion does. */
export abstract class CompanionLink extends EventEmitter<LinkEvents> {
  readonly dialect: DialectName;
  readonly #lifeline: Lifeline;
  #context = NOTHING;

  constructor(dialect: DialectName, locate: Locate, open: OpenWire, options: LinkOptions) {
    super();
    this.dialect = dialect;
    const agent = { name: 'tandem-client', title: 'Agent', version: '0.1.0', ...options.agent };
    const events = {
      notified: (method: string, params: unknown) => this.hear(method, params),
      garbled: (error: Error) => this.#problem(error),
      connected: (wire: Wire, kept: boolean) => {
        if (!kept) this.forget('the companion was away');
        this.welcome(wire);
        this.emit('state', 'connected');
      },
      lost: (kept: boolean) => {
        if (!kept) this.forget('the connection broke');
        this.emit('state', 'reconnecting');
      },
      gone: (reason: ConnectError) => {
        this.forget(reason.message);
        this.tell(NOTHING);
        this.emit('state', 'closed');
        this.emit('gone', reason);
      },
    };
    this.#lifeline = new Lifeline(locate, open, agent, events, options.reconnect ?? {});
  }

  get state(): LinkState {
    return this.#lifeline.state;
  }

  /** Newest first, at most one active, at most 10 files and 16,384 selected characters. */
  get context(): EditorContext {
    return this.#context;
  }

  get endpoint(): Endpoint {
    return this.wire.endpoint;
  }

  /** How the companion calls itself in the handshake. */
  get server(): Wire['server'] {
    return this.wire.server;
  }

  /** What it announced. */
  get can(): Abilities {
    const { tools } = this.wire;
    return {
      diff: this.canDiff(tools),
      diagnostics: tools.has('getDiagnostics'),
      openFile: tools.has('openFile'),
      openEditors: tools.has('getOpenEditors'),
      folders: tools.has('getWorkspaceFolders'),
      save: tools.has('saveDocument'),
    };
  }

  /** Shows a proposed text. Nothing is written; whoever gets the decision does that. */
  abstract openDiff(path: string, text: string): Diff;

  /** At the start of a prompt: whatever is still open is of yesterday. */
  abstract closeDiffs(): Promise<void>;

  /** A tool of the companion as it is, for what has no method here. */
  async call(tool: string, input: object = {}, signal?: AbortSignal): Promise<ToolResult> {
    try {
      return await this.wire.call(tool, input, signal);
    } catch (error) {
      if (this.state === 'connected') throw error;
      throw new NotConnected((error as Error).message, { cause: error });
    }
  }

  start(): Promise<void> {
    return this.#lifeline.start();
  }

  /** Says goodbye; open diffs end as closed. */
  async close(): Promise<void> {
    const was = this.state;
    await this.leave();
    await this.#lifeline.close();
    if (was !== 'closed') this.emit('state', 'closed');
  }

  protected get wire(): Wire {
    return this.#lifeline.wire;
  }

  /** Connected, for the first time or again. */
  protected welcome(_wire: Wire): void {}
  protected abstract canDiff(tools: ReadonlySet<string>): boolean;
  protected abstract hear(method: string, params: unknown): void;
  /** Whatever was open at the companion is no longer known there. */
  protected abstract forget(why: string): void;
  protected abstract leave(): Promise<void>;

  /** One that announces no diffs is not asked: nobody might ever answer. */
  protected async callForDiff(input: object): Promise<ToolResult> {
    if (!this.can.diff) throw new Unsupported('this editor does not show diffs');
    return this.call('openDiff', input);
  }

  protected tell(context: EditorContext): void {
    this.#context = context;
    this.emit('context', context);
  }

  protected malformed(method: string, fields: readonly string[]): void {
    this.#problem(new Error(`a malformed ${method} came and was left out: ${fields.join('; ')}`));
  }

  #problem(error: Error): void {
    this.emit('problem', error);
  }
}
