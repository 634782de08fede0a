// A daemon of a few lines that can misbehave as told: it keeps a ring of events and serves it as the real one does.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = readonly [status: number, body: unknown];

export class FakeDaemon {
  readonly requests: { method: string; url: string; headers: IncomingMessage['headers']; body: unknown }[] = [];
  readonly ring: object[] = [];
  epoch = 'epoch-1';
  /** How many events before the cursor it tells again. */
  overlap = 0;
  /** How many bytes of each stream get through, in turn; afterwards all of them. */
  cuts: number[] = [];
  /** Answers by "METHOD path", or by path alone. */
  readonly answers = new Map<string, Answer>();
  /** Asked first. */
  answering: (request: { method: string; url: string }) => Answer | undefined = () => undefined;
  readonly #live = new Set<ServerResponse>();
  readonly #server = createServer((req, res) => void this.#serve(req, res));

  static async start(): Promise<FakeDaemon> {
    const daemon = new FakeDaemon();
    await new Promise<void>((resolve) => daemon.#server.listen(0, '127.0.0.1', resolve));
    return daemon;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Adds an event and tells those who listen. */
  push(type: string, data: object, more: object = {}): void {
    const frame = { id: this.ring.length + 1, v: 1, type, data, ...more };
    this.ring.push(frame);
    for (const res of this.#live) res.write(wire(frame));
  }

  /** Streams that are open. */
  get listeners(): number {
    return this.#live.size;
  }

  dropAll(): void {
    for (const res of this.#live) res.socket?.destroy();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const { method = '', url = '' } = req;
    this.requests.push({ method, url, headers: req.headers, body: text === '' ? undefined : JSON.parse(text) });
    if (url.split('?')[0]?.endsWith('/events')) return this.#stream(req, res);
    const [status, body] = this.answering({ method, url }) ??
      this.answers.get(`${method} ${url}`) ??
      this.answers.get(url) ?? [404, { error: 'no route' }];
    res.writeHead(status, { 'content-type': 'application/json' });
    res.end(status === 204 ? undefined : JSON.stringify(body));
  }

  #stream(req: IncomingMessage, res: ServerResponse): void {
    res.writeHead(200, { 'content-type': 'text/event-stream', 'x-qwen-event-epoch': this.epoch });
    const after = Number(req.headers['last-event-id'] ?? Number.POSITIVE_INFINITY);
    const told = req.headers['x-qwen-event-epoch'];
    const reset = told !== undefined && told !== this.epoch;
    const resync = { v: 1, type: 'state_resync_required', data: { reason: 'epoch_reset' } };
    const missed = this.ring.slice(reset ? 0 : Math.max(0, after - this.overlap)).map(wire);
    const text = `retry: 3000\n\n${reset ? wire(resync) : ''}${missed.join('')}${wire({ v: 1, type: 'replay_complete', data: {} })}`;
    const cut = this.cuts.shift();
    if (cut === undefined) {
      res.write(text);
      this.#live.add(res);
      res.on('close', () => this.#live.delete(res));
      return;
    }
    res.write(Buffer.from(text).subarray(0, cut), () => res.socket?.destroySoon());
  }
}

function wire(frame: object): string {
  const { id, type } = frame as { id?: number; type: string };
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(frame)}\n\n`;
}
