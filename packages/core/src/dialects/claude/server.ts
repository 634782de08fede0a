import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { House } from '../../house.ts';
import type { DialectServer } from '../port.ts';
import { ClaudeLink } from './link.ts';

/** The WebSocket side of the shared port. */
export class ClaudeServer implements DialectServer {
  readonly #house: House;
  readonly #sockets: WebSocketServer;
  readonly #links = new Map<WebSocket, ClaudeLink>();
  readonly #silent = new WeakSet<WebSocket>();
  #keepAlive: NodeJS.Timeout | undefined;

  constructor(house: House) {
    this.#house = house;
    this.#sockets = new WebSocketServer({
      noServer: true,
      maxPayload: house.limits.messageBytes,
      // Without the echo the CLI fails; a client that offers none must get none.
      handleProtocols: (offered) => (offered.has('mcp') ? 'mcp' : false),
    });
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      this.#welcome(webSocket).catch((error: Error) => this.#house.log('error', `claude: ${error.message}`));
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#keepAlive);
    await Promise.all([...this.#links.values()].map((link) => link.close()));
    this.#sockets.close();
  }

  async #welcome(socket: WebSocket): Promise<void> {
    this.#makeRoom();
    const link = new ClaudeLink(this.#house, `claude-${randomUUID().slice(0, 8)}`, socket);
    this.#links.set(socket, link);
    const stranger = setTimeout(() => end(socket, 1008, 'no initialize came'), this.#house.limits.handshakeMs);
    link.onintroduced = () => clearTimeout(stranger);
    socket.on('pong', () => this.#silent.delete(socket));
    socket.on('error', () => {}); // a close follows and tells the link
    socket.on('close', () => {
      clearTimeout(stranger);
      link.leave(); // before the protocol object hears of it, so that reviews end for the right reason
      this.#links.delete(socket);
      if (this.#links.size === 0) {
        clearInterval(this.#keepAlive);
        this.#keepAlive = undefined;
      }
    });
    this.#keepAlive ??= setInterval(() => this.#breathe(), this.#house.limits.keepAliveMs);
    await link.connect();
  }

  /** Those that never introduce themselves make room for those that do. */
  #makeRoom(): void {
    const strangers = [...this.#links].filter(([, link]) => !link.introduced).map(([socket]) => socket);
    const [oldest] = strangers;
    if (oldest && strangers.length >= this.#house.limits.strangers) end(oldest, 1013, 'too many connections wait');
  }

  /** A half-open connection does not answer; its reviews must not wait for ever. */
  #breathe(): void {
    for (const socket of this.#links.keys()) {
      if (this.#silent.has(socket)) socket.terminate();
      else {
        this.#silent.add(socket);
        socket.ping();
      }
    }
  }
}

/** Says why and does not wait for the answer: a stranger may never give one. */
function end(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  setImmediate(() => socket.terminate());
}
