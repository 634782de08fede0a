import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve, tandem } from '../../../test/support/command.ts';
import { HttpAgent } from '../../../test/support/http-agent.ts';
import { SocketAgent } from '../../../test/support/socket-agent.ts';
import { createWorld, until, type World } from '../../../test/support/world.ts';

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}

const tokenIn = (file: string): string => JSON.parse(readFileSync(file, 'utf8')).authToken;

async function connectGemini(
  ready: { port: number; dialects: { dialect: string; discoveryFile: string }[] },
  dialect = 'gemini',
) {
  const file = ready.dialects.find((each) => each.dialect === dialect)?.discoveryFile ?? '';
  return new HttpAgent(ready.port, tokenIn(file)).connect();
}

/** A program that stands for the user's editor: writes its last argument's file anew. */
function fakeEditor(world: World, text: string): string {
  const path = join(world.root, 'my editor');
  writeFileSync(path, `#!/bin/sh\nprintf '%s' '${text}' > "$1"\n`);
  chmodSync(path, 0o755);
  return `"${path}"`;
}

test('serve --json: the first line is the ready event, complete', async (t) => {
  const world = createWorld(t);
  const { ready, events } = await serve(t, world);
  assert.equal(events[0], ready);
  assert.deepEqual(ready.workspaceFolders, [world.workspace]);
  assert.deepEqual(
    ready.dialects.map((each: { dialect: string }) => each.dialect),
    ['claude', 'gemini', 'qwen'],
  );
  for (const each of ready.dialects) {
    assert.ok(existsSync(each.discoveryFile), each.dialect);
    assert.ok(Object.keys(each.environment).length >= 2);
  }
});

test('[ALL-5] SIGINT, SIGTERM and SIGHUP stop it cleanly, and so does the end of a parent', async (t) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'stdin'] as const) {
    const world = createWorld(t);
    const { child, events, ended } = await serve(t, world, ['--json'], signal === 'stdin' ? 'pipe' : 'ignore');
    if (signal === 'stdin') {
      // An input that ends at once was never a parent's, so a parent's must have been open for a second.
      const started = Date.now();
      await until('a second', () => Date.now() - started > 1100);
      child.stdin?.end();
    } else child.kill(signal);
    assert.equal(await ended, 0, signal);
    assert.equal(events.at(-1).event, 'stopped');
    assert.deepEqual([...filesBelow(world.home), ...filesBelow(world.tmp)], [], signal);
  }
});

test('serve without --json tells a person what to do, without colours in a pipe, and no secret', async (t) => {
  const world = createWorld(t);
  const { output, child, ended } = await serve(t, world, ['--name', 'My Editor', '--no-agent', 'qwen']);
  const lock = join(world.home, '.claude', 'ide');
  const token = tokenIn(join(lock, readdirSync(lock)[0] ?? ''));
  await tandem(world, ['open', 'nothing.txt']);
  child.kill('SIGINT');
  await ended;
  assert.match(output(), /Claude Code {2}~\/\.claude\/ide\/\d+\.lock/);
  assert.match(output(), /claude --ide/);
  assert.ok(!output().includes('Qwen'));
  assert.ok(!output().includes('\x1b['));
  assert.ok(!output().includes(token));
});

test('status: what is published and who is connected', async (t) => {
  const world = createWorld(t);
  const { ready } = await serve(t, world);
  const agent = await connectGemini(ready);
  const { json } = await tandem(world, ['status', '--json']);
  assert.equal(json.port, ready.port);
  assert.deepEqual(json.workspaceFolders, [world.workspace]);
  assert.equal(json.dialects.length, 3);
  const [link] = json.links;
  assert.equal(link.agent, 'gemini');
  assert.equal(link.version, '0.61.0');
  assert.ok(!Number.isNaN(Date.parse(link.since)));
  if (process.platform === 'linux') {
    const withPid = await until('the pid', async () => (await tandem(world, ['status', '--json'])).json.links[0].pid);
    assert.equal(withPid, process.pid);
  }
  const { stdout } = await tandem(world, ['status']);
  assert.match(stdout, /Gemini CLI 0\.61\.0 +pid \d+ +since/);
  agent.drop();
});

