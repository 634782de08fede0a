import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Companion, type Notice } from '@tandem/core';
import { createWorld, until, type World } from '../../../test/support/world.ts';
import { attachLanguageServers } from '../src/workbench/language-servers/attach.ts';
import type { LanguageServers } from '../src/workbench/language-servers/language-servers.ts';
import { WorkbenchEditor } from '../src/workbench/workbench-editor.ts';

const FAKE = join(import.meta.dirname, 'support', 'fake-language-server.ts');

interface Bench {
  readonly world: World;
  readonly editor: WorkbenchEditor;
  readonly companion: Companion;
  readonly servers: LanguageServers;
  readonly notices: Notice[];
  /** What the servers have heard. */
  heard(method?: string): { method: string; started?: number; params: Heard }[];
}

// biome-ignore lint/suspicious/noExplicitAny: whatever a server was told
type Heard = any;

/** A workbench whose Python files are looked after by the fake server in one of its moods. */
async function startBench(t: TestContext, mood: string | undefined, settings?: object): Promise<Bench> {
  const ends: (() => Promise<void>)[] = [];
  t.after(() => Promise.all(ends.map((end) => end()))); // before the world goes
  const world = createWorld(t);
  const log = join(world.root, 'heard.jsonl');
  const bin = join(world.root, 'bin');
  mkdirSync(bin);
  if (mood !== undefined) program(join(bin, 'fake-server'));
  const chosen = settings ?? { languageServers: { python: ['fake-server', mood ?? ''] } };
  mkdirSync(join(world.home, '.tandem'), { mode: 0o700 });
  writeFileSync(join(world.home, '.tandem', 'settings.json'), JSON.stringify(chosen));
  const editor = new WorkbenchEditor('Bench', [world.workspace], { diagnostics: true });
  const env = { PATH: `${bin}:/usr/bin:/bin`, FAKE_LOG: log };
  const servers = attachLanguageServers(editor, { home: world.home, env, backoffMs: [20, 40, 60] });
  const notices: Notice[] = [];
  editor.told.on((notice) => notices.push(notice));
  const companion = new Companion({ editor, places: { home: world.home, tmp: world.tmp, env: {} } });
  ends.push(() => companion.stop());
  await companion.start();
  const heard = (method?: string) =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line))
          .filter((event) => method === undefined || event.method === method)
      : [];
  return { world, editor, companion, servers, notices, heard };
}

