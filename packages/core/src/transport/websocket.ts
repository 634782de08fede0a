import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import type { WebSocket } from 'ws';

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
    let message: JSONRPCMessage;
    try {
      message = JSON.parse(text);
    } catch {
      void this.send({ jsonrpc: '2.0', error: { code: -32700, message: 'the message is not JSON' } } as JSONRPCMessage);
      return;
    }
    this.onmessage?.(message);
  }
}
