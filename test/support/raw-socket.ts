import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { until } from './world.ts';

/** Bytes on a TCP connection, for what no well-behaved client would send. Gone after the test. */
export class RawSocket {
  readonly socket: Socket;
  received = '';
  closed = false;

  constructor(t: TestContext, port: number, first?: string) {
    this.socket = connect({ host: '127.0.0.1', port });
    this.socket.on('data', (chunk: Buffer) => {
      this.received += chunk.toString('latin1');
    });
    this.socket.on('error', () => {});
    this.socket.on('close', () => {
      this.closed = true;
    });
    if (first !== undefined) this.socket.write(first);
    t.after(() => this.socket.destroy());
  }

  write(text: string): void {
    if (this.socket.writable) this.socket.write(text);
  }

  get connected(): boolean {
    return this.socket.readyState === 'open';
  }

  get status(): number | undefined {
    const status = /^HTTP\/1\.1 (\d{3})/.exec(this.received)?.[1];
    return status === undefined ? undefined : Number(status);
  }

  /** The status that came before the other end closed. */
  async ended(what: string): Promise<number | undefined> {
    await until(what, () => this.closed);
    return this.status;
  }
}

/** An HTTP request head; a `undefined` header is left out. */
export function head(line: string, headers: Readonly<Record<string, string | undefined>>): string {
  const lines = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return `${[`${line} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`;
}

/** The head that turns a connection into Claude's WebSocket. */
export function upgradeHead(port: number, token: string | undefined, more: Record<string, string | undefined> = {}) {
  return head('GET /', {
    Host: `127.0.0.1:${port}`,
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'x-claude-code-ide-authorization': token,
    ...more,
  });
}
