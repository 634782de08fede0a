import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { WebSocket } from 'ws';
import type { Message } from '../support/http-agent.ts';
import { send } from '../support/http-agent.ts';
import { until } from '../support/world.ts';
import { Bench } from './support/bench.ts';
import { openFile, row } from './support/steps.ts';

/** A page that was let in and then says whatever it likes. */
class RawPage {
  readonly socket: WebSocket;
  readonly heard: Message[] = [];
  closed: number | undefined;
  #id = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => this.heard.push(JSON.parse(data.toString())));
    socket.on('close', (code) => {
      this.closed = code;
    });
    socket.on('error', () => {});
  }

  static async join(t: TestContext, bench: Bench): Promise<RawPage> {
    const { origin, host, port } = new URL(bench.workbench.origin);
    const code = new URL(bench.workbench.invite()).hash.slice(1);
    const reply = await send(Number(port), { path: '/session', body: code, headers: { host, origin } });
    const cookie = reply.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const socket = new WebSocket(`ws://${host}/live`, { headers: { origin, cookie } });
    t.after(() => socket.terminate());
    const page = new RawPage(socket);
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ key: reply.json.key }));
    await until('the shell', () => page.heard.some((message) => message.tell === 'shell'));
    return page;
  }

  async ask(ask: string, input: unknown): Promise<Message> {
    this.#id += 1;
    const id = this.#id;
    this.socket.send(JSON.stringify({ id, ask, input }));
    return until(`an answer to ${ask}`, () => this.heard.find((message) => message.id === id));
  }
}

test('no request reaches a file outside the workspace: traversal, absolute paths, symlinks', async (t) => {
  const bench = await Bench.start(t, { files: { 'a.txt': 'one\n', 'src/b.txt': 'b\n' } });
  const outside = join(bench.world.root, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.txt'), 'secret\n');
  symlinkSync(outside, bench.path('out'));
  symlinkSync(join(outside, 'secret.txt'), bench.path('secret-link.txt'));
  symlinkSync(join(outside, 'not-there.txt'), bench.path('dangling.txt'));
  const page = await RawPage.join(t, bench);
  const bad = [
    '/etc/passwd',
    join(outside, 'secret.txt'),
    `${bench.world.workspace}/../outside/secret.txt`,
    `${bench.world.workspace}/src/../../outside/secret.txt`,
    bench.path('out/secret.txt'),
    bench.path('secret-link.txt'),
    bench.path('dangling.txt'),
    'a.txt',
    '../outside/secret.txt',
    '',
    `${bench.path('a.txt')}\0`,
    `${bench.world.workspace}-not/a.txt`,
    '~/x',
    'file:///etc/passwd',
  ];
  const asks: Record<string, (path: string) => unknown> = {
    tree: (path) => ({ path, all: true }),
    open: (path) => ({ path }),
    restore: (path) => ({ path, text: 'planted', disk: '' }),
    save: (path) => ({ path, overwrite: true }),
    reload: (path) => ({ path }),
    close: (path) => ({ path, discard: true }),
    focus: (path) => ({ path }),
    keep: (path) => ({ path }),
    since: (path) => ({ path, version: 0 }),
    select: (path) => ({ path, version: 0, ranges: [] }),
    push: (path) => ({ path, version: 0, updates: [] }),
    create: (path) => ({ path: `${path}/new.txt`, kind: 'file' }),
    rename: (path) => ({ from: path, to: bench.path('stolen.txt') }),
    send: (path) => ({ path, to: 'nobody' }),
  };
  for (const [ask, input] of Object.entries(asks)) {
    for (const path of bad) {
      const answer = await page.ask(ask, input(path));
      if (ask === 'close')
        assert.deepEqual(answer.output, { closed: true }); // nothing of that name is open
      else assert.equal(typeof answer.error, 'string', `${ask} ${path}: ${JSON.stringify(answer)}`);
      assert.ok(!JSON.stringify(answer).includes('secret\\n'));
    }
  }
  for (const path of bad) {
    assert.ok((await page.ask('rename', { from: bench.path('a.txt'), to: path })).error, `to ${path}`);
    assert.ok((await page.ask('create', { path, kind: 'folder' })).error, `folder ${path}`);
  }
  const listed = await page.ask('tree', { path: bench.world.workspace, all: true });
  const names = listed.output.entries.map((entry: Message) => entry.name);
  assert.deepEqual(names, ['src', 'a.txt'], 'links that lead out are not even listed');
  assert.deepEqual(readdirSync(outside), ['secret.txt']);
  assert.equal(readFileSync(join(outside, 'secret.txt'), 'utf8'), 'secret\n');
  assert.ok(!existsSync(bench.path('stolen.txt')));
});

test('a link that is turned outward while its file is open is not followed when saving', async (t) => {
  const bench = await Bench.start(t, { files: { 'real/a.txt': 'one\n' } });
  const outside = join(bench.world.root, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'a.txt'), 'theirs\n');
  symlinkSync('real', bench.path('link'));
  const page = await RawPage.join(t, bench);
  const path = bench.path('link/a.txt');
  const { output } = await page.ask('open', { path });
  assert.equal(output.text, 'one\n');
  rmSync(bench.path('link'));
  symlinkSync(outside, bench.path('link'));
  assert.match((await page.ask('save', { path, overwrite: true })).error, /outside/);
  assert.match((await page.ask('reload', { path })).error, /outside/);
  assert.equal(readFileSync(join(outside, 'a.txt'), 'utf8'), 'theirs\n');
  bench.editor.documents.checkDisk();
  assert.ok(!JSON.stringify((await page.ask('open', { path })) ?? '').includes('theirs'));
});

