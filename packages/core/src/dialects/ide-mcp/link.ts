import { randomUUID } from 'node:crypto';
import type { Implementation, Server } from '@modelcontextprotocol/server';
import { isAlive } from '../../discovery/process.ts';
import type { SharedContext } from '../../editor/policy.ts';
import type { House } from '../../house.ts';
import type { AgentInfo, Link, Mention } from '../../links.ts';
import type { HttpSession } from '../../transport/streamable-http.ts';
import { createProtocol, notify, tapped } from '../protocol.ts';
import { announce, callTool } from '../tool.ts';
import { encodeContext, encodeMention } from './context.ts';
import { Diffs } from './diffs.ts';
import { type IdeContext, NOTIFICATIONS, type Notifications } from './schema.ts';
import { TOOLS } from './tools.ts';

/** Where Gemini CLI and Qwen Code differ on the same wire. */
export interface Quirks {
  readonly id: string;
  readonly name: string;
  readonly versionOf: (client: Implementation) => string | undefined;
  readonly takesEditsFromTerminal: boolean;
}

/** When to look whether an agent whose stream is gone still runs. */
const GLANCE_MS = 1_000;

/** How long a session may go without a stream while it still sends requests now and then. */
const STREAMLESS_MS = 60_000;

/** One Gemini CLI or Qwen Code: an MCP session that outlives its connections. */
export class IdeMcpLink implements Link {
  readonly id: string;
  readonly http: HttpSession;
  readonly diffs: Diffs;
  agent: AgentInfo;
  since = Date.now();
  lastError: string | undefined;
  readonly #house: House;
  readonly #quirks: Quirks;
  readonly #server: Server;
  readonly #gone: () => void;
  #joined = false;
  /** The last context that was sent, to send each state once. */
  #told: string | undefined;
  #patience: NodeJS.Timeout | undefined;

  constructor(house: House, quirks: Quirks, session: HttpSession, gone: () => void) {
    this.#house = house;
    this.#quirks = quirks;
    this.#gone = gone;
    // Not the session's: after a restart that is the agent's own word, and two may look alike.
    this.id = `${quirks.id}-${randomUUID().slice(0, 8)}`;
    this.agent = { id: quirks.id, name: quirks.name };
    this.http = session;
    this.diffs = new Diffs(house, {
      id: this.id,
      agentId: quirks.id,
      agentName: quirks.name,
      takesEditsFromTerminal: quirks.takesEditsFromTerminal,
      notify: (method, params) => this.#notify(method, params),
    });
    this.#server = createProtocol(house, quirks.id, this.id);
    this.#server.oninitialized = () => this.#introduce();
    this.#server.setRequestHandler('tools/list', async () => ({ tools: announce(TOOLS, house.editor.can) }));
    this.#server.setRequestHandler('tools/call', (request, extra) =>
      callTool(TOOLS, request.params, this, { signal: extra.mcpReq.signal }),
    );
  }

  get session(): string {
    return this.http.sessionId;
  }

  get isDead(): boolean {
    return this.agent.pid !== undefined && !isAlive(this.agent.pid);
  }

  async connect(): Promise<void> {
    this.http.onstream = () => {
      this.#wait(undefined);
      this.#told = undefined;
      this.context(this.#house.context());
    };
    this.http.onstreamlost = () => this.#streamLost();
    await this.#server.connect(tapped(this.http, this.#house, this.#quirks.id, this.id));
    this.touch();
  }

  /** The agent that comes back after a restart of the companion does not introduce itself again. */
  adopt(): void {
    const known = this.#house.remembered(this.http.sessionId);
    if (known) {
      this.agent = known.agent;
      this.since = known.since;
    }
    this.http.lendAnswers();
    this.#join();
  }

  /** It listens again, but its first try failed, and it asks for no diffs until the user says so. */
  cameLate(): void {
    this.lastError = 'it lost this window and opens no diffs: type /ide enable in its terminal';
    this.#house.editor.tell({
      level: 'warning',
      message: `${this.agent.name} lost this window and no longer opens its changes here. Type /ide enable in its terminal.`,
    });
  }

  /** A request came: whoever has no stream is given more time. */
  touch(): void {
    if (!this.http.hasStream) this.#wait(STREAMLESS_MS);
  }

  /** Found out from the connection, where the agent itself does not say it. */
  identify(pid: number): void {
    this.agent = { ...this.agent, pid };
    if (this.#joined) this.#house.links.updated.emit(this);
  }

  context(context: SharedContext): void {
    if (!this.http.hasStream) return;
    const encoded = encodeContext(context);
    if (encoded.print === this.#told) return;
    if (this.#tell('context', encoded.context)) this.#told = encoded.print;
  }

  mention(mention: Mention): void {
    this.#told = undefined; // what comes next replaces it
    this.#tell('mention', encodeMention(mention, this.#house.context()));
  }

  async close(): Promise<void> {
    this.#wait(undefined);
    await this.http.close();
    if (this.#joined) this.#house.links.remove(this);
    this.#house.desk.withdrawAll('agent gone', this.id); // also of one that never introduced itself
  }

  #introduce(): void {
    const client = this.#server.getClientVersion();
    const version = client && this.#quirks.versionOf(client);
    if (version !== undefined) this.agent = { ...this.agent, version };
    this.#join();
  }

  #join(): void {
    if (this.#joined) return;
    try {
      this.#house.links.add(this);
      this.#joined = true;
    } catch (error) {
      this.#house.log('warn', `${this.id}: ${(error as Error).message}`);
      this.#gone(); // what it sends next is answered 503
    }
  }

  #tell(what: 'context' | 'mention', context: IdeContext): boolean {
    if (!this.#notify('ide/contextUpdate', context)) return false;
    const { openFiles } = context.workspaceState;
    const text = openFiles[0]?.selectedText ?? '';
    this.#house.ledger.note({
      link: this.id,
      agent: this.agent.id,
      what,
      paths: openFiles.map((file) => file.path),
      text,
    });
    return true;
  }

  #notify<M extends keyof Notifications>(method: M, params: Notifications[M]): boolean {
    const wrong = notify(this.#server, NOTIFICATIONS, method, params);
    if (wrong === undefined) return true;
    this.lastError = wrong;
    this.#house.log('error', `${this.id}: ${wrong}`);
    return false;
  }

  /** It comes back when its `retry:` is over, unless its process is no more. */
  #streamLost(): void {
    const grace = this.#house.limits.streamGraceMs;
    const glance = Math.min(GLANCE_MS, grace);
    this.#wait(glance, () => {
      if (this.isDead) this.#gone();
      else this.#wait(grace - glance);
    });
  }

  #wait(ms: number | undefined, then: () => void = this.#gone): void {
    clearTimeout(this.#patience);
    this.#patience = ms === undefined ? undefined : setTimeout(then, ms);
  }
}