test('review list, show, accept and reject from another terminal', async (t) => {
  const world = createWorld(t);
  const filePath = world.file('sub/ä b.txt', 'one\ntwo\n');
  const { ready, events } = await serve(t, world);
  const agent = await connectGemini(ready);
  assert.deepEqual((await tandem(world, ['review', 'list', '--json'])).json, []);
  await agent.call('openDiff', { filePath, newContent: 'one\nTWO\n' });
  const { json: list } = await tandem(world, ['review', 'list', '--json']);
  assert.equal(list.length, 1);
  assert.deepEqual(
    { ...list[0], openedAt: '', link: '' },
    {
      id: '1',
      agent: 'gemini',
      path: filePath,
      state: 'open',
      openedAt: '',
      link: '',
      outsideWorkspace: false,
    },
  );
  assert.match((await tandem(world, ['review', 'show'])).stdout, /^-two\n\+TWO$/m);
  const { json: shown } = await tandem(world, ['review', 'show', '1', '--json']);
  assert.equal(shown.original.text, 'one\ntwo\n');
  assert.deepEqual(shown.hunks[0].lines, [' one', '-two', '+TWO']);
  assert.equal((await tandem(world, ['review', 'accept', '1', '--json'])).json.state, 'accepted');
  await until('the decision', () => agent.notified('ide/diffAccepted').length === 1);
  assert.deepEqual(agent.notified('ide/diffAccepted')[0], { filePath, content: 'one\nTWO\n' });
  const late = await tandem(world, ['review', 'reject', '1']);
  assert.equal(late.code, 1);
  assert.match(late.stderr, /already accepted by the command line/);
  await agent.call('openDiff', { filePath, newContent: 'three\n' });
  assert.equal((await tandem(world, ['review', 'reject'])).code, 0);
  await until('the rejection', () => agent.notified('ide/diffRejected').length === 1);
  const states = events.filter((event) => event.event === 'review').map((event) => event.state);
  assert.deepEqual(states, ['open', 'accepted', 'open', 'rejected']);
  assert.equal(readFileSync(filePath, 'utf8'), 'one\ntwo\n', 'the companion writes nothing');
  agent.drop();
});

test('accept with a text of one’s own: from a file, from standard input, from $EDITOR', async (t) => {
  const world = createWorld(t);
  const { ready } = await serve(t, world);
  const agent = await connectGemini(ready);
  const filePath = join(world.workspace, 'new.txt');
  const accepted = async (args: string[], options: Parameters<typeof tandem>[2] = {}) => {
    const count = agent.notified('ide/diffAccepted').length;
    await agent.call('openDiff', { filePath, newContent: 'proposed\n' });
    const result = await tandem(world, ['review', 'accept', ...args], options);
    assert.equal(result.code, 0, result.stderr);
    await until('the decision', () => agent.notified('ide/diffAccepted').length > count);
    return agent.notified('ide/diffAccepted').at(-1).content;
  };
  assert.equal(await accepted(['--content-file', world.file('mine.txt', 'from a file\n')]), 'from a file\n');
  assert.equal(await accepted(['--content-file', '-'], { input: 'from stdin\n' }), 'from stdin\n');
  assert.equal(await accepted(['--edit'], { env: { EDITOR: fakeEditor(world, 'edited') } }), 'edited');
  agent.drop();
});

