import assert from 'node:assert/strict';
import { readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MemoryEditor } from '../packages/core/src/index.ts';
import type { Message } from './support/http-agent.ts';
import { SocketAgent } from './support/socket-agent.ts';
import { createWorld, type Running, startCompanion, until } from './support/world.ts';

const connect = (running: Running) => new SocketAgent(running.companion.port, running.token('claude')).connect();
const range = (line: number, from: number, to: number) => ({
  start: { line, character: from },
  end: { line, character: to },
});

/** Asks for a diff as the CLI does and returns the id of the request. */
function openDiff(agent: SocketAgent, path: string, contents: string, tab = '✻ [Claude Code] a.js (1b055f) ⧉'): number {
  const args = { old_file_path: path, new_file_path: path, new_file_contents: contents, tab_name: tab };
  return agent.ask('tools/call', { name: 'openDiff', arguments: args });
}

const blocks = (answer: Message): string[] => answer.result.content.map((block: { text: string }) => block.text);

async function reviewOf(running: Running, proposed: string) {
  return until('the review', () => running.companion.desk.reviews.find((review) => review.proposed === proposed));
}

test('[CLA-1] the upgrade echoes the subprotocol; without an offer there is none', async (t) => {
  const running = await startCompanion(t);
  const agent = new SocketAgent(running.companion.port, running.token('claude'));
  await agent.opened;
  assert.equal(agent.socket.protocol, 'mcp');
  const opencode = new SocketAgent(running.companion.port, running.token('claude'), { protocols: [] });
  await opencode.opened;
  assert.equal(opencode.socket.protocol, '');
});

test('[CLA-1] a wrong or missing token is answered 401 at the upgrade', async (t) => {
  const running = await startCompanion(t);
  for (const token of [undefined, 'wrong', running.token('gemini')]) {
    await assert.rejects(new SocketAgent(running.companion.port, token).opened, /401/);
  }
  assert.equal(running.companion.links.size, 0);
});

test('[CLA-1] MCP over text frames: initialize, tools/list, ping, unknown method', async (t) => {
  const running = await startCompanion(t);
  const agent = new SocketAgent(running.companion.port, running.token('claude'));
  await agent.opened;
  for (const version of ['2025-11-25', '2025-03-26', '2024-11-05']) {
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'claude-code', version: '2' } };
    assert.equal((await agent.request('initialize', params)).result.protocolVersion, version);
  }
  assert.deepEqual((await agent.request('ping')).result, {});
  assert.equal((await agent.request('no/such')).error.code, -32601);
});

test('[CLA-2] the lock file, and a second one where CLAUDE_CONFIG_DIR points', async (t) => {
  const world = createWorld(t);
  const alias = join(world.root, 'alias');
  symlinkSync(world.workspace, alias);
  const editor = new MemoryEditor({ folders: [alias], info: { displayName: 'Neovim', pid: process.ppid } });
  const env = { CLAUDE_CONFIG_DIR: join(world.root, 'config') };
  const { companion } = await startCompanion(t, { world, editor, places: { home: world.home, tmp: world.tmp, env } });
  for (const base of [join(world.home, '.claude'), join(world.root, 'config')]) {
    const content = JSON.parse(readFileSync(join(base, 'ide', `${companion.port}.lock`), 'utf8'));
    assert.equal(content.pid, process.ppid);
    assert.deepEqual(content.workspaceFolders, [world.workspace, alias]);
    assert.equal(content.ideName, 'Neovim');
    assert.equal(content.transport, 'ws');
    assert.match(content.authToken, /^[0-9a-f]{64}$/);
  }
});

