import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TokenOf } from '../dialects/port.ts';
import type { Limits } from '../limits.ts';
import type { Log } from '../log.ts';
import { type Check, checkHost, checkOrigin, sameToken } from './checks.ts';

/** One way in: who may use it and where it leads. */
export interface Entrance {
  readonly name: string;
  readonly kind: 'http' | 'upgrade';
  /** A path, or with a slash at the end all paths below it. */
  readonly path: string;
  readonly token: TokenOf;
  readonly secret: string;
  request?(request: IncomingMessage, response: ServerResponse): Promise<void>;
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
}

export interface FrontOptions {
  readonly limits: Limits;
  readonly log: Log;
  /** Names besides loopback that agents may use, such as `host.docker.internal`. */
  readonly hostNames?: readonly string[];
}

/** What Node's own complaints about a request are in HTTP. */
const STATUS: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

/** The one HTTP server of a companion: checks every request and leads it to its entrance. */
export class Front {
  readonly #options: FrontOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  #entrances: readonly Entrance[] = [];
  #port = 0;
  #closed: Promise<void> | undefined;

  constructor(options: FrontOptions) {
    this.#options = options;
    const { headersMs, bodyMs } = options.limits;
    this.#server = createServer(
      { headersTimeout: headersMs, requestTimeout: bodyMs, connectionsCheckingInterval: Math.min(headersMs, 5_000) },
      (request, response) => this.#request(request, response),
    );
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
      refuse(socket, STATUS[error.code ?? ''] ?? 400),
    );
  }

  get port(): number {
    return this.#port;
  }

  /** Rejects with the system's error, for example EADDRINUSE. */
  async listen(port: number, entrances: readonly Entrance[]): Promise<number> {
    this.#entrances = entrances;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#server.on('error', (error) => this.#options.log('error', `server: ${error.message}`));
    this.#port = (this.#server.address() as AddressInfo).port;
    return this.#port;
  }

  /** From now on nobody comes in; who is inside is served. An agent that is shown out must not come back to us. */
  shut(): void {
    this.#closed ??= new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** Streams have been ended by their owners; what still hangs after a moment is cut. */
  async close(): Promise<void> {
    this.shut();
    this.#server.closeIdleConnections();
    const cut = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, 250);
    await this.#closed;
    clearTimeout(cut);
    for (const socket of this.#sockets) socket.destroy();
  }

  #request(request: IncomingMessage, response: ServerResponse): void {
    const found = this.#find('http', request);
    if (!found.ok) {
      answer(response, found.status, found.why);
      return;
    }
    found.entrance.request?.(request, response).catch((error: Error) => {
      this.#options.log('error', `${found.entrance.name}: ${error.stack ?? error.message}`);
      answer(response, 500, 'something went wrong inside the companion');
    });
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const found = this.#find('upgrade', request);
    if (!found.ok) {
      refuse(socket, found.status);
      return;
    }
    found.entrance.upgrade?.(request, socket, head).catch((error: Error) => {
      this.#options.log('error', `${found.entrance.name}: ${error.stack ?? error.message}`);
      refuse(socket, 500);
    });
  }

  #find(
    kind: Entrance['kind'],
    request: IncomingMessage,
  ): Extract<Check, { ok: false }> | { ok: true; entrance: Entrance } {
    const origin = checkOrigin(request.headers);
    if (!origin.ok) return origin;
    const host = checkHost(request.headers, this.#port, this.#options.hostNames);
    if (!host.ok) return host;
    const path = request.url?.split('?', 1)[0] ?? '';
    const here = this.#entrances.filter((entrance) => entrance.kind === kind && leadsTo(entrance, path));
    if (here.length === 0) return { ok: false, status: 404, why: 'there is nothing here' };
    // Every token is compared, so that time does not tell which one was nearly right.
    const entrance = here.filter((each) => sameToken(each.token(request.headers), each.secret))[0];
    if (!entrance) return { ok: false, status: 401, why: 'the token is missing or wrong' };
    return { ok: true, entrance };
  }
}

function leadsTo(entrance: Entrance, path: string): boolean {
  return entrance.path.endsWith('/') && entrance.kind === 'http'
    ? path.startsWith(entrance.path)
    : path === entrance.path;
}

function answer(response: ServerResponse, status: number, why: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // The body of a refused request is not read, so the connection cannot be used again.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ error: why }));
}

/** Before or instead of a WebSocket there is only the bare socket to answer on. */
function refuse(socket: Duplex, status: number): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