test('a text that cannot be had decides nothing', async (t) => {
  const world = createWorld(t);
  const { ready } = await serve(t, world);
  const agent = await connectGemini(ready);
  await agent.call('openDiff', { filePath: join(world.workspace, 'a'), newContent: 'proposed\n' });
  for (const [args, env] of [
    [['--content-file', 'missing.txt'], {}],
    [['--edit'], {}],
    [['--edit'], { EDITOR: 'false' }],
    [['--content-file', world.file('empty.txt', '')], {}],
  ] as const) {
    const { code, stderr } = await tandem(world, ['review', 'accept', ...args], { env });
    assert.equal(code, 1, stderr);
    assert.match(stderr, /^tandem: /);
  }
  assert.equal((await tandem(world, ['review', 'list', '--json'])).json.length, 1);
  assert.deepEqual(
    readdirSync(world.tmp).filter((name) => name.startsWith('tandem-review')),
    [],
  );
  agent.drop();
});

test('[QWEN-4] edits that an agent dropped can be written by the user', async (t) => {
  const world = createWorld(t);
  const filePath = world.file('a.txt', 'old\n');
  const { ready, events } = await serve(t, world);
  const agent = await connectGemini(ready, 'qwen');
  await agent.call('openDiff', { filePath, newContent: 'proposed\n' });
  assert.equal((await tandem(world, ['review', 'edit'], { env: { EDITOR: fakeEditor(world, 'mine') } })).code, 0);
  await agent.call('closeDiff', { filePath, suppressNotification: true });
  const notice = await until('the notice', () => events.find((event) => event.event === 'notice'));
  assert.match(notice.message, /review restore 1/);
  assert.equal((await tandem(world, ['review', 'restore', '1'])).code, 0);
  assert.equal(readFileSync(filePath, 'utf8'), 'mine');
  agent.drop();
});

test('open, select and send reach the agents; the ledger tells', async (t) => {
  const world = createWorld(t);
  world.file('a.ts', 'line one\nline two\nline three\nline four\nline five\n');
  const { ready } = await serve(t, world);
  const gemini = await connectGemini(ready);
  const claude = await new SocketAgent(ready.port, tokenIn(ready.dialects[0].discoveryFile)).connect();
  const path = join(world.workspace, 'a.ts');
  assert.equal((await tandem(world, ['open', 'a.ts'])).code, 0);
  await until('the file', () => gemini.openFiles[0]?.path === path);
  assert.deepEqual(gemini.openFiles[0].cursor, { line: 1, character: 1 });
  assert.equal((await tandem(world, ['select', 'a.ts:3:1-5:10'])).code, 0);
  await until('the selection', () => gemini.openFiles[0]?.selectedText === 'line three\nline four\nline five');
  assert.deepEqual(gemini.openFiles[0].cursor, { line: 5, character: 10 });
  const several = await tandem(world, ['send', 'a.ts:3-5']);
  assert.equal(several.code, 1);
  assert.match(several.stderr, /several agents.*--to/);
  assert.equal((await tandem(world, ['send', 'a.ts:3-5', '--to', 'claude'])).code, 0);
  await until('the mention', () => claude.notified('at_mentioned').length === 1);
  assert.deepEqual(claude.notified('at_mentioned')[0], { filePath: path, lineStart: 2, lineEnd: 4 });
  world.file('.env', 'SECRET=1');
  const denied = await tandem(world, ['send', '.env', '--to', 'claude']);
  assert.equal(denied.code, 1);
  assert.match(denied.stderr, /deny list/);
  const { json: ledger } = await tandem(world, ['ledger', '--json']);
  assert.ok(
    ledger.some((entry: { agent: string; what: string }) => entry.agent === 'claude' && entry.what === 'mention'),
  );
  assert.match((await tandem(world, ['ledger'])).stdout, /gemini {2}context: a\.ts/);
  gemini.drop();
});

