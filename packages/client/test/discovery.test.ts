import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createWorld, startCompanion, type World } from '../../../test/support/world.ts';
import { discoverClaude, discoverGemini, discoverQwen, here, ideProcess, type Surroundings } from '../src/index.ts';

const ALIVE = [10, 20, 30, 40, 50];
const IDE = { name: 'editor', displayName: 'Editor' };

/** A made-up machine: an agent in a shell in a terminal in an editor. */
function standIn(world: World, around: Partial<Surroundings> = {}): Surroundings {
  const tree: Record<number, { parent: number; command: string }> = {
    50: { parent: 40, command: 'node /usr/bin/agent' },
    40: { parent: 30, command: '/bin/bash' },
    30: { parent: 20, command: '/opt/editor/terminal' },
    20: { parent: 1, command: '/opt/editor/editor' },
  };
  return {
    cwd: world.workspace,
    env: {},
    home: world.home,
    tmp: world.tmp,
    pid: 50,
    uid: process.getuid?.(),
    processes: { look: (pid) => tree[pid], isAlive: (pid) => ALIVE.includes(pid) },
    ...around,
  };
}

function write(folder: string, name: string, content: unknown, age = 0): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  const time = Date.now() / 1000 - age;
  utimesSync(path, time, time);
  return path;
}

function setUp(t: TestContext) {
  const world = createWorld(t);
  const gemini = (pid: number, content: object, name = `gemini-ide-server-${pid}-1.json`) =>
    write(join(world.tmp, 'gemini', 'ide'), name, {
      workspacePath: world.workspace,
      port: 1000 + pid,
      ideInfo: IDE,
      ...content,
    });
  const qwen = (port: number, content: object, age = 0) =>
    write(
      join(world.home, '.qwen', 'ide'),
      `${port}.lock`,
      { workspacePath: world.workspace, port, ppid: 20, ideInfo: IDE, ...content },
      age,
    );
  const claude = (port: number, content: object, age = 0) =>
    write(
      join(world.home, '.claude', 'ide'),
      `${port}.lock`,
      { workspaceFolders: [world.workspace], pid: 20, transport: 'ws', ...content },
      age,
    );
  return { world, gemini, qwen, claude };
}

test('the editor’s process: the grandparent of the shell, its parent below init, else the top', (t) => {
  const { world } = setUp(t);
  assert.equal(ideProcess(standIn(world)), 20);
  const machine = (tree: Record<number, [number, string]>): Surroundings['processes'] => ({
    look: (pid) => tree[pid] && { parent: tree[pid][0], command: tree[pid][1] },
    isAlive: () => true,
  });
  assert.equal(ideProcess({ pid: 3, processes: machine({ 3: [2, 'zsh'], 2: [1, 'tmux'] }) }), 2);
  assert.equal(
    ideProcess({ pid: 4, processes: machine({ 4: [3, 'node x'], 3: [2, '-bash'], 2: [1, 'sshd'] }) }),
    2,
    'a login shell is not known',
  );
  assert.equal(ideProcess({ pid: 9, processes: machine({}) }), 9);
});

test('Gemini: own editor first, then living, then larger pids; the variable decides between several', (t) => {
  const { world, gemini } = setUp(t);
  gemini(99, {});
  gemini(10, {});
  gemini(30, {});
  assert.equal(discoverGemini(standIn(world)).chosen?.pid, 30);
  gemini(20, {});
  assert.equal(discoverGemini(standIn(world)).chosen?.pid, 20);
  assert.equal(discoverGemini(standIn(world, { env: { GEMINI_CLI_IDE_PID: '10' } })).chosen?.pid, 10);
  assert.equal(discoverGemini(standIn(world, { env: { GEMINI_CLI_IDE_SERVER_PORT: '1010' } })).chosen?.pid, 10);
  assert.deepEqual(
    discoverGemini(standIn(world)).candidates.map((each) => each.pid),
    [20, 30, 10, 99],
  );
});

test('Gemini: workspace through symlinks, below but not above; an old name wins outright; the file’s token wins', (t) => {
  const { world, gemini } = setUp(t);
  const alias = join(world.root, 'alias');
  symlinkSync(world.workspace, alias);
  mkdirSync(join(world.workspace, 'sub'));
  gemini(30, { workspacePath: `${alias}:${world.home}`, authToken: 'file' });
  const env = { GEMINI_CLI_IDE_AUTH_TOKEN: 'variable' };
  assert.equal(discoverGemini(standIn(world, { cwd: join(world.workspace, 'sub'), env })).chosen?.token, 'file');
  const above = discoverGemini(standIn(world, { cwd: world.root }));
  assert.equal(above.chosen, undefined);
  assert.match(above.note ?? '', /is not below/);
  gemini(20, { workspacePath: '/elsewhere' }, 'gemini-ide-server-20.json');
  assert.deepEqual(discoverGemini(standIn(world)).chosen?.folders, ['/elsewhere']);
});

