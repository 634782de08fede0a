import assert from 'node:assert/strict';
import { fork, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect as connectSocket, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { IdeMcpLink } from '../packages/core/src/dialects/ide-mcp/link.ts';
import { DIALECTS, type Dialect, MemoryEditor, Registry } from '../packages/core/src/index.ts';
import { HttpAgent, send } from './support/http-agent.ts';
import { SocketAgent } from './support/socket-agent.ts';
import { createWorld, type Running, startCompanion, until, type World } from './support/world.ts';

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}

const startAgain = (t: TestContext, world: World) => startCompanion(t, { world });

test('[ALL-1] only loopback is listened on, on a port the system assigns', async (t) => {
  const { companion } = await startCompanion(t);
  assert.ok(companion.port > 1024);
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const outside = addresses.find((address) => !address.internal && address.family === 'IPv4');
  if (!outside) return t.diagnostic('this machine has no address besides loopback to try');
  const refused = await new Promise((resolve) => {
    const socket = connectSocket({ host: outside.address, port: companion.port });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    socket.on('connect', () => {
      socket.destroy();
      resolve('connected');
    });
  });
  assert.equal(refused, 'ECONNREFUSED');
});

test('[ALL-2] every dialect has a token of its own, new for each companion', async (t) => {
  const [one, two] = [await startCompanion(t), await startCompanion(t)];
  const tokens = [one, two].flatMap((running) => ['claude', 'gemini', 'qwen'].map((dialect) => running.token(dialect)));
  assert.equal(new Set(tokens).size, 6);
  for (const token of tokens) assert.match(token, /^[0-9a-f]{64}$/);
});

test('[ALL-4] [ALL-5] the server answers before the first file is there; after stop every file is gone', async (t) => {
  const world = createWorld(t);
  const seen: string[] = [];
  const probing: Dialect = {
    ...(DIALECTS[0] as Dialect),
    files: (publication) => {
      seen.push(publication.port > 0 ? 'listening' : 'not yet');
      return DIALECTS[0]?.files(publication) ?? [];
    },
  };
  const { companion } = await startCompanion(t, { world, dialects: [probing, ...DIALECTS.slice(1)] });
  assert.deepEqual(seen, ['listening']);
  const files = [...filesBelow(world.home), ...filesBelow(world.tmp)];
  assert.equal(files.length, 5);
  for (const file of files) {
    assert.equal(statSync(file).mode & 0o777, 0o600, file);
    assert.equal(statSync(join(file, '..')).mode & 0o777, 0o700, file);
  }
  await companion.stop();
  assert.deepEqual([...filesBelow(world.home), ...filesBelow(world.tmp)], []);
});

test('[ALL-7] agents of all dialects at once, each with a review of the same file', async (t) => {
  const running = await startCompanion(t);
  const { port } = running.companion;
  const filePath = running.world.file('same.txt', 'old\n');
  const claude = await new SocketAgent(port, running.token('claude')).connect();
  const http = await Promise.all(
    ['gemini', 'qwen', 'gemini'].map((dialect) => new HttpAgent(port, running.token(dialect)).connect()),
  );
  const args = { old_file_path: filePath, new_file_path: filePath, new_file_contents: 'claude', tab_name: 't' };
  const asked = claude.ask('tools/call', { name: 'openDiff', arguments: args });
  for (const [i, agent] of http.entries()) await agent.call('openDiff', { filePath, newContent: `http ${i}` });
  await until('four reviews', () => running.companion.desk.reviews.length === 4);
  for (const review of running.companion.desk.reviews) {
    if (review.proposed === 'http 1') running.editor.reject(review.id);
    else running.editor.accept(review.id, `accepted ${review.proposed}`);
  }
  await until('every answer', () => claude.answerTo(asked) && http.every((agent) => agent.received.length > 1));
  assert.equal(claude.answerTo(asked).result.content[1].text, 'accepted claude');
  const decisions = http.map((agent) => [agent.notified('ide/diffAccepted'), agent.notified('ide/diffRejected')]);
  assert.deepEqual(decisions, [
    [[{ filePath, content: 'accepted http 0' }], []],
    [[], [{ filePath }]],
    [[{ filePath, content: 'accepted http 2' }], []],
  ]);
});

async function restartUnder(t: TestContext, first: Running): Promise<Running> {
  await first.companion.stop();
  return startAgain(t, first.world);
}

