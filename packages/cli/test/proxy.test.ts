import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ForeignCompanion, type ForeignOptions } from '../../../test/support/foreign-companion.ts';
import type { Message } from '../../../test/support/http-agent.ts';
import { createWorld, until, type World } from '../../../test/support/world.ts';
import { type CompanionLink, connect, here } from '../../client/src/index.ts';
import { Companion, MemoryEditor } from '../../core/src/index.ts';
import { PathMap } from '../src/proxy/path-map.ts';
import { patternAt } from '../src/proxy/pattern.ts';
import { run, SOURCE } from './support/source.ts';

interface Proxied {
  readonly world: World;
  readonly foreign: ForeignCompanion;
  readonly child: ChildProcess;
  readonly events: Message[];
  readonly ready: Message;
  readonly ended: Promise<number | null>;
  errors(): string;
}

async function proxied(
  t: TestContext,
  options: { args?: readonly string[]; foreign?: Partial<ForeignOptions>; world?: World } = {},
): Promise<Proxied> {
  const world = options.world ?? createWorld(t);
  const settings = { home: world.home, folders: [world.workspace], ...options.foreign };
  const foreign = await new ForeignCompanion(settings).start();
  const env = { HOME: world.home, TMPDIR: world.tmp, PATH: '/usr/bin:/bin' };
  const child = spawn(process.execPath, [SOURCE, 'proxy', '--json', ...(options.args ?? [])], {
    cwd: world.workspace,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
    await foreign.stop();
  });
  const events: Message[] = [];
  let [rest, errors] = ['', ''];
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk;
  });
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) events.push(JSON.parse(line));
  });
  const ready = await until(
    'the proxy to be ready',
    () => events.find((event) => event.event === 'ready') ?? (child.exitCode !== null && { failed: errors }),
    15_000,
  );
  if (ready.failed !== undefined) throw new Error(ready.failed);
  return { world, foreign, child, events, ready, ended, errors: () => errors };
}

async function agent(
  t: TestContext,
  world: World,
  dialect: 'gemini' | 'qwen',
  cwd = world.workspace,
): Promise<CompanionLink> {
  const around = { ...here(), cwd, env: {}, home: world.home, tmp: world.tmp };
  const link = await connect(dialect, { around });
  t.after(() => link.close());
  return link;
}

for (const dialect of ['gemini', 'qwen'] as const) {
  test(`${dialect} works with an editor whose companion serves Claude Code alone`, async (t) => {
    const { world, foreign } = await proxied(t);
    const path = world.file('a.txt', 'one\ntwo\n');
    const link = await agent(t, world, dialect);
    assert.equal(link.endpoint.editor, 'Foreign Editor');
    foreign.tabs = [{ path: world.file('b.txt', 'b\n') }, { path, active: true }];
    foreign.select(path, 'two', { line: 1, character: 0 }, { line: 1, character: 3 });
    await until('the selection', () => link.context.files[0]?.selectedText === 'two');
    assert.deepEqual(link.context.files[0]?.cursor, { line: 2, character: 4 });
    await until('the other tab', () => link.context.files.some((file) => file.path.endsWith('b.txt')));

    const accepted = link.openDiff(path, 'new\n');
    await until('the diff in the foreign editor', () => foreign.diffs.length === 1);
    assert.deepEqual([foreign.diffs[0]?.path, foreign.diffs[0]?.text], [path, 'new\n']);
    foreign.accept(path, 'mine\n');
    assert.deepEqual(await accepted.decision, { kind: 'accepted', text: 'mine\n' });
    const rejected = link.openDiff(path, 'new\n');
    await until('the diff in the foreign editor', () => foreign.diffs.length === 1);
    foreign.reject(path);
    assert.deepEqual(await rejected.decision, { kind: 'rejected' });
    const closed = link.openDiff(path, 'new\n');
    await until('the diff in the foreign editor', () => foreign.diffs.length === 1);
    await closed.close();
    await until('the foreign editor to close it', () => foreign.diffs.length === 0);
    assert.equal(readFileSync(path, 'utf8'), 'one\ntwo\n');
  });
}

test('an empty text that the agent cannot be given is shown again, and the user is told', async (t) => {
  const { world, foreign, events } = await proxied(t);
  const path = world.file('a.txt', 'old\n');
  const link = await agent(t, world, 'gemini');
  const diff = link.openDiff(path, 'new\n');
  await until('the diff', () => foreign.diffs.length === 1);
  foreign.accept(path, '');
  await until('the notice', () => events.some((event) => event.event === 'notice' && /empty/.test(event.message)));
  await until('the diff again', () => foreign.diffs.length === 1);
  foreign.accept(path);
  assert.deepEqual(await diff.decision, { kind: 'accepted', text: 'new\n' });
});

