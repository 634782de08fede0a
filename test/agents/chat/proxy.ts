// Stands between a client and a daemon, and breaks the connection in all the ways a network can.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

interface Pair {
  readonly client: Socket;
  readonly daemon: Socket;
  /** It carries events. */
  stream: boolean;
  /** Bytes of events that came through. */
  passed: number;
}

export class TcpProxy {
  readonly #pairs = new Set<Pair>();
  readonly #server = createServer((client) => this.#accept(client));
  #target: number;
  #cutAfter: number | undefined;
  #stalled = false;
  /** Streams that were opened. */
  streams = 0;
  cuts = 0;

  private constructor(target: number) {
    this.#target = target;
  }

  static async start(target: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Whoever connects from now on gets to another daemon. */
  retarget(port: number): void {
    this.#target = port;
  }

  /** Every event stream is cut after so many bytes, wherever that is in a frame. */
  cutEvery(bytes: number | undefined): void {
    this.#cutAfter = bytes;
  }

  drop(): void {
    for (const pair of this.#pairs) this.#cut(pair);
  }

  /** The client's side no longer reads its streams. */
  stall(stalled: boolean): void {
    this.#stalled = stalled;
    for (const pair of this.#pairs) {
      if (!pair.stream) continue;
      if (stalled) pair.daemon.pause();
      else pair.daemon.resume();
    }
  }

  async close(): Promise<void> {
    this.drop();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(client: Socket): void {
    const daemon = connect(this.#target, '127.0.0.1');
    const pair: Pair = { client, daemon, stream: false, passed: 0 };
    this.#pairs.add(pair);
    for (const socket of [client, daemon]) {
      socket.on('error', () => this.#cut(pair));
      socket.on('close', () => this.#cut(pair));
    }
    client.on('data', (chunk: Buffer) => {
      const head = chunk.toString('latin1');
      if (/^GET \S+\/events/.test(head)) {
        pair.stream = true;
        this.streams += 1;
        if (this.#stalled) daemon.pause();
      }
      // The daemon wants to be called by its own name.
      daemon.write(Buffer.from(head.replace(/^(host: 127\.0\.0\.1:)\d+/im, `$1${this.#target}`), 'latin1'));
    });
    daemon.on('data', (chunk: Buffer) => this.#pass(pair, chunk));
  }

  #pass(pair: Pair, chunk: Buffer): void {
    const room = this.#cutAfter !== undefined && pair.stream ? this.#cutAfter - pair.passed : undefined;
    pair.passed += chunk.length;
    if (room === undefined || chunk.length < room) {
      pair.client.write(chunk);
      return;
    }
    pair.client.end(chunk.subarray(0, Math.max(0, room)));
    pair.daemon.destroy();
    this.#pairs.delete(pair);
    this.cuts += 1;
  }

  #cut(pair: Pair): void {
    if (!this.#pairs.delete(pair)) return;
    pair.client.destroy();
    pair.daemon.destroy();
  }
}