test('an agent cannot have a file outside the workspace opened in the page', async (t) => {
  const bench = await Bench.start(t, { files: { 'a.txt': 'one\n' } });
  const page = await bench.page();
  const claude = await bench.claude();
  const answer = await claude.call('openFile', { filePath: '/etc/passwd', makeFrontmost: true });
  assert.match(JSON.stringify(answer), /outside the workspace/);
  await row(page, 'a.txt').waitFor();
  assert.equal(await page.getByRole('tab').count(), 0);
});

test('malformed messages are answered or end that window only; the workbench and other windows go on', async (t) => {
  const bench = await Bench.start(t, { files: { 'a.txt': 'one\n' } });
  const good = await bench.page();
  await openFile(good, 'a.txt');
  const path = bench.path('a.txt');
  const page = await RawPage.join(t, bench);
  const wrong: [string, unknown][] = [
    ['nothing', {}],
    ['__proto__', {}],
    ['constructor', {}],
    ['toString', {}],
    ['open', null],
    ['open', []],
    ['open', { path: 7 }],
    ['open', { path: 'x'.repeat(5000) }],
    ['push', { path, version: 0, updates: [{ clientID: 'x', changes: [99, [1, 'x']] }] }],
    ['push', { path, version: 0, updates: [{ clientID: 'x', changes: 'x' }] }],
    ['push', { path, version: 0, updates: [{ clientID: 'x', changes: { length: 1e9 } }] }],
    ['push', { path, version: 0, updates: [{ clientID: 'x', changes: [-5] }] }],
    ['push', { path, version: 0, updates: [{ clientID: 'x', changes: [4, [0, 7]] }] }],
    ['select', { path, version: 0, ranges: [{ anchor: -1, head: 1 }] }],
    ['select', { path, version: 0, ranges: Array(1001).fill({ anchor: 0, head: 0 }) }],
    ['accept', { id: 'none', text: '' }],
    ['reject', { id: '__proto__' }],
    ['review', { id: 'none' }],
    ['share', { sharing: 'everything' }],
    ['send', { path, to: 'nobody' }],
    ['create', { path: bench.path('x'), kind: 'device' }],
    ['addFolder', { path: '/' }],
    ['addFolder', { path: 'relative' }],
    ['addFolder', { path: '/etc/passwd' }],
  ];
  for (const [ask, input] of wrong) {
    const answer = await page.ask(ask, input);
    assert.equal(typeof answer.error, 'string', `${ask} ${JSON.stringify(input)?.slice(0, 80)}`);
  }
  assert.equal(bench.text('a.txt'), 'one\n');
  await page.ask('select', { path, version: 0, ranges: [{ anchor: 1e15, head: 0 }] });
  assert.equal(bench.editor.documents.get(path).selections[0]?.text, 'one\n', 'clamped');
  for (const text of ['', 'not json', 'null', '[]', '{}', '{"id":"x"}', '"x"', '{"id":1']) {
    const each = await RawPage.join(t, bench);
    each.socket.send(text);
    await until(`closed after ${text}`, () => each.closed);
  }
  await good.keyboard.type('still here ');
  await until('typing still works', () => bench.text('a.txt') === 'still here one\n');
});

test('an oversized message ends that window before it is read', async (t) => {
  const bench = await Bench.start(t, { files: { 'a.txt': 'one\n' } });
  const page = await RawPage.join(t, bench);
  // A frame that announces a gigabyte; not a byte of it needs to be sent.
  const { _socket } = page.socket as unknown as { _socket: ReturnType<typeof connect> };
  _socket.write(Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0x40, 0, 0, 0, 1, 2, 3, 4]));
  await until('closed', () => page.closed);
  const next = await RawPage.join(t, bench);
  assert.equal((await next.ask('open', { path: bench.path('a.txt') })).output.text, 'one\n');
});
