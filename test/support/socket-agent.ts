import { WebSocket } from 'ws';
import type { Message } from './http-agent.ts';
import { until } from './world.ts';

/** Speaks to the WebSocket as Claude Code does. */
export class SocketAgent {
  readonly socket: WebSocket;
  readonly received: Message[] = [];
  readonly opened: Promise<void>;
  closed: { code: number; reason: string } | undefined;
  #id = 0;

  constructor(
    port: number,
    token: string | undefined,
    options: { protocols?: string[]; headers?: Record<string, string>; path?: string } = {},
  ) {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}${options.path ?? '/'}`, options.protocols ?? ['mcp'], {
      headers: { ...(token === undefined ? {} : { 'x-claude-code-ide-authorization': token }), ...options.headers },
    });
    this.socket.on('message', (data) => this.received.push(JSON.parse(data.toString())));
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
    });
    this.opened = new Promise((resolve, reject) => {
      this.socket.once('open', resolve);
      this.socket.once('error', reject);
    });
    this.opened.catch(() => {});
    this.socket.on('error', () => {});
  }

  notify(method: string, params?: object): void {
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', method, ...(params ? { params } : {}) }));
  }

  /** Sends a request; the answer is whatever has its id. */
  async request(method: string, params?: object): Promise<Message> {
    const id = this.ask(method, params);
    return until(`an answer to ${method}`, () => this.received.find((message) => message.id === id));
  }

  /** Sends a request and returns its id. */
  ask(method: string, params?: object): number {
    const id = this.#id;
    this.#id += 1;
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) }));
    return id;
  }

  answerTo(id: number): Message {
    return this.received.find((message) => message.id === id);
  }

  async call(name: string, args: object = {}): Promise<Message> {
    return this.request('tools/call', { name, arguments: args });
  }

  /** The text blocks of a tool's result. */
  async texts(name: string, args: object = {}): Promise<string[]> {
    const answer = await this.call(name, args);
    if (answer.error) throw new Error(answer.error.message);
    return answer.result.content.map((block: { text: string }) => block.text);
  }

  async connect(pid = process.pid): Promise<this> {
    await this.opened;
    await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: { roots: { listChanged: true } },
      clientInfo: { name: 'claude-code', version: '2.1.325' },
    });
    this.notify('notifications/initialized');
    this.notify('ide_connected', { pid });
    await this.request('tools/list');
    return this;
  }

  notified(method: string): Message[] {
    return this.received.filter((message) => message.method === method).map((message) => message.params);
  }
}
