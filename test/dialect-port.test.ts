import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { DIALECTS, type Dialect, type House, type Link, type Publication } from '../packages/core/src/index.ts';
import { startCompanion, until } from './support/world.ts';

/**
 * A dialect of a quite different kind, as some agents have it: a socket in a folder of the agent's own, length-framed
 * JSON, the agent asks and is never told, no token, no tools. It needs nothing of the house but this one object.
 */
const pulling: Dialect = {
  id: 'pulling',
  agent: 'Pulling Agent',
  start: { line: 'pull' },
  files: () => [],
  environment: () => ({}),
  load: () => Promise.reject(new Error('it has no door on the shared port')),
  listen: async (house, publication) => {
    const path = socketPath(publication);
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      serve(house, socket);
    });
    await new Promise<void>((resolve) => server.listen(path, resolve));
    return {
      close: async () => {
        for (const socket of sockets) socket.destroy();
        await new Promise((resolve) => server.close(resolve));
        rmSync(path, { force: true });
      },
    };
  },
};

function socketPath(publication: Pick<Publication, 'places'>): string {
  return join(publication.places.home, '.pull', 'ipc.sock');
}

function serve(house: House, socket: Socket): void {
  const link: Link = {
    id: 'pulling-1',
    agent: { id: 'pulling', name: 'Pulling Agent' },
    since: Date.now(),
    session: '',
    context: () => {},
    close: () => void socket.destroy(),
  };
  house.links.add(link);
  socket.on('close', () => house.links.remove(link));
  socket.on('data', () => {
    const active = house.context().active;
    const body = Buffer.from(JSON.stringify({ path: active?.path, text: active?.selections[0]?.text }));
    const head = Buffer.alloc(4);
    head.writeUInt32LE(body.length);
    socket.write(Buffer.concat([head, body]));
    house.ledger.note({ link: link.id, agent: 'pulling', what: 'context', paths: [], text: '' });
  });
}

test('a dialect that pulls over its own socket needs its own folder and one list', async (t) => {
  const running = await startCompanion(t, { dialects: [...DIALECTS, pulling] });
  const path = running.world.file('a.txt', 'pulled text');
  await running.editor.openFile({ path, preview: false, focus: true });
  running.editor.select(path, [{ start: { line: 0, character: 0 }, end: { line: 0, character: 6 } }]);
  const at = socketPath({ places: { home: running.world.home, tmp: '', env: {} } });
  const socket = createConnection(at);
  t.after(() => socket.destroy());
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.write('?');
  await until('an answer', () => Buffer.concat(chunks).length > 4);
  assert.deepEqual(JSON.parse(Buffer.concat(chunks).subarray(4).toString()), { path, text: 'pulled' });
  assert.equal(running.companion.links.all[0]?.agent.id, 'pulling');
  assert.equal(running.companion.ledger.entries.length, 1);
  await running.companion.stop();
  assert.ok(!existsSync(at));
});

test('a dialect that cannot be published does not take the others with it', async (t) => {
  const broken: Dialect = { ...pulling, id: 'broken', listen: () => Promise.reject(new Error('the socket is taken')) };
  const { companion, logged } = await startCompanion(t, { dialects: [broken, ...DIALECTS] });
  const [first, ...others] = companion.published;
  assert.equal(first?.error, 'the socket is taken');
  assert.deepEqual(first?.environment, {});
  for (const each of others) assert.equal(each.error, undefined);
  assert.match(logged.join('\n'), /Pulling Agent is not published: the socket is taken/);
});