test('a decision on the command line closes the diff in the editor, and an edit there shows the new text', async (t) => {
  const { world, foreign } = await proxied(t);
  const path = world.file('a.txt', 'old\n');
  const link = await agent(t, world, 'gemini');
  const diff = link.openDiff(path, 'new\n');
  await until('the diff', () => foreign.diffs.length === 1);
  writeFileSync(join(world.root, 'wanted'), 'edited\n');
  const port = String(link.endpoint.port);
  const amend = await run(world, ['review', 'edit', '--port', port], { env: { EDITOR: `cp ${world.root}/wanted` } });
  assert.equal(amend.code, 0, amend.stderr);
  await until('the new text', () => foreign.diffs[0]?.text === 'edited\n');
  assert.equal(foreign.diffs.length, 1);
  assert.equal((await run(world, ['review', 'accept', '--port', port])).code, 0);
  assert.deepEqual(await diff.decision, { kind: 'accepted', text: 'edited\n' });
  await until('the editor to close it', () => foreign.diffs.length === 0);
});

test('opening reaches the editor, and its diagnostics reach an agent over MCP', async (t) => {
  const { world, foreign, ready } = await proxied(t);
  const path = world.file('a.txt', 'same\nsame\nlast\n');
  const range = { start: { line: 2, character: 0 }, end: { line: 2, character: 4 } };
  foreign.diagnostics = [{ uri: `file://${path}`, diagnostics: [{ message: 'odd', severity: 'Warning', range }] }];
  const opened = await run(world, ['select', 'a.txt:3:1-3:5', '--port', String(ready.port)]);
  assert.equal(opened.code, 0, opened.stderr);
  assert.deepEqual([foreign.opened[0]?.filePath, foreign.opened[0]?.startText], [path, 'last']);
  const client = new Client({ name: 'probe', version: '1' }, { capabilities: {} });
  const env = { HOME: world.home, TMPDIR: world.tmp, PATH: '/usr/bin:/bin' };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [SOURCE, 'mcp'], cwd: world.workspace, env }),
  );
  t.after(() => client.close());
  const told = async () => JSON.stringify(await client.callTool({ name: 'get_diagnostics', arguments: {} }));
  await until('the diagnostic', async () => (await told()).includes(`${path}:3:1: warning: odd`), 10_000);
  foreign.diagnostics = [];
  await until('it to be mended', async () => (await told()).includes('No problems'), 10_000);
});

test('what the source cannot do is not announced, and Claude Code is left to the source unless asked', async (t) => {
  const { world, ready, foreign } = await proxied(t, { foreign: { tools: ['getWorkspaceFolders'] } });
  assert.deepEqual(
    ready.dialects.map((each: Message) => each.dialect),
    ['gemini', 'qwen'],
  );
  const link = await agent(t, world, 'gemini');
  assert.equal(link.can.diff, false);
  const open = await run(world, ['open', world.file('a.txt', 'x'), '--port', String(ready.port)]);
  assert.deepEqual([open.code, /cannot be asked to open files/.test(open.stderr)], [1, true]);
  assert.deepEqual(foreign.opened, []);
  const all = await proxied(t, { args: ['--with-claude'] });
  assert.deepEqual(
    all.ready.dialects.map((each: Message) => each.dialect),
    ['claude', 'gemini', 'qwen'],
  );
});

test('paths are mapped both ways', async (t) => {
  const world = createWorld(t);
  const { foreign } = await proxied(t, {
    world,
    foreign: { folders: ['/remote/project'] },
    args: ['--map', `/remote/project=${world.workspace}`],
  });
  const path = world.file('sub/a.txt', 'one\n');
  const link = await agent(t, world, 'qwen');
  foreign.tabs = [{ path: '/remote/project/sub/a.txt', active: true }];
  foreign.select('/remote/project/sub/a.txt', 'one', { line: 0, character: 0 }, { line: 0, character: 3 });
  await until('the selection', () => link.context.files[0]?.selectedText === 'one');
  assert.equal(link.context.files[0]?.path, path);
  const diff = link.openDiff(path, 'new\n');
  await until('the diff', () => foreign.diffs.length === 1);
  assert.equal(foreign.diffs[0]?.path, '/remote/project/sub/a.txt');
  foreign.accept('/remote/project/sub/a.txt');
  assert.deepEqual(await diff.decision, { kind: 'accepted', text: 'new\n' });
});

