import { Agent, type IncomingMessage, request } from 'node:http';
import { until } from './world.ts';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  readonly json: any;
}

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** One request, exactly as given. An answer that comes as a stream is read for as long as it is open, by `streamed`. */
export function send(
  port: number,
  raw: RawRequest,
  agent: Agent | false = false,
  streamed?: (message: Message) => void,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(raw.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(raw.body)) }),
      ...raw.headers,
    };
    const sent = request({
      host: '127.0.0.1',
      port,
      method: raw.method ?? 'POST',
      path: raw.path ?? '/mcp',
      headers,
      agent,
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      if (streamed && response.headers['content-type'] === 'text/event-stream') {
        readFrames(response, (message) => {
          streamed(message);
          if (!('id' in message)) return;
          const { statusCode = 0, headers } = response;
          resolve({ status: statusCode, headers, text: JSON.stringify(message), json: message });
        });
        response.on('error', reject);
        return;
      }
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        let json: unknown;
        try {
          json = JSON.parse(text);
        } catch {
          json = undefined;
        }
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
      });
    });
    sent.end(raw.body);
  });
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
export type Message = any;

function readFrames(response: IncomingMessage, take: (message: Message) => void): void {
  let rest = '';
  response.on('data', (chunk: Buffer) => {
    rest += chunk.toString();
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(rest.slice(0, end))?.[1];
      rest = rest.slice(end + 2);
      if (data !== undefined) take(JSON.parse(data));
    }
  });
}

/** Speaks to `/mcp` as Gemini CLI and Qwen Code do: initialize, initialized, the stream, then tools. */
export class HttpAgent {
  readonly port: number;
  readonly token: string;
  readonly version: string;
  session: string | undefined;
  readonly received: Message[] = [];
  readonly raw: string[] = [];
  streamEnded: 'no' | 'clean' | 'reset' = 'no';
  #stream: IncomingMessage | undefined;
  #id = 0;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(port: number, token: string, version = '2025-06-18') {
    this.port = port;
    this.token = token;
    this.version = version;
  }

  get headers(): Record<string, string> {
    return {
      authorization: `Bearer ${this.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(this.session === undefined ? {} : { 'mcp-session-id': this.session, 'mcp-protocol-version': this.version }),
    };
  }

  post(message: unknown): Promise<Reply> {
    const raw = { headers: this.headers, body: JSON.stringify(message) };
    return send(this.port, raw, this.#agent, (streamed) => this.received.push(streamed));
  }

  request(method: string, params?: object): Promise<Reply> {
    this.#id += 1;
    return this.post({ jsonrpc: '2.0', id: this.#id, method, ...(params ? { params } : {}) });
  }

  async call(name: string, args: object): Promise<Message> {
    const reply = await this.request('tools/call', { name, arguments: args });
    return reply.json;
  }

  async initialize(name = 'streamable-http-client'): Promise<Reply> {
    const reply = await this.request('initialize', {
      protocolVersion: this.version,
      capabilities: {},
      clientInfo: { name, version: '0.61.0' },
    });
    this.session = reply.headers['mcp-session-id'] as string | undefined;
    return reply;
  }

  initialized(): Promise<Reply> {
    return this.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  openStream(): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = { ...this.headers, accept: 'text/event-stream' };
      const asked = request({ host: '127.0.0.1', port: this.port, path: '/mcp', headers, agent: false });
      asked.on('error', reject);
      asked.on('response', (response) => {
        this.#stream = response;
        this.streamEnded = 'no';
        response.on('data', (chunk: Buffer) => this.raw.push(chunk.toString()));
        readFrames(response, (message) => this.received.push(message));
        response.on('end', () => {
          this.streamEnded = 'clean';
        });
        response.on('error', () => {
          this.streamEnded = 'reset';
        });
        resolve(response.statusCode ?? 0);
      });
      asked.end();
    });
  }

  async connect(): Promise<this> {
    await this.initialize();
    await this.initialized();
    await this.openStream();
    await until('the first context', () => this.contexts.length > 0);
    return this;
  }

  get contexts(): Message[] {
    return this.received.filter((message) => message.method === 'ide/contextUpdate');
  }

  get openFiles(): Message[] {
    return this.contexts.at(-1)?.params.workspaceState.openFiles ?? [];
  }

  notified(method: string): Message[] {
    return this.received.filter((message) => message.method === method).map((message) => message.params);
  }

  /** As a killed process: every socket just closes. */
  drop(): void {
    this.#stream?.destroy();
    this.#agent.destroy();
  }
}