test('Gemini: broken and foreign files do no harm; an empty workspace is told', (t) => {
  const { world, gemini } = setUp(t);
  write(join(world.tmp, 'gemini', 'ide'), 'gemini-ide-server-30-1.json', 'not json');
  write(join(world.tmp, 'gemini', 'ide'), 'gemini-ide-server-x.json', '{}');
  assert.equal(discoverGemini(standIn(world)).chosen, undefined);
  gemini(10, { workspacePath: '' });
  assert.match(discoverGemini(standIn(world)).note ?? '', /no folder is open/);
  gemini(20, {});
  assert.equal(discoverGemini(standIn(world, { uid: 12345 })).chosen, undefined, 'another user’s');
});

test('Qwen: the variable’s lock first, then the newest that fits; dead ones are refused', (t) => {
  const { world, qwen } = setUp(t);
  qwen(1, {}, 10);
  qwen(2, {}, 5);
  qwen(3, { ppid: 99 });
  assert.equal(discoverQwen(standIn(world)).chosen?.port, 2);
  assert.equal(discoverQwen(standIn(world, { env: { QWEN_CODE_IDE_SERVER_PORT: '1' } })).chosen?.port, 1);
  assert.match(discoverQwen(standIn(world)).candidates[0]?.refused ?? '', /99 has ended/);
  const home = join(world.root, 'other');
  write(join(home, 'ide'), '9.lock', { port: 9, workspacePath: world.workspace, ppid: 20, ideInfo: IDE });
  assert.equal(discoverQwen(standIn(world, { env: { QWEN_HOME: home } })).chosen?.port, 9);
});

test('Qwen: a JSON list of folders; several roots without a process are lost; the token is only in the file', (t) => {
  const { world, qwen } = setUp(t);
  qwen(1, { workspacePath: JSON.stringify(['/nowhere', world.workspace]), authToken: 'secret' });
  assert.deepEqual(discoverQwen(standIn(world)).chosen?.folders, ['/nowhere', world.workspace]);
  qwen(1, { workspacePath: `${world.workspace}:${world.home}`, ppid: undefined });
  assert.match(discoverQwen(standIn(world)).note ?? '', /deletes such a file/);
});

test('[CLA-2] Claude: exactly one must fit; the variable picks, whatever the workspace; the name says the port', (t) => {
  const { world, claude } = setUp(t);
  claude(1, {});
  assert.equal(discoverClaude(standIn(world)).chosen?.port, 1);
  claude(2, {});
  const both = discoverClaude(standIn(world));
  assert.equal(both.chosen, undefined);
  assert.match(both.note ?? '', /2 companions fit/);
  claude(3, { workspaceFolders: ['/elsewhere'] });
  assert.equal(discoverClaude(standIn(world, { env: { CLAUDE_CODE_SSE_PORT: '3' } })).chosen?.port, 3);
  assert.equal(discoverClaude(standIn(world, { env: { CLAUDE_CODE_SSE_PORT: '4' } })).chosen, undefined);
});

test('[CLA-2] Claude: a symlinked folder does not match, a trailing slash does; dead and old ones are refused', (t) => {
  const { world, claude } = setUp(t);
  const alias = join(world.root, 'alias');
  symlinkSync(world.workspace, alias);
  claude(1, { workspaceFolders: [alias] });
  assert.match(discoverClaude(standIn(world)).note ?? '', /compared as text/);
  claude(1, { workspaceFolders: [`${world.workspace}/`] });
  assert.equal(discoverClaude(standIn(world)).chosen?.port, 1);
  claude(1, { pid: 99 });
  assert.match(discoverClaude(standIn(world)).note ?? '', /99 has ended/);
  claude(1, { transport: 'sse' });
  assert.match(discoverClaude(standIn(world)).note ?? '', /WebSocket/);
});

test('[CLA-2] Claude in an editor’s own terminal: only a companion that names an ancestor', (t) => {
  const { world, claude } = setUp(t);
  const env = { TERM_PROGRAM: 'vscode' };
  claude(1, { pid: 10 });
  assert.equal(discoverClaude(standIn(world, { env })).chosen, undefined);
  assert.equal(discoverClaude(standIn(world)).chosen?.port, 1);
  claude(1, { pid: 20 });
  assert.equal(discoverClaude(standIn(world, { env })).chosen?.port, 1);
});

test('every agent finds a running companion from its folder, and not from another', async (t) => {
  const { world, companion, token } = await startCompanion(t);
  const around = { ...here(), cwd: world.workspace, env: {}, home: world.home, tmp: world.tmp };
  for (const [name, discover] of [
    ['claude', discoverClaude],
    ['gemini', discoverGemini],
    ['qwen', discoverQwen],
  ] as const) {
    const { chosen } = discover(around);
    assert.equal(chosen?.port, companion.port, name);
    assert.equal(chosen?.token, token(name), name);
    assert.equal(discover({ ...around, cwd: world.root }).chosen, undefined, name);
  }
});
