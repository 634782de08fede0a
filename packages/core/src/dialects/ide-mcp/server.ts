import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { peerPid } from '../../discovery/peer.ts';
import type { House } from '../../house.ts';
import { readJson } from '../../transport/body.ts';
import { HttpSession, rpcError } from '../../transport/streamable-http.ts';
import type { DialectServer } from '../port.ts';
import { IdeMcpLink, type Quirks } from './link.ts';

/** The sessions of one dialect on `/mcp`. */
export class IdeMcpServer implements DialectServer {
  readonly #house: House;
  readonly #quirks: Quirks;
  readonly #links = new Map<string, IdeMcpLink>();
  #keepAlive: NodeJS.Timeout | undefined;

  constructor(house: House, quirks: Quirks) {
    this.#house = house;
    this.#quirks = quirks;
  }

  async request(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = sessionOf(request);
    if (session === 'malformed') {
      rpcError(response, 400, -32600, 'Mcp-Session-Id: must be 1 to 128 visible ASCII characters');
      return;
    }
    switch (request.method) {
      case 'POST':
        return this.#post(request, response, session);
      case 'GET':
        return this.#get(request, response, session);
      case 'DELETE':
        request.resume();
        if (session !== undefined) await this.#end(session);
        response.writeHead(200).end();
        return;
      default:
        request.resume();
        response.writeHead(405, { allow: 'GET, POST, DELETE' }).end();
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#keepAlive);
    await Promise.all([...this.#links.keys()].map((session) => this.#end(session)));
  }

  async #post(request: IncomingMessage, response: ServerResponse, session: string | undefined): Promise<void> {
    const body = await readJson(request, this.#house.limits.messageBytes);
    if (!body.ok) {
      rpcError(response, body.status, body.status === 400 ? -32700 : -32600, body.why);
      return;
    }
    if (session === undefined && !isInitialize(body.value)) {
      rpcError(response, 400, -32600, 'Mcp-Session-Id: missing; begin with initialize');
      return;
    }
    const link = await this.#link(session, response, isInitialize(body.value));
    link?.touch();
    link?.http.accept(body.value, response);
  }

  async #get(request: IncomingMessage, response: ServerResponse, session: string | undefined): Promise<void> {
    request.resume();
    if (session === undefined) return rpcError(response, 400, -32600, 'Mcp-Session-Id: missing');
    if (!request.headers.accept?.includes('text/event-stream')) {
      return rpcError(response, 406, -32600, 'Accept: must include text/event-stream');
    }
    const known = this.#links.has(session);
    const link = await this.#link(session, response, false);
    if (!link) return;
    if (!known && this.#house.isLate()) link.cameLate();
    link.http.openStream(response);
    this.#keepAlive ??= setInterval(() => this.#breathe(), this.#house.limits.keepAliveMs);
    const pid = link.agent.pid === undefined ? await peerPid(request.socket) : undefined;
    if (pid !== undefined) link.identify(pid);
  }

  /** The link of a session. One we do not know came with the right token: it belonged to the companion before us. */
  async #link(session: string | undefined, response: ServerResponse, fresh: boolean): Promise<IdeMcpLink | undefined> {
    const known = session === undefined ? undefined : this.#links.get(session);
    if (known) return known;
    this.#makeRoom();
    if (this.#house.links.full || this.#links.size >= this.#house.limits.links) {
      response.setHeader('retry-after', '30');
      rpcError(response, 503, -32000, 'too many agents are connected');
      return undefined;
    }
    const id = session ?? randomUUID();
    const http = new HttpSession(id, this.#house.limits);
    const link = new IdeMcpLink(this.#house, this.#quirks, http, () => void this.#end(id));
    this.#links.set(id, link);
    await link.connect();
    if (!fresh) link.adopt();
    return link;
  }

  /** Those that begin and never go on make room for those that do. */
  #makeRoom(): void {
    const strangers = [...this.#links.values()].filter((link) => !link.http.hasStream);
    const [oldest] = strangers;
    if (oldest && strangers.length >= this.#house.limits.strangers) void this.#end(oldest.session);
  }

  async #end(session: string): Promise<void> {
    const link = this.#links.get(session);
    this.#links.delete(session);
    await link?.close();
    if (this.#links.size > 0) return;
    clearInterval(this.#keepAlive);
    this.#keepAlive = undefined;
  }

  #breathe(): void {
    for (const link of this.#links.values()) link.http.keepAlive();
  }
}

function sessionOf(request: IncomingMessage): string | undefined {
  const id = request.headers['mcp-session-id'];
  if (id === undefined) return undefined;
  return typeof id === 'string' && /^[\x21-\x7e]{1,128}$/.test(id) ? id : 'malformed';
}

function isInitialize(body: unknown): boolean {
  return typeof body === 'object' && body !== null && (body as { method?: unknown }).method === 'initialize';
}
