import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createWorld, startCompanion, until, type World } from '../../../test/support/world.ts';
import { Companion, MemoryEditor } from '../../core/src/index.ts';
import { entryFor, fileOf, ownCommand } from '../src/mcp/registration.ts';
import { run, SOURCE } from './support/source.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
type Result = any;

/** The command as an agent runs it: a child process that speaks MCP on its standard streams. */
async function mcpClient(t: TestContext, world: World, args: readonly string[] = [], cwd = world.workspace) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [SOURCE, 'mcp', ...args],
    cwd,
    env: { HOME: world.home, TMPDIR: world.tmp, PATH: '/usr/bin:/bin' },
    stderr: 'inherit',
  });
  const client = new Client({ name: 'test-agent', title: 'Test Agent', version: '7' }, { capabilities: {} });
  await client.connect(transport);
  t.after(() => client.close());
  const call = (name: string, input: object = {}, options: object = {}): Promise<Result> =>
    client.callTool({ name, arguments: { ...input } }, options);
  return { client, transport, call };
}

function textOf(result: Result): string {
  return result.content.map((block: { text: string }) => block.text).join('\n');
}

test('an agent sees the selection, the open editors, the folders and a diagnostic, and the ledger has it', async (t) => {
  const { world, editor, companion } = await startCompanion(t);
  const { client, call } = await mcpClient(t, world);
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
    [
      ['get_selection', true],
      ['get_open_editors', true],
      ['get_diagnostics', true],
      ['open_file', false],
      ['show_diff', false],
      ['get_workspace_folders', true],
      ['get_ledger', true],
    ],
  );
  await until('the link', () => companion.links.all[0]?.agent.name === 'Test Agent');
  const path = world.file('src/a.ts', 'const a: number = "x";\nlet b;\n');
  assert.match(textOf(await call('get_selection')), /No file is active/);
  assert.match(textOf(await call('open_file', { path: 'src/a.ts', line: 1, endLine: 2 })), /at line 1/);
  const selected = await call('get_selection');
  assert.equal(selected.structuredContent.path, path);
  assert.match(textOf(selected), /Selected, lines 1 to 2:\nconst a: number = "x";\nlet b;/);
  const range = { start: { line: 0, character: 6 }, end: { line: 0, character: 7 } };
  const diagnostic = { range, severity: 'error', message: 'Type mismatch', source: 'ts', code: '2322' } as const;
  editor.host.apply({ type: 'diagnostics', path, diagnostics: [diagnostic] });
  const found = await call('get_diagnostics', { path: 'src/a.ts' });
  assert.equal(textOf(found), `${path}:1:7: error: Type mismatch [2322] (ts)`);
  assert.deepEqual(found.structuredContent.diagnostics[0].start, { line: 1, column: 7 });
  assert.deepEqual((await call('get_open_editors')).structuredContent.editors[0].path, path);
  assert.deepEqual((await call('get_workspace_folders')).structuredContent.folders, [world.workspace]);
  assert.ok(companion.ledger.entries.some(({ what, agent }) => what === 'diagnostics' && agent === 'mcp'));
  assert.match(textOf(await call('get_ledger')), /mcp diagnostics/);
});

test('a diff waits for the decision, tells its progress, and is taken back when the request is', async (t) => {
  const { world, editor, companion } = await startCompanion(t);
  const { call, transport } = await mcpClient(t, world);
  const path = world.file('a.txt', 'old\n');
  const shown = () => until('the review', () => [...editor.shown.values()][0]);
  const progress: string[] = [];
  const onprogress = ({ message }: { message?: string }) => progress.push(message ?? '');
  const amended = call('show_diff', { path: 'a.txt', text: 'new\n' }, { onprogress });
  const review = await shown();
  await until('word of it', () => progress.length > 0);
  editor.accept(review.id, 'mine\n');
  const { structuredContent } = await amended;
  assert.deepEqual(structuredContent, { decision: 'accepted', text: 'mine\n', amended: true });
  assert.match(textOf(await amended), /write this text to a\.txt:\nmine/);
  assert.match(progress[0] ?? '', /waiting for a decision on a\.txt/);
  assert.equal(readFileSync(path, 'utf8'), 'old\n', 'the agent writes, not we');

  const rejected = call('show_diff', { path, text: 'new\n' });
  editor.reject((await shown()).id);
  assert.equal((await rejected).structuredContent.decision, 'rejected');

  const abort = new AbortController();
  const cancelled = call('show_diff', { path, text: 'new\n' }, { signal: abort.signal });
  const third = await shown();
  abort.abort();
  await assert.rejects(cancelled);
  await until('the editor to close it', () => editor.shown.size === 0);
  assert.equal(companion.desk.find(third.id)?.withdrawn, 'taken back');

  call('show_diff', { path, text: 'new\n' }).catch(() => {});
  const fourth = await shown();
  process.kill(transport.pid ?? 0, 'SIGKILL');
  await until('the editor to close it', () => editor.shown.size === 0 && companion.links.size === 0);
  assert.equal(companion.desk.find(fourth.id)?.state, 'withdrawn');
});