function program(file: string, node = process.execPath): void {
  writeFileSync(file, `#!/bin/sh\nexec ${node} ${FAKE} "$@"\n`);
  chmodSync(file, 0o755);
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const problems = ({ companion }: Bench, path: string) => companion.workspace.diagnostics(path);

test('a server starts with the first document of its language, and its problems reach the workspace', async (t) => {
  const bench = await startBench(t, 'good');
  const text = bench.world.file('notes.txt', 'BAD');
  await bench.editor.documents.open(text);
  assert.deepEqual(bench.servers.pids, []);
  const path = bench.world.file('a b#.py', 'ok\n  BAD\n');
  await bench.editor.documents.open(path);
  const found = await until('a problem', () => problems(bench, path)[0]);
  assert.deepEqual(found, {
    range: { start: { line: 1, character: 2 }, end: { line: 1, character: 5 } },
    severity: 'warning',
    message: 'this is bad',
    source: 'fake',
    code: '7',
  });
  assert.deepEqual(problems(bench, text), []);
  await bench.editor.documents.open(bench.world.file('second.py', ''));
  assert.equal(bench.servers.pids.length, 1);
});

test('changes go as small steps, and fixing takes the problem away', async (t) => {
  const bench = await startBench(t, 'good');
  const path = bench.world.file('a.py', 'first\n😀 BAD\nlast\n');
  const document = await bench.editor.documents.open(path);
  await until('a problem', () => problems(bench, path)[0]);
  bench.editor.documents.push(path, document.version, [{ clientID: 'x', changes: [9, [3, 'fine'], 6] }]);
  await until('no problem', () => problems(bench, path).length === 0);
  const [change] = bench.heard('textDocument/didChange').map((event) => event.params.contentChanges[0]);
  assert.deepEqual(change, {
    range: { start: { line: 1, character: 3 }, end: { line: 1, character: 6 } },
    text: 'fine',
  });
  assert.equal(await bench.editor.documents.save(path), true);
  await until('didSave', () => bench.heard('textDocument/didSave').length === 1);
  bench.editor.documents.close(path, false);
  await until('didClose', () => bench.heard('textDocument/didClose').length === 1);
});

test('many quick changes are told together, and a request sees the last of them', async (t) => {
  const bench = await startBench(t, 'good');
  const path = bench.world.file('a.py', '');
  const document = await bench.editor.documents.open(path);
  await until('didOpen', () => bench.heard('textDocument/didOpen').length === 1);
  for (let at = 0; at < 200; at += 1) {
    bench.editor.documents.push(path, document.version, [
      { clientID: 'x', changes: at === 0 ? [[0, 'a']] : [at, [0, 'a']] },
    ]);
  }
  const answer = await bench.servers.request(path, 'textDocument/hover', { position: { line: 0, character: 0 } });
  assert.deepEqual(answer, { contents: 'hovered' });
  const changes = bench.heard('textDocument/didChange');
  assert.ok(changes.length <= 3, `${changes.length} changes`);
  assert.equal(changes.map((event) => event.params.contentChanges[0].text).join(''), 'a'.repeat(200));
});

test('the first stage of a report is not taken for all of it', async (t) => {
  const bench = await startBench(t, 'stages');
  const path = bench.world.file('a.py', 'BAD');
  const seen: number[] = [];
  bench.companion.workspace.diagnosed.on(() => seen.push(problems(bench, path).length));
  await bench.editor.documents.open(path);
  await until('a report', () => seen.length > 0);
  assert.deepEqual(seen, [1]);
});

test('problems of a text that is no longer there are not believed', async (t) => {
  const bench = await startBench(t, 'stale');
  const path = bench.world.file('a.py', 'fine');
  const seen: number[] = [];
  bench.companion.workspace.diagnosed.on(() => seen.push(problems(bench, path).length));
  await bench.editor.documents.open(path);
  await until('a report', () => seen.length > 0);
  assert.deepEqual(seen, [0]);
});

test('one that crashes is started again with all documents, and says its last line once', async (t) => {
  const bench = await startBench(t, 'crash-on-bad');
  const path = bench.world.file('a.py', 'BAD');
  const document = await bench.editor.documents.open(path);
  await until('a problem', () => problems(bench, path)[0]);
  const [first = 0] = bench.servers.pids;
  bench.editor.documents.push(path, document.version, [{ clientID: 'x', changes: [[3, 'CRASH']] }]);
  await until('a notice', () => bench.notices[0]);
  assert.equal(
    bench.notices[0]?.message,
    'fake-server stopped (exit code 3: [31mfatal: out of luck[0m). It is started again.',
  );
  bench.editor.documents.push(path, document.version, [{ clientID: 'x', changes: [[5, 'x\nBAD']] }]);
  await until('the problem again', () => problems(bench, path)[0]?.range.start.line === 1);
  assert.notEqual(bench.servers.pids[0], first);
  assert.equal(alive(first), false);
});

for (const [mood, why] of [
  ['crash-at-once', /exit code 3: it cannot work like this/],
  ['garbage', /no message \(a header without Content-Length\)/],
  ['huge', /no message \(a message of 99999999999 bytes\)/],
] as const) {
  test(`one that cannot be used (${mood}) is started three more times, and then when another file is opened`, async (t) => {
    const bench = await startBench(t, mood);
    await bench.editor.documents.open(bench.world.file('a.py', 'BAD'));
    await until('the last notice', () => bench.notices.find(({ message }) => message.includes('another file')));
    assert.equal(bench.heard().filter((event) => event.started !== undefined).length, 4);
    assert.equal(bench.notices.length, 4);
    assert.match(bench.notices[0]?.message ?? '', why);
    assert.equal(bench.servers.items[0]?.state, 'stopped');
    await bench.editor.documents.open(bench.world.file('b.py', 'BAD'));
    assert.equal(bench.servers.items[0]?.state, 'starting');
  });
}

test('stopping asks first, and does not wait for one that refuses', async (t) => {
  const bench = await startBench(t, 'stubborn');
  const path = bench.world.file('a.py', 'BAD');
  await bench.editor.documents.open(path);
  await until('a problem', () => problems(bench, path)[0]);
  const [pid = 0] = bench.servers.pids;
  const begun = Date.now();
  await bench.companion.stop();
  assert.equal(alive(pid), false);
  assert.ok(Date.now() - begun < 3000);
  assert.equal(bench.heard('shutdown').length, 1);
  assert.equal(bench.heard('exit').length, 1);
});

test('a file that an agent writes and nobody has open is looked at after the accepted review', async (t) => {
  const bench = await startBench(t, 'good');
  const path = join(bench.world.workspace, 'new', 'a.py');
  const review = bench.companion.desk.open({
    link: 'x',
    agent: 'claude',
    path,
    proposed: 'BAD\n',
    deliver: () => {},
  });
  bench.companion.desk.decide(review.id, { kind: 'accept', text: 'BAD\n' }, 'editor');
  mkdirSync(join(path, '..'));
  writeFileSync(path, 'BAD\n');
  await until('a problem', () => problems(bench, path)[0], 1500);
  writeFileSync(path, 'fine\n');
  await until('no problem', () => problems(bench, path).length === 0);
});

test('what is not installed is said quietly, and nothing fails', async (t) => {
  const bench = await startBench(t, undefined, {});
  await bench.editor.documents.open(bench.world.file('a.py', 'BAD'));
  await bench.editor.documents.open(bench.world.file('a.ts', 'BAD'));
  await bench.editor.documents.open(bench.world.file('a.rb', 'BAD'));
  assert.deepEqual(bench.notices, []);
  const said = bench.servers.items.map(({ name, state, hint }) => ({ name, state, hint }));
  assert.deepEqual(said, [
    { name: 'pyright-langserver', state: 'missing', hint: 'not installed: npm install -g pyright' },
    {
      name: 'typescript-language-server',
      state: 'missing',
      hint: 'not installed: npm install -g typescript-language-server typescript@5',
    },
  ]);
  assert.equal(bench.editor.can.diagnostics, true);
});

test('false turns a language off', async (t) => {
  const bench = await startBench(t, 'good', { languageServers: { python: false } });
  await bench.editor.documents.open(bench.world.file('a.py', 'BAD'));
  assert.deepEqual(bench.servers.items, []);
});

test('wrong settings start nothing and name the field', async (t) => {
  const wrong: readonly [object, RegExp][] = [
    [{ languageServers: { python: 'pylsp' } }, /settings\.json: languageServers\.python: must be a list like/],
    [{ languageServers: { python: [] } }, /languageServers\.python: /],
    [{ languageServers: { python: ['./run'] } }, /languageServers\.python: /],
    [{ trustedFolders: ['here'] }, /trustedFolders\.0: must be an absolute path/],
  ];
  for (const [settings, expected] of wrong) {
    const bench = await startBench(t, 'good', settings);
    await bench.editor.documents.open(bench.world.file('a.py', 'BAD'));
    await bench.editor.documents.open(bench.world.file('b.py', 'BAD'));
    assert.equal(bench.notices.length, 1);
    assert.match(bench.notices[0]?.message ?? '', expected);
    assert.deepEqual(bench.servers.pids, []);
  }
});

test('the workspace cannot bring its own server, by its settings or by npm’s PATH, unless it is trusted', async (t) => {
  for (const trusted of [false, true]) {
    const ends: (() => Promise<void>)[] = [];
    t.after(() => Promise.all(ends.map((end) => end())));
    const world = createWorld(t);
    const bin = join(world.workspace, 'node_modules', '.bin');
    mkdirSync(bin, { recursive: true });
    program(join(bin, 'pyright-langserver'));
    world.file('.tandem/settings.json', '{"languageServers": {"python": ["/bin/false"]}}');
    mkdirSync(join(world.home, '.tandem'), { mode: 0o700 });
    const settings = trusted ? { trustedFolders: [world.workspace] } : {};
    writeFileSync(join(world.home, '.tandem', 'settings.json'), JSON.stringify(settings));
    const editor = new WorkbenchEditor('Bench', [world.workspace], { diagnostics: true });
    // As npx does it, and a relative one.
    const env = { PATH: `${bin}:node_modules/.bin:${join(world.root, 'node_modules', '.bin')}:/usr/bin:/bin` };
    const servers = attachLanguageServers(editor, { home: world.home, env });
    const companion = new Companion({ editor, places: { home: world.home, tmp: world.tmp, env: {} } });
    ends.push(() => companion.stop());
    await companion.start();
    await editor.documents.open(world.file('a.py', 'BAD'));
    assert.equal(servers.pids.length, trusted ? 1 : 0);
    assert.equal(servers.items[0]?.state, trusted ? 'starting' : 'missing');
  }
});
