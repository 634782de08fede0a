import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { brotliCompressSync, constants } from 'node:zlib';
import { checkHost } from '@tandem/core';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Sessions } from './sessions.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Nothing from elsewhere, nothing inline but the editor's own styles, which it makes at run time with this nonce. */
const policy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const NONCE = '%nonce%';
const MAX_MESSAGE = 64 * 1024 * 1024;
const MAX_GREETING = 1000;

export interface PageServerOptions {
  readonly sessions: Sessions;
  /** The folder with the built page. */
  readonly assets: string;
  /** A page that was let in. */
  readonly welcome: (socket: WebSocket) => void;
  readonly admitted: () => void;
}

/** Serves the page and its WebSocket, on a port of its own: the agents' port refuses browsers. */
export class PageServer {
  readonly #options: PageServerOptions;
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  readonly #files = new Map<string, { plain: Buffer; brotli: Buffer }>();
  #port = 0;

  constructor(options: PageServerOptions) {
    this.#options = options;
    this.#server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000 }, (request, response) =>
      this.#request(request, response),
    );
    this.#sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE });
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  get port(): number {
    return this.#port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host: '127.0.0.1', port, exclusive: true }, resolve);
    });
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.close(1001, 'the workbench stops');
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const cut = setTimeout(() => {
      for (const socket of this.#sockets.clients) socket.terminate();
      this.#server.closeAllConnections();
    }, 200);
    await closed;
    clearTimeout(cut);
    this.#sockets.close();
  }

  /** Same-origin or nothing: also against a name that points here. */
  #refusal(request: IncomingMessage, originRequired: boolean): number | undefined {
    if (!checkHost(request.headers, this.#port).ok) return 403;
    const { origin } = request.headers;
    if (origin === undefined) return originRequired ? 403 : undefined;
    return origin === `http://${request.headers.host}` ? undefined : 403;
  }

  #request(request: IncomingMessage, response: ServerResponse): void {
    const nonce = randomBytes(16).toString('base64');
    response.setHeader('content-security-policy', policy(nonce));
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('referrer-policy', 'no-referrer');
    response.setHeader('cross-origin-opener-policy', 'same-origin');
    response.setHeader('cross-origin-resource-policy', 'same-origin');
    const refused = this.#refusal(request, request.method !== 'GET');
    if (refused !== undefined) return end(request, response, refused);
    const path = request.url?.split('?', 1)[0] ?? '/';
    if (request.method === 'POST' && path === '/session') return this.#admit(request, response);
    if (request.method !== 'GET') return end(request, response, 405);
    if (path === '/') this.#index(nonce, request, response);
    else this.#serve(path, request, response);
  }

  #index(nonce: string, request: IncomingMessage, response: ServerResponse): void {
    const file = this.#file('/index.html');
    if (!file) return end(request, response, 404);
    response.writeHead(200, { 'content-type': TYPES['.html'], 'cache-control': 'no-store' });
    response.end(file.plain.toString().replaceAll(NONCE, nonce));
  }

  /** The code comes in the body: it never stands in a request line, a log or a `Referer`. */
  #admit(request: IncomingMessage, response: ServerResponse): void {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
      if (body.length > 1000) request.destroy();
    });
    request.on('end', () => {
      const admission = this.#options.sessions.exchange(body);
      if (!admission) return end(request, response, 401);
      const cookie = `${this.#cookieName}=${admission.cookie}; HttpOnly; SameSite=Strict; Path=/`;
      response.writeHead(200, {
        'content-type': 'application/json',
        'set-cookie': cookie,
        'cache-control': 'no-store',
      });
      response.end(JSON.stringify({ key: admission.key }));
      this.#options.admitted();
    });
  }

  #serve(path: string, request: IncomingMessage, response: ServerResponse): void {
    const type = TYPES[extname(path)];
    const file = type && /^(\/[\w.-]+)+$/.test(path) && !path.includes('..') ? this.#file(path) : undefined;
    if (!type || !file) return end(request, response, 404);
    const brotli = request.headers['accept-encoding']?.includes('br') ?? false;
    response.writeHead(200, {
      'content-type': type,
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      ...(brotli ? { 'content-encoding': 'br' } : {}),
    });
    response.end(brotli ? file.brotli : file.plain);
  }

  #file(path: string): { plain: Buffer; brotli: Buffer } | undefined {
    const known = this.#files.get(path);
    if (known) return known;
    try {
      const plain = readFileSync(join(this.#options.assets, path));
      const file = { plain, brotli: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }) };
      this.#files.set(path, file);
      return file;
    } catch {
      return undefined;
    }
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const cookie = this.#cookie(request);
    const refused = this.#refusal(request, true) ?? (this.#options.sessions.knowsCookie(cookie) ? undefined : 401);
    if (refused !== undefined || request.url !== '/live') {
      socket.end(`HTTP/1.1 ${refused ?? 404} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => this.#greet(webSocket, cookie));
  }

  /** The first message must hold the key that goes with the cookie. */
  #greet(socket: WebSocket, cookie: string | undefined): void {
    socket.on('error', () => socket.terminate());
    const stranger = setTimeout(() => socket.close(4401, 'no key came'), 10_000);
    socket.once('close', () => clearTimeout(stranger));
    socket.once('message', (data) => {
      clearTimeout(stranger);
      const greeting = data.toString();
      if (greeting.length > MAX_GREETING) return socket.close(4401, 'the key is wrong');
      if (!this.#options.sessions.knows(cookie, keyIn(greeting))) return socket.close(4401, 'the key is wrong');
      this.#options.welcome(socket);
    });
  }

  get #cookieName(): string {
    return `tandem-${this.#port}`;
  }

  #cookie(request: IncomingMessage): string | undefined {
    const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
    return pairs.find(([name]) => name === this.#cookieName)?.[1];
  }
}

function keyIn(text: string): unknown {
  try {
    return JSON.parse(text).key;
  } catch {
    return undefined;
  }
}

function end(request: IncomingMessage, response: ServerResponse, status: number): void {
  request.resume();
  response.writeHead(status, { 'content-type': 'text/plain' });
  response.end();
}