test('without a companion the tool says so; one that starts or restarts is found with the next call', async (t) => {
  const world = createWorld(t);
  const { call } = await mcpClient(t, world);
  const none = await call('get_workspace_folders');
  assert.equal(none.isError, true);
  assert.match(textOf(none), /no companion serves .*start one with: tandem serve/);
  const { companion } = await startCompanion(t, { world });
  assert.deepEqual((await call('get_workspace_folders')).structuredContent.folders, [world.workspace]);
  await companion.stop();
  await until('it to be missed', async () => (await call('get_workspace_folders')).isError);
  const places = { home: world.home, tmp: world.tmp, env: {} };
  const next = new Companion({ editor: new MemoryEditor({ folders: [world.workspace] }), places });
  await next.start();
  t.after(() => next.stop());
  assert.deepEqual((await call('get_workspace_folders')).structuredContent.folders, [world.workspace]);
  const other = new Companion({
    editor: new MemoryEditor({ folders: [world.workspace], info: { name: 'other' } }),
    places,
  });
  await other.start();
  t.after(() => other.stop());
  const torn = await mcpClient(t, world);
  assert.match(textOf(await torn.call('get_selection')), /more than one companion.*--port/);
  const named = await mcpClient(t, world, ['--port', String(other.port), '--folder', world.workspace], world.root);
  await named.call('get_workspace_folders');
  assert.equal(other.links.size, 1);
});

test('what the policy holds back is refused in words, and a wrong argument names the field', async (t) => {
  const { world, companion } = await startCompanion(t);
  const { call, client } = await mcpClient(t, world);
  companion.policy.sharing = 'off';
  for (const name of ['get_selection', 'get_open_editors', 'get_diagnostics', 'get_ledger']) {
    const refused = await call(name);
    assert.equal(refused.isError, true, name);
    assert.match(textOf(refused), /switched sharing off/);
  }
  const wrong = await call('open_file', { path: 'a.txt', line: 0 });
  assert.match(textOf(wrong), /line/);
  assert.equal(wrong.isError, true);
  await assert.rejects(client.callTool({ name: 'nothing', arguments: {} }), /nothing/);
});

test('it ends with its standard input', async (t) => {
  const { world, companion } = await startCompanion(t);
  const init = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: init })}\n`;
  const { code, stdout } = await run(world, ['mcp'], { input });
  assert.equal(code, 0);
  assert.match(stdout, /"serverInfo":\{"name":"tandem"/);
  await until('no link to be left', () => companion.links.size === 0);
});

for (const agent of ['claude', 'gemini', 'qwen'] as const) {
  test(`register and unregister for ${agent} change one key and leave the rest as it was`, async (t) => {
    const world = createWorld(t);
    const file = fileOf(agent, { home: world.home, env: {} });
    mkdirSync(dirname(file), { recursive: true });
    const before = '{\n  // mine\n  "theme": "dark",\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n';
    writeFileSync(file, before, { mode: 0o640 });
    const asked = await run(world, ['mcp', 'register', agent]);
    assert.equal(asked.code, 1, 'nobody there to say yes');
    assert.match(asked.stdout, /mcpServers\.tandem/, 'it is shown first');
    assert.match(asked.stderr, /--yes/);
    assert.equal(readFileSync(file, 'utf8'), before);

    assert.equal((await run(world, ['mcp', 'register', agent, '--yes'])).code, 0);
    const written = readFileSync(file, 'utf8');
    assert.match(written, /\/\/ mine/);
    const { mcpServers, theme } = JSON.parse(written.replace('// mine', ''));
    assert.equal(theme, 'dark');
    assert.deepEqual(mcpServers, {
      other: { command: 'x' },
      tandem: entryFor(agent, [process.execPath, SOURCE, 'mcp']),
    });
    assert.equal(statSync(file).mode & 0o777, 0o640);
    const again = await run(world, ['mcp', 'register', agent, '--json']);
    assert.deepEqual([again.code, again.json.changes], [0, false]);
    assert.equal((await run(world, ['mcp', 'unregister', agent, '--yes'])).code, 0);
    assert.equal(readFileSync(file, 'utf8'), before);
    assert.match((await run(world, ['mcp', 'unregister', agent])).stdout, /not there/);
    assert.deepEqual(
      readdirSync(dirname(file)).filter((name) => name.includes('tandem-')),
      [],
    );
  });
}

test('register makes a missing file, refuses a broken one and an unknown agent', async (t) => {
  const world = createWorld(t);
  assert.equal((await run(world, ['mcp', 'register', 'qwen', '--yes', '--name', 'editor'])).code, 0);
  const file = join(world.home, '.qwen', 'settings.json');
  assert.ok(JSON.parse(readFileSync(file, 'utf8')).mcpServers.editor);
  writeFileSync(file, '{"a":');
  const broken = await run(world, ['mcp', 'register', 'qwen', '--yes']);
  assert.equal(broken.code, 1);
  assert.equal(readFileSync(file, 'utf8'), '{"a":');
  assert.equal((await run(world, ['mcp', 'register', 'nobody'])).code, 2);
  assert.equal((await run(world, ['mcp', 'enrol'])).code, 2);
});

test('the registered command is the name on the PATH where that leads here, else this very program', (t) => {
  const world = createWorld(t);
  const script = world.file('dist/tandem.js', '');
  const bin = join(world.root, 'bin');
  mkdirSync(bin);
  assert.deepEqual(ownCommand(script, { PATH: bin }), [process.execPath, script, 'mcp']);
  symlinkSync(script, join(bin, 'tandem'));
  assert.deepEqual(ownCommand(script, { PATH: `/usr/bin:${bin}` }), ['tandem', 'mcp']);
});