test('a source that restarts is found again and shows what still waits; one that is gone ends the proxy', async (t) => {
  const { world, foreign, child, ended, events, errors } = await proxied(t);
  const path = world.file('a.txt', 'old\n');
  const link = await agent(t, world, 'gemini');
  const diff = link.openDiff(path, 'new\n');
  await until('the diff', () => foreign.diffs.length === 1);
  await foreign.stop();
  await until('it to be missed', () =>
    events.some((event) => event.event === 'notice' && /is away/.test(event.message)),
  );
  await foreign.start(); // on another port
  await until('the diff again', () => foreign.diffs.length === 1, 15_000);
  foreign.accept(path, 'after all\n');
  assert.deepEqual(await diff.decision, { kind: 'accepted', text: 'after all\n' });
  await link.close();
  await foreign.stop();
  assert.equal(await ended, 1, `exit of ${child.pid}`);
  assert.match(errors(), /Foreign Editor is gone/);
});

test('our own lock is never a source, two are not guessed between, and a refused token is told', async (t) => {
  const world = createWorld(t);
  const places = { home: world.home, tmp: world.tmp, env: {} };
  const own = new Companion({ editor: new MemoryEditor({ folders: [world.workspace] }), places });
  await own.start();
  t.after(() => own.stop());
  const none = await run(world, ['proxy', '--json']);
  assert.equal(none.code, 3);
  assert.match(none.stderr, /no other companion serves/);
  const lock = own.published.find((each) => each.dialect.id === 'claude')?.files[0] ?? '';
  const loop = await run(world, ['proxy', '--lock', lock]);
  assert.deepEqual([loop.code, /Tandem's own/.test(loop.stderr)], [1, true]);
  assert.match((await run(world, ['proxy', '--port', String(own.port)])).stderr, /Tandem's own/);

  const settings = { home: world.home, folders: [world.workspace] };
  const [one, two] = [await new ForeignCompanion(settings).start(), await new ForeignCompanion(settings).start()];
  t.after(() => Promise.all([one.stop(), two.stop()]));
  const both = await run(world, ['proxy']);
  assert.equal(both.code, 3);
  assert.match(both.stderr, new RegExp(`--port ${one.port}`));
  const content = JSON.parse(readFileSync(one.lock, 'utf8'));
  writeFileSync(one.lock, JSON.stringify({ ...content, authToken: 'wrong' }));
  const refused = await run(world, ['proxy', '--port', String(one.port)]);
  assert.deepEqual([refused.code, /does not take our token/.test(refused.stderr)], [1, true]);
  mkdirSync(join(world.root, 'locks'));
  const odd = join(world.root, 'locks', '1.lock');
  writeFileSync(odd, JSON.stringify({ ...content, transport: 'sse' }));
  assert.match((await run(world, ['proxy', '--lock', odd])).stderr, /WebSocket/);
  assert.equal((await run(world, ['proxy', '--map', 'nothing'])).code, 2);
});

test('path rules: the longest counts, and the other side may be Windows', () => {
  const map = PathMap.parse(['/r=/l', '/r/deep=/elsewhere/', 'C:\\Users\\me=/mnt/c/Users/me']);
  assert.equal(map.toLocal('/r/a'), '/l/a');
  assert.equal(map.toLocal('/r'), '/l');
  assert.equal(map.toLocal('/rest'), '/rest');
  assert.equal(map.toLocal('/r/deep/x'), '/elsewhere/x');
  assert.equal(map.toRemote('/elsewhere/x'), '/r/deep/x');
  assert.equal(map.toLocal('C:\\Users\\me\\src\\a.ts'), '/mnt/c/Users/me/src/a.ts');
  assert.equal(map.toRemote('/mnt/c/Users/me/src/a.ts'), 'C:\\Users\\me\\src\\a.ts');
});

test('a place is named by the first text that is only there', () => {
  const at = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 0 } });
  assert.deepEqual(patternAt('a\nb\n', at(1)), { startText: 'b' });
  assert.deepEqual(patternAt('x\ny\nx\nz\n', at(2)), { startText: 'x\nz' });
  const range = { start: { line: 0, character: 1 }, end: { line: 0, character: 3 } };
  assert.deepEqual(patternAt('abcd', range), { startText: 'bc' });
  assert.deepEqual(patternAt('same\nsame', at(1)), {});
});
