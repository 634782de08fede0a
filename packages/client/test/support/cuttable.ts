import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** A way to a companion that can be cut. It also corrects `Host`, which names the way and not the companion. */
export interface Cuttable {
  readonly port: number;
  /** Resets every connection, as a broken network does. */
  cut(): void;
}

export async function cuttable(t: TestContext, to: number): Promise<Cuttable> {
  const sockets = new Set<Socket>();
  let port = 0;
  const server = createServer((near) => {
    const far = connect({ host: '127.0.0.1', port: to });
    for (const [from, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => other.destroy());
      from.on('close', () => {
        sockets.delete(from);
        other.destroy();
      });
      from.on('end', () => other.end());
    }
    near.on('data', (chunk) => far.write(rewritten(chunk, port, to)));
    far.on('data', (chunk) => near.write(chunk));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  t.after(() => {
    cut();
    server.close();
  });
  return { port, cut };
}

function rewritten(chunk: Buffer, from: number, to: number): Buffer {
  const text = chunk.toString('latin1');
  if (!/^(GET|POST|DELETE) /.test(text)) return chunk;
  return Buffer.from(text.replace(`127.0.0.1:${from}`, `127.0.0.1:${to}`), 'latin1');
}