test('[ALL-9] hot restart: same port and tokens, agents stay, a review afterwards works', async (t) => {
  const first = await startCompanion(t);
  const { port } = first.companion;
  const tokens = ['claude', 'gemini', 'qwen'].map((dialect) => first.token(dialect));
  const claude = await new SocketAgent(port, first.token('claude')).connect();
  const gemini = await new HttpAgent(port, first.token('gemini')).connect();
  const session = gemini.session;
  const second = await restartUnder(t, first);
  assert.equal(second.companion.port, port);
  assert.deepEqual(
    ['claude', 'gemini', 'qwen'].map((dialect) => second.token(dialect)),
    tokens,
  );
  assert.equal(gemini.streamEnded, 'clean');
  assert.ok(claude.closed);
  await gemini.openStream();
  assert.equal(gemini.session, session);
  await gemini.call('openDiff', { filePath: '/x/a', newContent: 'after' });
  second.editor.accept(second.companion.desk.reviews[0]?.id ?? '');
  await until('the decision', () => gemini.notified('ide/diffAccepted').length === 1);
  const [link] = second.companion.links.all;
  assert.equal(link?.agent.version, '0.61.0', 'what it said of itself is remembered');
});

test('[ALL-9] an agent that was told to wait for its stream gets decisions and context before it is back', async (t) => {
  const first = await startCompanion(t);
  const gemini = await new HttpAgent(first.companion.port, first.token('gemini')).connect();
  const second = await restartUnder(t, first);
  await until('the end of the stream', () => gemini.streamEnded === 'clean');
  assert.match(gemini.raw.join(''), /retry: 15000\n\n$/, 'long enough for a slow window');
  const before = gemini.contexts.length;
  const reply = await gemini.call('openDiff', { filePath: '/x/a', newContent: 'after' });
  assert.deepEqual(reply.result.content, []);
  await until('the context', () => gemini.contexts.length > before);
  second.editor.accept(second.companion.desk.reviews[0]?.id ?? '');
  await until('the decision', () => gemini.notified('ide/diffAccepted').length === 1);
  await gemini.openStream();
  await gemini.call('openDiff', { filePath: '/x/b', newContent: 'after' });
  second.editor.accept(second.companion.desk.reviews[0]?.id ?? '');
  await until('the decision on the stream', () => gemini.notified('ide/diffAccepted').length === 2);
  assert.equal(second.companion.links.size, 1);
  assert.deepEqual(second.editor.notices, []);
});

test('[ALL-9] of an agent that comes back too late for diffs the user is told what to do', async (t) => {
  const first = await startCompanion(t);
  const gemini = await new HttpAgent(first.companion.port, first.token('gemini')).connect();
  await first.companion.stop();
  // As long after the stop as this, it was to be here.
  const second = await startCompanion(t, { world: first.world, limits: { restartMs: -60_000 } });
  await gemini.openStream();
  await until('the word', () => second.editor.notices.length === 1);
  assert.match(second.editor.notices[0]?.message ?? '', /^Gemini CLI .* Type \/ide enable in its terminal\.$/);
  assert.match(second.companion.links.all[0]?.lastError ?? '', /\/ide enable/);
});

test('[ALL-9] an agent that comes back at once does not come back to the companion that stops', async (t) => {
  const { companion, token } = await startCompanion(t);
  const { port } = companion;
  const claude = await new SocketAgent(port, token('claude')).connect();
  const again = new Promise<string>((resolve) => {
    claude.socket.once('close', () => {
      const socket = connectSocket({ host: '127.0.0.1', port });
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
      socket.once('connect', () => resolve('let in'));
    });
  });
  await companion.stop();
  assert.equal(await again, 'ECONNREFUSED');
});

test('[ALL-9] only agents are handed over: without any, a stop leaves nothing, and the next one starts fresh', async (t) => {
  const first = await startCompanion(t);
  const token = first.token('claude');
  const second = await restartUnder(t, first);
  assert.notEqual(second.token('claude'), token);
});