test('[CLA-4] the selection: 0-based, first told when the CLI can hear, then with every change', async (t) => {
  const running = await startCompanion(t);
  const path = running.world.file('sub dir/ä.js', 'const a = 1;\nconst b = 2;\n');
  await running.editor.openFile({ path, preview: false, focus: true });
  running.editor.select(path, [range(1, 0, 5)]);
  const agent = await connect(running);
  const asked = Date.now();
  assert.equal(agent.notified('selection_changed').length, 0);
  await until('the selection', () => agent.notified('selection_changed').length > 0);
  assert.ok(Date.now() - asked >= 600, 'earlier ones are lost in the CLI');
  assert.deepEqual(agent.notified('selection_changed')[0], {
    text: 'const',
    filePath: path,
    fileUrl: `file://${running.world.workspace}/sub%20dir/%C3%A4.js`,
    selection: { start: { line: 1, character: 0 }, end: { line: 1, character: 5 }, isEmpty: false },
  });
  running.editor.select(path, [range(0, 3, 3)]);
  const empty = await until('the cursor', () => agent.notified('selection_changed')[1]);
  assert.equal(empty.text, '');
  assert.equal(empty.selection.isEmpty, true);
});

test('[CLA-4] after each prompt the selection is told again, because the CLI forgets it', async (t) => {
  const running = await startCompanion(t);
  const path = running.world.file('a.js', 'const a = 1;\n');
  await running.editor.openFile({ path, preview: false, focus: true });
  running.editor.select(path, [range(0, 0, 5)]);
  const agent = await connect(running);
  await until('the selection', () => agent.notified('selection_changed').length === 1);
  assert.deepEqual(await agent.texts('closeAllDiffTabs'), ['CLOSED_0_DIFF_TABS']);
  await until('the selection again', () => agent.notified('selection_changed').length === 2);
  assert.deepEqual(agent.notified('selection_changed')[1], agent.notified('selection_changed')[0]);
});

test('[ALL-13] a selection that may no longer be shared is replaced by an empty one', async (t) => {
  const running = await startCompanion(t);
  const path = running.world.file('a.js', 'secret\n');
  await running.editor.openFile({ path, preview: false, focus: true });
  running.editor.select(path, [range(0, 0, 6)]);
  const agent = await connect(running);
  await until('the selection', () => agent.notified('selection_changed').length === 1);
  running.companion.policy.sharing = 'off';
  await until('the empty one', () => agent.notified('selection_changed').at(-1)?.text === '');
});

test('[CLA-5] a mention goes to one chosen link; keys are left out, not null', async (t) => {
  const running = await startCompanion(t);
  const [one, two] = [await connect(running), await connect(running)];
  const [, second] = running.companion.links.all;
  second?.mention?.({ path: '/x/a.js', lines: { start: 1, end: 2 }, text: '' });
  second?.mention?.({ path: '/x/b.js', text: '' });
  await until('both mentions', () => two.notified('at_mentioned').length === 2);
  assert.deepEqual(two.notified('at_mentioned'), [
    { filePath: '/x/a.js', lineStart: 1, lineEnd: 2 },
    { filePath: '/x/b.js' },
  ]);
  assert.equal(one.notified('at_mentioned').length, 0);
});

test('[CLA-6] eleven tools are announced, fewer where the editor lacks an ability', async (t) => {
  const names = async (agent: SocketAgent) =>
    (await agent.request('tools/list')).result.tools.map((tool: { name: string }) => tool.name);
  assert.deepEqual(await names(await connect(await startCompanion(t))), [
    'openFile',
    'openDiff',
    'getCurrentSelection',
    'getLatestSelection',
    'getOpenEditors',
    'getWorkspaceFolders',
    'getDiagnostics',
    'checkDocumentDirty',
    'saveDocument',
    'close_tab',
    'closeAllDiffTabs',
  ]);
  const world = createWorld(t);
  const can = { review: false, diagnostics: false, openFile: false, save: false };
  const poor = await startCompanion(t, { world, editor: new MemoryEditor({ folders: [world.workspace], can }) });
  const few = await names(await connect(poor));
  for (const name of ['openFile', 'openDiff', 'getDiagnostics', 'saveDocument']) assert.ok(!few.includes(name), name);
});