test('it says clearly when there is no companion, or more than one', async (t) => {
  const world = createWorld(t);
  const none = await tandem(world, ['status']);
  assert.equal(none.code, 3);
  assert.match(none.stderr, /no companion serves .*\n.*tandem serve/);
  const first = await serve(t, world);
  const second = await serve(t, world);
  assert.ok(second.events.some((event) => event.event === 'notice' && /as well/.test(event.message)));
  const two = await tandem(world, ['review', 'list']);
  assert.equal(two.code, 3);
  assert.match(two.stderr, new RegExp(`more than one.*\\n.*--port.*${first.ready.port}`));
  assert.equal(
    (await tandem(world, ['status', '--json', '--port', String(second.ready.port)])).json.pid,
    second.ready.pid,
  );
  const inner = join(world.workspace, 'inner');
  mkdirSync(inner);
  first.child.kill();
  second.child.kill();
  await Promise.all([first.ended, second.ended]);
  const outer = await serve(t, world);
  const nested = await serve(t, { ...world, workspace: inner });
  assert.equal(
    (await tandem(world, ['status', '--json'], { cwd: inner })).json.port,
    nested.ready.port,
    'the innermost wins',
  );
  assert.equal((await tandem(world, ['status', '--json'])).json.port, outer.ready.port);
});

test('wrong usage: exit code 2, the reason, and where to read on', async (t) => {
  const world = createWorld(t);
  for (const [args, expected] of [
    [['nonsense'], /no command "nonsense"/],
    [['serve', '--no-agent', 'x'], /--no-agent: "x" is none of claude, gemini, qwen/],
    [['serve', '--share', 'maybe'], /--share: "maybe"/],
    [['serve', '--port', '99999'], /--port: "99999" is not a port/],
    [['serve', 'missing-folder'], /does not exist/],
    [['serve', '--bogus'], /--bogus/],
    [['select', 'a.ts:0:1-1:1'], /count from 1/],
    [['select', 'a.ts'], /is not FILE:3:1-5:10/],
    [['review', 'accept', '--edit', '--content-file', 'x'], /choose/],
    [['status', 'extra'], /"extra"/],
  ] as const) {
    const { code, stderr, stdout } = await tandem(world, args);
    assert.equal(code, 2, args.join(' '));
    assert.match(stderr, expected);
    assert.equal(stdout, '');
  }
});

test('--help for every command, --version', async (t) => {
  const world = createWorld(t);
  const { stdout } = await tandem(world, ['--help']);
  for (const name of ['serve', 'status', 'review', 'open', 'select', 'send', 'share', 'ledger', 'env', 'workbench']) {
    assert.match(stdout, new RegExp(`^  ${name}`, 'm'));
    assert.match((await tandem(world, [name, '--help'])).stdout, new RegExp(`^Usage: tandem ${name}`));
  }
  assert.match((await tandem(world, ['--version'])).stdout, /^\d+\.\d+\.\d+\n$/);
});

test('a taken port is told with the next step, and nothing is left', async (t) => {
  const world = createWorld(t);
  const { ready } = await serve(t, world);
  const other = createWorld(t);
  const { code, stderr } = await tandem(other, ['serve', '--port', String(ready.port)]);
  assert.equal(code, 1);
  assert.match(stderr, /port is taken.*\n.*leave out --port/s);
  assert.deepEqual([...filesBelow(other.home), ...filesBelow(other.tmp)], []);
});

test('share changes what agents are told', async (t) => {
  const world = createWorld(t);
  world.file('a.txt', 'x');
  const { ready } = await serve(t, world, ['--json', '--share', 'explicit', '--deny', '*.private']);
  const agent = await connectGemini(ready);
  await tandem(world, ['open', 'a.txt']);
  assert.match((await tandem(world, ['share'])).stdout, /explicit/);
  assert.equal((await tandem(world, ['share', 'auto'])).code, 0);
  await until('the file', () => agent.openFiles.length === 1);
  const { json } = await tandem(world, ['status', '--json']);
  assert.ok(json.deny.includes('*.private'));
  agent.drop();
});

test('whoever reads the events goes away: it stops and cleans up', async (t) => {
  const world = createWorld(t);
  const { child, ended, ready } = await serve(t, world);
  child.stdout?.destroy();
  // It notices when it next has something to say.
  await connectGemini(ready).catch(() => {});
  await ended;
  const left = [...filesBelow(world.home), ...filesBelow(world.tmp)];
  assert.deepEqual(
    left.filter((file) => !file.includes('.tandem')),
    [],
  );
});
