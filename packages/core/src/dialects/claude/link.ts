import type { Server } from '@modelcontextprotocol/server';
import type { WebSocket } from 'ws';
import * as z from 'zod';
import type { LedgerEntry } from '../../editor/ledger.ts';
import type { SharedContext } from '../../editor/policy.ts';
import type { House } from '../../house.ts';
import type { AgentInfo, Link, Mention } from '../../links.ts';
import { WebSocketTransport } from '../../transport/websocket.ts';
import { createProtocol, notify, tapped } from '../protocol.ts';
import { announce, callTool } from '../tool.ts';
import { encodeMention, encodeSelection, sameSelection } from './context.ts';
import { Diffs } from './diffs.ts';
import { NOTIFICATIONS, type Notifications, type SelectionChanged } from './schema.ts';
import { TOOLS } from './tools/index.ts';

/** What the CLI hears earlier than this after its last handshake message is lost. */
const DEAF_MS = 700;

const ideConnected = z.object({ pid: z.number().optional() }).optional();

/** One Claude Code on its WebSocket. */
export class ClaudeLink implements Link {
  readonly id: string;
  readonly house: House;
  readonly diffs: Diffs;
  readonly since = Date.now();
  readonly session = '';
  agent: AgentInfo = { id: 'claude', name: 'Claude Code' };
  lastError: string | undefined;
  onintroduced?: () => void;
  readonly #socket: WebSocket;
  readonly #server: Server;
  readonly #forgetWritten: () => void;
  #hears = false;
  #joined = false;
  #last: SelectionChanged | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(house: House, id: string, socket: WebSocket) {
    this.house = house;
    this.id = id;
    this.#socket = socket;
    this.diffs = new Diffs(house, this);
    this.#server = createProtocol(house, 'claude', id);
    this.#server.oninitialized = () => this.#introduce();
    this.#forgetWritten = house.workspace.diagnosed.on((path) => this.diffs.written.delete(path));
    this.#server.setNotificationHandler('ide_connected', { params: ideConnected }, (params) => {
      if (params?.pid !== undefined) this.agent = { ...this.agent, pid: params.pid };
      this.#join();
      if (this.#joined) house.links.updated.emit(this);
      this.#listenSoon();
    });
    this.#server.setRequestHandler('tools/list', async () => {
      this.#listenSoon();
      return { tools: announce(TOOLS, house.editor.can) };
    });
    this.#server.setRequestHandler('tools/call', (request, extra) =>
      callTool(TOOLS, request.params, this, { signal: extra.mcpReq.signal }),
    );
  }

  get introduced(): boolean {
    return this.#joined;
  }

  async connect(): Promise<void> {
    await this.#server.connect(tapped(new WebSocketTransport(this.#socket), this.house, 'claude', this.id));
  }

  context(context: SharedContext): void {
    if (!this.#hears) return;
    const selection = encodeSelection(context);
    // Nothing to say keeps what it had, so a selection that may no longer be shared is replaced by an empty one.
    if (selection) this.#select(selection);
    else if (this.#last && this.#last.text !== '') this.#select({ ...this.#last, text: '' });
  }

  mention(mention: Mention): void {
    const params = encodeMention(mention);
    if (this.#notify('at_mentioned', params)) this.note('mention', [mention.path], mention.text);
  }

  /** The CLI forgets the selection with each prompt; it is told again once it listens. */
  promptBegan(): void {
    this.#last = undefined;
    this.#listenSoon();
  }

  note(what: LedgerEntry['what'], paths: readonly string[], text: string): void {
    this.house.ledger.note({ link: this.id, agent: this.agent.id, what, paths, text });
  }

  /** Waits until the editor has looked again at what this agent has just written, or `ms` have passed. */
  async freshDiagnostics(ms: number, signal: AbortSignal): Promise<void> {
    const { written } = this.diffs;
    if (written.size === 0 || !this.house.editor.can.diagnostics) return;
    await new Promise<void>((resolve) => {
      const enough = () => {
        clearTimeout(timer);
        off();
        resolve();
      };
      const off = this.house.workspace.diagnosed.on(() => written.size === 0 && enough());
      const timer = setTimeout(enough, ms);
      signal.addEventListener('abort', enough, { once: true });
    });
    written.clear();
  }

  /** The connection is gone. */
  leave(): void {
    clearTimeout(this.#timer);
    this.#forgetWritten();
    if (this.#joined) this.house.links.remove(this);
    this.house.desk.withdrawAll('agent gone', this.id); // also of one that never introduced itself
  }

  close(): Promise<void> {
    clearTimeout(this.#timer);
    return new Promise((resolve) => {
      if (this.#socket.readyState === this.#socket.CLOSED) return resolve();
      this.#socket.once('close', () => resolve());
      this.#socket.close(1001, 'the companion stops');
      // A peer that does not answer the close frame is not waited for.
      const impatient = setTimeout(() => this.#socket.terminate(), 200);
      this.#socket.once('close', () => clearTimeout(impatient));
    });
  }

  #introduce(): void {
    const client = this.#server.getClientVersion();
    if (client) this.agent = { ...this.agent, version: client.version };
    this.#join();
    this.#listenSoon();
  }

  #join(): void {
    if (this.#joined) return;
    try {
      this.house.links.add(this);
      this.#joined = true;
      this.onintroduced?.();
    } catch (error) {
      this.#socket.close(1013, (error as Error).message);
    }
  }

  #listenSoon(): void {
    this.#hears = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#hears = true;
      this.context(this.house.context());
    }, DEAF_MS);
  }

  #select(selection: SelectionChanged): void {
    if (this.#last && sameSelection(selection, this.#last)) return;
    if (!this.#notify('selection_changed', selection)) return;
    this.#last = selection;
    this.note('selection', [selection.filePath], selection.text);
  }

  #notify<M extends keyof Notifications>(method: M, params: Notifications[M]): boolean {
    const wrong = notify(this.#server, NOTIFICATIONS, method, params);
    if (wrong === undefined) return true;
    this.lastError = wrong;
    this.house.log('error', `${this.id}: ${wrong}`);
    return false;
  }
}