test('[CLA-6] openFile selects between text patterns and has both result forms', async (t) => {
  const running = await startCompanion(t);
  const agent = await connect(running);
  const filePath = running.world.file('a.js', 'x\nfunction hello() {\n  return 1;\n}\nend\n');
  const args = { filePath, startText: 'function hello', endText: '}' };
  assert.deepEqual(await agent.texts('openFile', args), [`Opened file: ${filePath}`]);
  const selection = running.companion.workspace.selections(filePath)[0];
  assert.deepEqual(selection?.start, { line: 1, character: 0 });
  assert.deepEqual(selection?.end, { line: 3, character: 1 });
  await agent.texts('openFile', { filePath, startText: 'function', selectToEndOfLine: true });
  assert.equal(running.companion.workspace.selections(filePath)[0]?.text, 'function hello() {');
  const other = running.world.file('b.py', 'pass\n');
  const [json] = await agent.texts('openFile', { filePath: other, makeFrontmost: false });
  assert.deepEqual(JSON.parse(json ?? ''), { success: true, filePath: other, languageId: 'python', lineCount: 2 });
  assert.equal(running.companion.workspace.active?.path, filePath, 'the other one did not take the focus');
  const missing = await agent.call('openFile', { filePath: join(running.world.workspace, 'none.js') });
  assert.equal(missing.result.isError, true);
});

test('[CLA-6] getCurrentSelection, getLatestSelection, getOpenEditors, getWorkspaceFolders', async (t) => {
  const running = await startCompanion(t);
  const agent = await connect(running);
  const json = async (name: string) => JSON.parse((await agent.texts(name))[0] ?? '');
  assert.equal((await json('getCurrentSelection')).success, false);
  assert.equal((await json('getLatestSelection')).success, false);
  const [a, b] = [running.world.file('a.js', 'aaaa'), running.world.file('b.js', 'bbbb')];
  for (const path of [a, b]) await running.editor.openFile({ path, preview: false, focus: true });
  running.editor.select(a, [range(0, 0, 2)]);
  running.editor.type(b, 'changed');
  await until('the debounce', async () => (await json('getLatestSelection')).filePath === a);
  assert.equal((await json('getLatestSelection')).text, 'aa');
  assert.equal((await json('getCurrentSelection')).filePath, b);
  assert.deepEqual(await json('getOpenEditors'), {
    tabs: [
      { uri: `file://${b}`, isActive: true, label: 'b.js', languageId: 'javascript', isDirty: true },
      { uri: `file://${a}`, isActive: false, label: 'a.js', languageId: 'javascript', isDirty: false },
    ],
  });
  assert.deepEqual(await json('getWorkspaceFolders'), {
    success: true,
    folders: [{ name: 'ws', uri: `file://${running.world.workspace}`, path: running.world.workspace }],
    rootPath: running.world.workspace,
  });
});

test('[CLA-6] checkDocumentDirty and saveDocument', async (t) => {
  const running = await startCompanion(t);
  const agent = await connect(running);
  const filePath = running.world.file('a.js', 'old');
  const json = async (name: string) => JSON.parse((await agent.texts(name, { filePath }))[0] ?? '');
  assert.deepEqual(await json('checkDocumentDirty'), { success: false, message: `Document not open: ${filePath}` });
  assert.equal((await json('saveDocument')).success, false);
  await running.editor.openFile({ path: filePath, preview: false, focus: true });
  running.editor.type(filePath, 'new');
  assert.deepEqual(await json('checkDocumentDirty'), { success: true, filePath, isDirty: true, isUntitled: false });
  assert.equal((await json('saveDocument')).saved, true);
  assert.equal(readFileSync(filePath, 'utf8'), 'new');
  assert.equal((await json('checkDocumentDirty')).isDirty, false);
});

test('[CLA-7] openDiff blocks; accept answers FILE_SAVED with the LF text; the companion writes nothing', async (t) => {
  const running = await startCompanion(t);
  const agent = await connect(running);
  const path = running.world.file('a.js', 'old\r\n');
  const id = openDiff(agent, path, 'new\n');
  const review = await reviewOf(running, 'new\n');
  assert.equal(agent.answerTo(id), undefined);
  assert.equal((await review.before).text, 'old\n');
  running.editor.accept(review.id, 'mine\r\n');
  assert.deepEqual(blocks(await until('the answer', () => agent.answerTo(id))), ['FILE_SAVED', 'mine\n']);
  assert.equal(readFileSync(path, 'utf8'), 'old\r\n');
});