test('[ALL-5] [ALL-9] an agent that ended just before the companion is not handed over', async (t) => {
  const { companion, token, world } = await startCompanion(t);
  await new HttpAgent(companion.port, token('gemini')).connect();
  const [link] = companion.links.all as IdeMcpLink[];
  await until('its process', () => process.platform !== 'linux' || link?.agent.pid === process.pid);
  const dead = spawnSync(process.execPath, ['--version']).pid;
  link?.identify(dead);
  await companion.stop();
  assert.deepEqual([...filesBelow(world.home), ...filesBelow(world.tmp)], []);
});

test('[ALL-5] [ALL-9] a companion that hands nothing over leaves nothing, though an agent is there', async (t) => {
  const { companion, token, world } = await startCompanion(t, { handsOver: false });
  await new HttpAgent(companion.port, token('gemini')).connect();
  await companion.stop();
  assert.deepEqual([...filesBelow(world.home), ...filesBelow(world.tmp)], []);
});

test('[ALL-9] a window that had a folder more when it stopped is known again', async (t) => {
  const first = await startCompanion(t);
  first.editor.setFolders([first.world.workspace, first.world.home]);
  const gemini = await new HttpAgent(first.companion.port, first.token('gemini')).connect();
  const second = await restartUnder(t, first);
  assert.equal(second.companion.port, gemini.port);
  assert.equal(second.token('gemini'), gemini.token);
});

test('[ALL-9] another editor or another folder takes nothing over', async (t) => {
  const first = await startCompanion(t);
  await new HttpAgent(first.companion.port, first.token('gemini')).connect();
  const token = first.token('gemini');
  await first.companion.stop();
  const editor = new MemoryEditor({ folders: [first.world.workspace], info: { name: 'another' } });
  const other = await startCompanion(t, { world: first.world, editor });
  assert.notEqual(other.token('gemini'), token);
  const elsewhere = new MemoryEditor({ folders: [first.world.home] });
  assert.notEqual((await startCompanion(t, { world: first.world, editor: elsewhere })).token('gemini'), token);
  assert.equal((await startAgain(t, first.world)).token('gemini'), token, 'and leaves it for the one it is meant for');
});

test('[ALL-9] of two windows with the same folder each takes up what it left itself', async (t) => {
  const closed = await startCompanion(t);
  const reloaded = await startAgain(t, closed.world);
  const tokens = [closed, reloaded].map((window) => window.token('gemini'));
  for (const { companion, token } of [closed, reloaded]) await new HttpAgent(companion.port, token('gemini')).connect();
  await closed.companion.stop();
  await setTimeout(2); // records tell the time in milliseconds
  await reloaded.companion.stop();
  assert.equal((await startAgain(t, closed.world)).token('gemini'), tokens[1], 'the one that stopped last comes first');
  assert.equal((await startAgain(t, closed.world)).token('gemini'), tokens[0], 'the other is still there to be taken');
});

test('[ALL-9] an editor that knows its windows apart takes up what that window left', async (t) => {
  const world = createWorld(t);
  const start = (window: string) => {
    const editor = new MemoryEditor({ folders: [world.workspace], info: { window } });
    return startCompanion(t, { world, editor });
  };
  const [one, two] = [await start('one'), await start('two')];
  const tokens = [one, two].map((running) => running.token('gemini'));
  for (const { companion, token } of [one, two]) await new HttpAgent(companion.port, token('gemini')).connect();
  for (const { companion } of [one, two]) await companion.stop();
  assert.equal((await start('one')).token('gemini'), tokens[0]);
  assert.equal((await start('renamed')).token('gemini'), tokens[1], 'and else what is left of this folder');
});

