import { Agent, type IncomingMessage, request } from 'node:http';
import { WebSocket } from 'ws';

/** Agents reduced to what a measurement needs. They hear the newest text on their link without decoding all of it. */
export interface Client {
  connect(): Promise<void>;
  /** Called with every piece that arrives on the stream. */
  onbytes: (text: string) => void;
  /** The newest message, decoded. */
  readonly last: unknown;
  drop(): void;
}

/** Gemini CLI's way: a session over HTTP with an event stream. */
export class HttpClient implements Client {
  onbytes: (text: string) => void = () => {};
  readonly #port: number;
  readonly #token: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #session: string | undefined;
  #stream: IncomingMessage | undefined;
  #tail = '';
  #id = 0;

  constructor(port: number, token: string) {
    this.#port = port;
    this.#token = token;
  }

  async connect(): Promise<void> {
    await this.ask('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1.0.0' },
    });
    await this.post(Buffer.from('{"jsonrpc":"2.0","method":"notifications/initialized"}'));
    await this.#openStream();
  }

  /** A request as bytes, so that encoding it is not measured. */
  encode(method: string, params: object): Buffer {
    this.#id += 1;
    return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: this.#id, method, params }));
  }

  ask(method: string, params: object): Promise<string> {
    return this.post(this.encode(method, params));
  }

  tool(name: string, args: object): Buffer {
    return this.encode('tools/call', { name, arguments: args });
  }

  post(body: Buffer): Promise<string> {
    return new Promise((resolve, reject) => {
      const sent = request({ ...this.#where, method: 'POST', headers: this.#headers(body), agent: this.#agent });
      sent.on('error', reject);
      sent.on('response', (response) => {
        this.#session ??= response.headers['mcp-session-id'] as string | undefined;
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => {
          if ((response.statusCode ?? 0) >= 300) reject(new Error(`${response.statusCode} ${text}`));
          else resolve(text);
        });
      });
      sent.end(body);
    });
  }

  get last(): unknown {
    const end = this.#tail.lastIndexOf('\n\n');
    const begin = this.#tail.lastIndexOf('\ndata: ', end);
    return begin < 0 ? undefined : JSON.parse(this.#tail.slice(begin + 7, this.#tail.indexOf('\n', begin + 7)));
  }

  drop(): void {
    this.#stream?.destroy();
    this.#agent.destroy();
  }

  get #where() {
    return { host: '127.0.0.1', port: this.#port, path: '/mcp' };
  }

  #headers(body: Buffer): Record<string, string> {
    return {
      authorization: `Bearer ${this.#token}`,
      'content-type': 'application/json',
      'content-length': String(body.length),
      accept: 'application/json, text/event-stream',
      ...this.#sessionHeaders(),
    };
  }

  #sessionHeaders(): Record<string, string> {
    if (this.#session === undefined) return {};
    return { 'mcp-session-id': this.#session, 'mcp-protocol-version': '2025-06-18' };
  }

  #openStream(): Promise<void> {
    return new Promise((resolve, reject) => {
      const authorization = `Bearer ${this.#token}`;
      const headers = { authorization, accept: 'text/event-stream', ...this.#sessionHeaders() };
      const asked = request({ ...this.#where, headers, agent: false });
      asked.on('error', reject);
      asked.on('response', (response) => {
        this.#stream = response;
        response.setEncoding('utf8');
        response.on('error', () => {});
        response.on('data', (text: string) => {
          this.#tail = (this.#tail + text).slice(-16_384);
          this.onbytes(text);
          resolve();
        });
      });
      asked.end();
    });
  }
}

/** Claude Code's way: one WebSocket. */
export class SocketClient implements Client {
  onbytes: (text: string) => void = () => {};
  readonly #socket: WebSocket;
  #last = '';

  constructor(port: number, token: string) {
    const headers = token === '' ? {} : { 'x-claude-code-ide-authorization': token };
    this.#socket = new WebSocket(`ws://127.0.0.1:${port}/`, token === '' ? [] : ['mcp'], { headers });
    this.#socket.on('error', () => {});
    this.#socket.on('message', (data) => {
      this.#last = data.toString();
      this.onbytes(this.#last);
    });
  }

  async opened(): Promise<void> {
    if (this.#socket.readyState === WebSocket.OPEN) return;
    await new Promise<void>((resolve, reject) => {
      this.#socket.once('open', resolve);
      this.#socket.once('error', reject);
    });
  }

  async connect(): Promise<void> {
    await this.opened();
    await this.#ask(0, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'claude-code', version: '2.1.325' },
    });
    this.#send({ method: 'notifications/initialized' });
    this.#send({ method: 'ide_connected', params: { pid: process.pid } });
    await this.#ask(1, 'tools/list', {});
    // The companion keeps silent for a while after the handshake; then the first context comes.
    await new Promise((resolve) => this.#socket.once('message', resolve));
  }

  get last(): unknown {
    return this.#last === '' ? undefined : JSON.parse(this.#last);
  }

  drop(): void {
    this.#socket.terminate();
  }

  async #ask(id: number, method: string, params: object): Promise<void> {
    this.#send({ id, method, params });
    await new Promise((resolve) => this.#socket.once('message', resolve));
  }

  #send(message: object): void {
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }
}