test('[CLA-7] for a new file the final newline survives the CLI, which drops one', async (t) => {
  const running = await startCompanion(t);
  const agent = await connect(running);
  const path = join(running.world.workspace, 'new.js');
  for (const [text, answered] of [
    ['a\n', 'a\n\n'],
    ['a', 'a'],
  ] as const) {
    const id = openDiff(agent, path, text, `tab ${text}`);
    running.editor.accept((await reviewOf(running, text)).id);
    assert.deepEqual(blocks(await until('the answer', () => agent.answerTo(id))), ['FILE_SAVED', answered]);
  }
  assert.equal(statSync(path, { throwIfNoEntry: false }), undefined);
});

test('[CLA-7] a rejection answers DIFF_REJECTED and the tab name, never TAB_CLOSED', async (t) => {
  const running = await startCompanion(t);
  const agent = await connect(running);
  const id = openDiff(agent, '/x/a.js', 'new', 'the tab');
  running.editor.reject((await reviewOf(running, 'new')).id);
  assert.deepEqual(blocks(await until('the answer', () => agent.answerTo(id))), ['DIFF_REJECTED', 'the tab']);
});

test('[CLA-8] close_tab is idempotent, closes the view and answers the waiting openDiff', async (t) => {
  const running = await startCompanion(t);
  const agent = await connect(running);
  const id = openDiff(agent, '/x/a.js', 'new', 'the tab');
  const review = await reviewOf(running, 'new');
  for (let i = 0; i < 2; i += 1)
    assert.deepEqual(await agent.texts('close_tab', { tab_name: 'the tab' }), ['TAB_CLOSED']);
  assert.deepEqual(blocks(await until('the answer', () => agent.answerTo(id))), ['DIFF_REJECTED', 'the tab']);
  assert.equal(running.editor.shown.size, 0);
  const late = running.editor.accept(review.id);
  assert.ok(!late.ok && late.reason === 'decided');
});

test('[CLA-8] edits that the terminal answered without are kept, and the user is told', async (t) => {
  const running = await startCompanion(t);
  const agent = await connect(running);
  openDiff(agent, '/x/a.js', 'new', 'the tab');
  const review = await reviewOf(running, 'new');
  running.editor.host.amend(review.id, 'mine');
  await agent.texts('close_tab', { tab_name: 'the tab' });
  assert.match(running.editor.notices[0]?.message ?? '', /Claude Code did not take your edits to .*review restore/);
  assert.equal(running.companion.desk.find(review.id)?.text, 'mine');
});

test('[CLA-8] [ALL-7] closeAllDiffTabs touches only its own link', async (t) => {
  const running = await startCompanion(t);
  const [one, two] = [await connect(running), await connect(running)];
  openDiff(one, '/x/a.js', 'from one');
  const kept = openDiff(two, '/x/a.js', 'from two');
  await reviewOf(running, 'from one');
  const review = await reviewOf(running, 'from two');
  assert.deepEqual(await one.texts('closeAllDiffTabs'), ['CLOSED_1_DIFF_TABS']);
  assert.deepEqual(
    running.companion.desk.reviews.map((each) => each.id),
    [review.id],
  );
  running.editor.accept(review.id);
  assert.deepEqual(blocks(await until('the answer', () => two.answerTo(kept)))[0], 'FILE_SAVED');
});

test('[CLA-9] getDiagnostics: raw uris, from the cache; without uri everything', async (t) => {
  const running = await startCompanion(t);
  const agent = await connect(running);
  const path = running.world.file('sub dir/ä.js', 'x');
  const diagnostic = { range: range(1, 6, 7), severity: 'error' as const, message: 'bad', source: 'ts', code: '42' };
  running.editor.host.apply({ type: 'diagnostics', path, diagnostics: [diagnostic] });
  const expected = [
    {
      uri: `file://${path}`,
      diagnostics: [{ message: 'bad', severity: 'Error', range: range(1, 6, 7), source: 'ts', code: '42' }],
    },
  ];
  assert.deepEqual(JSON.parse((await agent.texts('getDiagnostics', { uri: `file://${path}` }))[0] ?? ''), expected);
  assert.deepEqual(JSON.parse((await agent.texts('getDiagnostics'))[0] ?? ''), expected);
  assert.deepEqual(await agent.texts('getDiagnostics', { uri: 'file:///none' }), ['[]']);
});