test('[ALL-6] [ALL-9] after kill -9 the next companion clears up, and takes over port and tokens', async (t) => {
  const world = createWorld(t);
  const foreign = join(world.home, '.claude', 'ide', '1.lock');
  mkdirSync(join(foreign, '..'), { recursive: true, mode: 0o700 });
  writeFileSync(foreign, JSON.stringify({ pid: 999_999_999, workspaceFolders: [], transport: 'ws' }));
  const child = fork(join(import.meta.dirname, 'support', 'crashing-companion.ts'), [JSON.stringify(world)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const { port, tokens } = await new Promise<{ port: number; tokens: Record<string, string> }>((resolve) =>
    child.once('message', (message) => resolve(message as { port: number; tokens: Record<string, string> })),
  );
  const dead = [...filesBelow(world.home), ...filesBelow(world.tmp)].filter((file) => file !== foreign);
  assert.equal(dead.length, 5);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  const running = await startAgain(t, world);
  assert.equal(running.companion.port, port);
  assert.equal(running.token('claude'), tokens.claude);
  const now = [...filesBelow(world.home), ...filesBelow(world.tmp)];
  assert.equal(now.length, 6);
  assert.ok(now.includes(foreign));
  for (const file of now) {
    if (file === foreign) continue;
    const content = JSON.parse(readFileSync(file, 'utf8'));
    assert.equal(content.pid ?? content.tandem.pid, process.pid, file);
  }
});

test('[ALL-6] files of others stay: no mark, or a companion that lives', async (t) => {
  const world = createWorld(t);
  const other = await startCompanion(t, { world, editor: new MemoryEditor({ folders: [world.home] }) });
  const kept = other.companion.published.flatMap((each) => each.files);
  await startAgain(t, world);
  for (const file of kept) assert.ok(statSync(file, { throwIfNoEntry: false }), file);
});

test('[ALL-12] the unsaved text of a buffer is the left side of a review', async (t) => {
  const running = await startCompanion(t);
  const filePath = running.world.file('a.txt', 'on disk\n');
  await running.editor.openFile({ path: filePath, preview: false, focus: true });
  running.editor.type(filePath, 'unsaved\n');
  const agent = await new HttpAgent(running.companion.port, running.token('gemini')).connect();
  await agent.call('openDiff', { filePath, newContent: 'new\n' });
  const before = await running.companion.desk.reviews[0]?.before;
  assert.deepEqual(before, { text: 'unsaved\n', exists: true, unsaved: true, lineEnding: 'lf' });
});

test('[ALL-11] [ALL-3] the port is taken: start fails and leaves nothing', async (t) => {
  const world = createWorld(t);
  const blocker = createServer().listen(0, '127.0.0.1');
  t.after(() => blocker.close());
  await new Promise((resolve) => blocker.once('listening', resolve));
  const { port } = blocker.address() as { port: number };
  await assert.rejects(startCompanion(t, { world, port }), /EADDRINUSE/);
  assert.deepEqual([...filesBelow(world.home), ...filesBelow(world.tmp)], []);
});

test('[ALL-3] a name for containers is an opt-in', async (t) => {
  const strict = await startCompanion(t);
  const open = await startCompanion(t, { hostNames: ['host.docker.internal'] });
  const ask = (running: Running) => {
    const { port } = running.companion;
    const headers = { host: `host.docker.internal:${port}`, authorization: `Bearer ${running.token('gemini')}` };
    return send(port, { headers, body: '{}' });
  };
  assert.equal((await ask(strict)).status, 403);
  assert.equal((await ask(open)).status, 400);
});

test('after stop nothing is left: no handle, no socket, no file, no timer', async (t) => {
  const world = createWorld(t);
  const handles = () =>
    process
      .getActiveResourcesInfo()
      .filter((name) => name !== 'PipeWrap' && name !== 'TTYWrap')
      .sort();
  const descriptors = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
  // Once before counting: the first run loads modules and opens what stays open for good.
  for (const round of ['warm up', 'counted']) {
    const before = descriptors();
    const running = await startCompanion(t, { world });
    const claude = await new SocketAgent(running.companion.port, running.token('claude')).connect();
    const gemini = await new HttpAgent(running.companion.port, running.token('gemini')).connect();
    await gemini.call('openDiff', { filePath: '/x/a', newContent: 'text' });
    await running.companion.stop();
    gemini.drop();
    await until('the socket closes', () => claude.closed);
    if (round === 'warm up') continue;
    await until('no handle is open', () => handles().length === 0).catch(() => assert.deepEqual(handles(), []));
    await until('the descriptors of before', () => descriptors() <= before).catch(() =>
      assert.equal(descriptors(), before),
    );
  }
  const left = [...filesBelow(world.home), ...filesBelow(world.tmp)];
  assert.deepEqual(
    left.filter((file) => !file.includes('/.tandem/run/')),
    [],
    'only the handover for the agents remains',
  );
  assert.equal((await new Registry({ home: world.home, tmp: world.tmp, env: {} }).living()).length, 0);
});

test('stop may be called twice, and before start has done anything', async (t) => {
  const { companion } = await startCompanion(t);
  await Promise.all([companion.stop(), companion.stop()]);
  await companion.stop();
});
