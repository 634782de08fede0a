// After a VS Code has ended nothing of it may be left but the note that a reloaded window would take up.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { discoveryFiles } from '../../agents/leftovers.ts';
import type { Sandbox } from '../../agents/sandbox.ts';
import { waitFor } from '../../agents/wait.ts';

export async function assertNothingLeft(sandbox: Sandbox, ports: Iterable<number>): Promise<void> {
  const runs = () => sandbox.processes().map(({ pid, command }) => `${pid} ${command}`);
  await waitFor('all processes to end', () => runs().length === 0, 8000).catch(() => undefined);
  assert.deepEqual(runs(), [], 'processes left over');
  for (const port of ports) assert.equal(await listens(port), false, `port ${port} is still open`);
  assert.deepEqual(discoveryFiles(sandbox), [], 'discovery files left over');
  assert.deepEqual(liveRecords(sandbox), [], 'records left over that say a companion runs');
}

/** Records of companions that did not stop in order; a stopped one may leave a note that holds no live secret. */
function liveRecords(sandbox: Sandbox): string[] {
  const folder = join(sandbox.home, '.tandem', 'run');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).stoppedAt === undefined);
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