test('[CLA-9] after a write it waits for fresh results, and only then', async (t) => {
  const running = await startCompanion(t);
  const agent = await connect(running);
  const path = running.world.file('a.js', 'old');
  const id = openDiff(agent, path, 'new');
  running.editor.accept((await reviewOf(running, 'new')).id);
  await until('the answer', () => agent.answerTo(id));
  const asked = agent.ask('tools/call', { name: 'getDiagnostics', arguments: {} });
  const baseline = await agent.texts('getDiagnostics', { uri: `file://${path}` });
  assert.deepEqual(baseline, ['[]'], 'the form with a uri never waits');
  assert.equal(agent.answerTo(asked), undefined);
  const fresh = { range: range(0, 0, 1), severity: 'warning' as const, message: 'fresh' };
  running.editor.host.apply({ type: 'diagnostics', path, diagnostics: [fresh] });
  const answer = await until('the answer', () => agent.answerTo(asked));
  assert.match(blocks(answer)[0] ?? '', /fresh/);
  await agent.texts('getDiagnostics');
});

test('[CLA-11] [ALL-8] pings are sent; a lost link closes its reviews; a reconnect with port and token works', async (t) => {
  const running = await startCompanion(t, { limits: { keepAliveMs: 20 } });
  const agent = await connect(running);
  let pings = 0;
  agent.socket.on('ping', () => {
    pings += 1;
  });
  await until('pings', () => pings >= 2);
  openDiff(agent, '/x/a.js', 'new');
  await reviewOf(running, 'new');
  agent.socket.terminate();
  await until('the review closes', () => running.companion.desk.reviews.length === 0);
  assert.equal(running.editor.closed.at(-1)?.withdrawn, 'agent gone');
  assert.equal(running.companion.links.size, 0);
  await connect(running);
  assert.equal(running.companion.links.size, 1);
});

test('[CLA-12] bad arguments name the field; the connection goes on', async (t) => {
  const running = await startCompanion(t);
  const agent = await connect(running);
  const good = { old_file_path: '/x', new_file_path: '/x', new_file_contents: '', tab_name: 't' };
  for (const [name, args, field] of [
    ['openDiff', { ...good, new_file_contents: 5 }, 'new_file_contents'],
    ['openDiff', { ...good, tab_name: undefined }, 'tab_name'],
    ['openDiff', { ...good, old_file_path: 'relative/path' }, 'old_file_path'],
    ['openFile', { filePath: '/x\0y' }, 'filePath'],
    ['close_tab', {}, 'tab_name'],
    ['getDiagnostics', { uri: 7 }, 'uri'],
  ] as const) {
    const answer = await agent.call(name, args);
    assert.equal(answer.error.code, -32602);
    assert.ok(answer.error.message.includes(field), answer.error.message);
  }
  assert.match((await agent.call('noSuchTool')).error.message, /noSuchTool/);
  assert.deepEqual(await agent.texts('close_tab', { tab_name: 'x' }), ['TAB_CLOSED']);
});

test('[ALL-5] on stop, the waiting openDiff is answered so that the terminal stays usable', async (t) => {
  const running = await startCompanion(t);
  const agent = await connect(running);
  const id = openDiff(agent, '/x/a.js', 'new');
  await reviewOf(running, 'new');
  await running.companion.stop();
  const answer = await until('the answer', () => agent.answerTo(id));
  assert.equal(answer.result.isError, true);
  assert.equal(agent.closed?.code, 1001);
});

test('the agent takes a diff back: its review closes', async (t) => {
  const running = await startCompanion(t);
  const agent = await connect(running);
  const id = openDiff(agent, '/x/a.js', 'new');
  await reviewOf(running, 'new');
  agent.notify('notifications/cancelled', { requestId: id });
  await until('the review closes', () => running.companion.desk.reviews.length === 0);
  assert.equal(running.editor.closed.at(-1)?.withdrawn, 'taken back');
});

test('the link knows the agent: version and pid', async (t) => {
  const running = await startCompanion(t);
  await new SocketAgent(running.companion.port, running.token('claude')).connect(4242);
  const [link] = running.companion.links.all;
  assert.equal(link?.agent.version, '2.1.325');
  await until('the pid', () => running.companion.links.all[0]?.agent.pid === 4242);
});
