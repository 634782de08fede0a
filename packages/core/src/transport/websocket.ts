import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import type { WebSocket } from 'ws';
import { isMessage, notAMessage, rpcErrorBody } from './message.ts';

/** One WebSocket as an MCP transport: a text frame is a message. The library has none for servers. */
export class WebSocketTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  async start(): Promise<void> {
    this.#socket.on('message', (data) => this.#receive(data.toString()));
    this.#socket.on('close', () => this.onclose?.());
    this.#socket.on('error', (error) => this.onerror?.(error));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  async close(): Promise<void> {
    this.#socket.close(1001, 'the companion stops');
  }

  #receive(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      this.#socket.send(JSON.stringify(rpcErrorBody(null, -32700, 'the message is not JSON')));
      return;
    }
    if (!isMessage(message)) {
      this.#socket.send(JSON.stringify(notAMessage(message)));
      return;
    }
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error as Error); // the library may choke on what it tries to describe
    }
  }
}
