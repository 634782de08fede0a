import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { serve, tandem } from '../../../test/support/command.ts';
import { createWorld, until, type World } from '../../../test/support/world.ts';
import { isAlive } from '../../core/src/index.ts';
import { split } from '../src/commands/run.ts';
import { environmentFor, sparingLoopback } from '../src/run/environment.ts';
import { Terminal, tandemLine } from './support/terminal.ts';

/** The Node that people have. */
const NODE = process.env.TANDEM_NODE ?? process.execPath;

/** A world in which the agents are scripts that note how they were started. */
function setUp(t: TestContext) {
  const world = createWorld(t);
  const bin = join(world.root, 'bin');
  mkdirSync(bin);
  const program = (name: string, script: string) => {
    writeFileSync(
      join(bin, name),
      `#!/bin/sh\nenv > "$HOME/env"\nfor a in "$@"; do echo "[$a]"; done > "$HOME/args"\n${script}\n`,
    );
    chmodSync(join(bin, name), 0o755);
  };
  for (const name of ['claude', 'gemini', 'qwen']) program(name, 'exit 0');
  const env = { PATH: `${bin}:/usr/bin:/bin` };
  const noted = (name: 'env' | 'args') => readFileSync(join(world.home, name), 'utf8').trimEnd().split('\n');
  const variables = () =>
    Object.fromEntries(
      noted('env').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  return { world, env, program, noted, variables };
}

/** Nothing to ask about. */
function settled(world: World): void {
  write(join(world.home, '.gemini/settings.json'), '{"ide":{"enabled":true,"hasSeenNudge":true}}');
  write(
    join(world.home, '.qwen/settings.json'),
    '{"ide":{"enabled":true,"hasSeenNudge":true},"tools":{"approvalMode":"default"}}',
  );
  write(join(world.home, '.claude/settings.json'), '{"permissions":{"defaultMode":"manual"}}');
}

function write(path: string, text: string): string {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

test('run: the agent is led to this folder’s companion, and no other agent’s variables are left', async (t) => {
  const { world, env, variables } = setUp(t);
  settled(world);
  const { ready } = await serve(t, world);
  const inherited = {
    ...env,
    CLAUDE_CODE_SSE_PORT: '1',
    CLAUDE_CODE_AUTO_CONNECT_IDE: 'false',
    CLAUDE_CODE_IDE_HOST_OVERRIDE: 'example.org',
    GEMINI_CLI_IDE_SERVER_PORT: '2',
    GEMINI_CLI_IDE_AUTH_TOKEN: 'theirs',
    GEMINI_CLI_IDE_SERVER_STDIO_COMMAND: 'theirs',
    QWEN_CODE_IDE_SERVER_PORT: '3',
    FORCE_CODE_TERMINAL: '1',
    NO_PROXY: 'example.org',
    KEPT: 'yes',
  };
  for (const { dialect, environment } of ready.dialects) {
    const { code, stderr } = await tandem(world, ['run', dialect], { env: inherited });
    assert.equal(code, 0, stderr);
    assert.equal(stderr, '');
    const got = variables();
    const ofAgents = Object.entries(got).filter(([name]) =>
      /^(CLAUDE_CODE_(?!IDE_SKIP_AUTO)|ENABLE_IDE|GEMINI_CLI_IDE|QWEN_CODE_IDE|FORCE_CODE)/.test(name),
    );
    assert.deepEqual(Object.fromEntries(ofAgents), environment);
    assert.equal(got.KEPT, 'yes');
    assert.equal(got.NO_PROXY, 'example.org,127.0.0.1,localhost,::1');
    assert.equal(got.no_proxy, 'example.org,127.0.0.1,localhost,::1');
  }
});

test('run -- COMMAND: any command gets what all the agents need', async (t) => {
  const { world, env, variables } = setUp(t);
  const { ready } = await serve(t, world);
  const { code, stdout } = await tandem(
    world,
    ['run', '--', 'sh', '-c', 'env > "$HOME/env"; echo "$1"', 'sh', '--port'],
    { env },
  );
  assert.equal(code, 0);
  assert.equal(stdout, '--port\n');
  const all = Object.assign({}, ...ready.dialects.map((each: { environment: object }) => each.environment));
  const got = variables();
  for (const [name, value] of Object.entries(all)) assert.equal(got[name], value);
});

test('run: arguments, input, output and exit code are the agent’s, whatever they look like', async (t) => {
  const { world, env, program, noted } = setUp(t);
  settled(world);
  await serve(t, world);
  program('gemini', 'cat; echo oops >&2; exit 42');
  const args = ['--help', '--json', '-p', 'two words', '--', '--port', '1', '', `it's "odd" $HOME *`];
  const { code, stdout, stderr } = await tandem(world, ['run', 'gemini', ...args], { env, input: 'from the pipe' });
  assert.equal(code, 42);
  assert.equal(stdout, 'from the pipe');
  assert.equal(stderr, 'oops\n');
  assert.deepEqual(
    noted('args'),
    args.map((arg) => `[${arg}]`),
  );
});

test('run: a signal that ends the agent is 128 + n, and one that is sent to tandem reaches the agent', async (t) => {
  const { world, env, program } = setUp(t);
  settled(world);
  await serve(t, world);
  program('qwen', 'kill -KILL $$');
  assert.equal((await tandem(world, ['run', 'qwen'], { env })).code, 137);
  program('qwen', 'kill -TERM $$');
  assert.equal((await tandem(world, ['run', 'qwen'], { env })).code, 143);
  program(
    'qwen',
    'trap \'echo got it; exit 7\' TERM INT HUP USR1 USR2\ntouch "$HOME/up"\nwhile :; do sleep 0.05; done',
  );
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) {
    const up = join(world.home, 'up');
    const child = spawn(NODE, [join(import.meta.dirname, '../dist/tandem.js'), 'run', 'qwen'], {
      cwd: world.workspace,
      env: { HOME: world.home, TMPDIR: world.tmp, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    const ended = new Promise((resolve) => child.on('close', resolve));
    await until('the agent to be up', () => existsSync(up));
    child.kill(signal);
    assert.equal(await ended, 7, signal);
    assert.equal(output, 'got it\n', 'exactly once');
    (await import('node:fs')).rmSync(up);
  }
});

test('run: where no companion serves the folder, one is started for as long as the agent runs', async (t) => {
  const { world, env, program, variables } = setUp(t);
  settled(world);
  program('qwen', `ls "$HOME/.qwen/ide" > "$HOME/locks"`);
  const { code, stderr } = await tandem(world, ['run', 'qwen'], { env });
  assert.equal(code, 0, stderr);
  const port = variables().QWEN_CODE_IDE_SERVER_PORT;
  assert.equal(readFileSync(join(world.home, 'locks'), 'utf8'), `${port}.lock\n`);
  assert.match(stderr, /for one browser:\n\n {2}http:\/\/127\.0\.0\.1:\d+\/#\S+/, 'the address comes before the agent');
  assert.deepEqual(readdirSync(join(world.home, '.qwen/ide')), []);
  assert.deepEqual(readdirSync(join(world.home, '.tandem/run')), []);
  const plain = await tandem(world, ['run', '--with', 'serve', 'qwen'], { env });
  assert.equal(plain.stderr, '');
  assert.equal((await tandem(world, ['run', '--with', 'nothing', 'qwen'], { env })).code, 2);
});

test('run: a companion of its own ends with it, also after a kill -9', async (t) => {
  const { world, env, program } = setUp(t);
  settled(world);
  program('qwen', 'echo $$ > "$HOME/agent"\nexec sleep 600');
  const child = spawn(NODE, [join(import.meta.dirname, '../dist/tandem.js'), 'run', '--with', 'serve', 'qwen'], {
    cwd: world.workspace,
    env: { HOME: world.home, TMPDIR: world.tmp, ...env },
    stdio: 'ignore',
  });
  const agent = Number(
    await until(
      'the agent',
      () => existsSync(join(world.home, 'agent')) && readFileSync(join(world.home, 'agent'), 'utf8'),
    ),
  );
  t.after(() => isAlive(agent) && process.kill(agent, 'SIGKILL'));
  const [record] = readdirSync(join(world.home, '.tandem/run'));
  const pid = Number(record?.split('-')[0]);
  assert.ok(isAlive(pid));
  child.kill('SIGKILL');
  await until('the companion to go', () => !isAlive(pid), 10_000);
  assert.deepEqual(readdirSync(join(world.home, '.qwen/ide')), []);
});

test('run: of two companions the newest is taken, and it is said; --port takes the other', async (t) => {
  const { world, env, variables } = setUp(t);
  settled(world);
  const first = await serve(t, world);
  const second = await serve(t, world, ['--json', '--name', 'Second']);
  const { stderr } = await tandem(world, ['run', 'claude'], { env });
  assert.match(
    stderr,
    new RegExp(`2 companions serve this folder; linked to the newest, Second \\(--port ${second.ready.port}\\)`),
  );
  assert.equal(variables().CLAUDE_CODE_SSE_PORT, String(second.ready.port));
  await tandem(world, ['run', '--port', String(first.ready.port), 'claude'], { env });
  assert.equal(variables().CLAUDE_CODE_SSE_PORT, String(first.ready.port));
  assert.equal((await tandem(world, ['run', '--port', '1', 'claude'], { env })).code, 3);
});

test('run: an agent that is not installed, and names that are none', async (t) => {
  const { world } = setUp(t);
  const missing = await tandem(world, ['run', 'gemini']);
  assert.equal(missing.code, 1);
  assert.match(
    missing.stderr,
    /Gemini CLI is not installed: there is no "gemini" on the PATH\n\s+npm install -g @google\/gemini-cli/,
  );
  assert.equal((await tandem(world, ['run', '--', 'no-such-command'])).code, 1);
  assert.equal((await tandem(world, ['run'])).code, 2);
  const unknown = await tandem(world, ['run', 'vim']);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /any other command goes after --/);
  assert.match((await tandem(world, ['run', '--help'])).stdout, /^Usage: tandem run/);
  assert.deepEqual(readdirSync(world.home), [], 'nothing was started or written');
});

test('run: a companion that the agent will not find is told before it starts', async (t) => {
  const { world, env } = setUp(t);
  settled(world);
  await serve(t, world);
  const other = join(world.root, 'other-tmp');
  mkdirSync(other);
  const { stderr, code } = await tandem(world, ['run', 'gemini'], { env: { ...env, TMPDIR: other } });
  assert.equal(code, 0);
  assert.match(stderr, /Gemini CLI will not find the companion on port \d+: .+\n\s+tandem doctor gemini/);
});

test('run: the agent has the terminal, and what is typed', async (t) => {
  const { world, env, program } = setUp(t);
  settled(world);
  await serve(t, world);
  program('claude', '[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo a terminal\nread line\necho "heard $line"\nexit 3');
  const terminal = new Terminal(t, world, ['run', 'claude'], env);
  await terminal.shows(/a terminal/);
  terminal.type('hello\n');
  assert.equal(await terminal.ended, 3);
  assert.match(terminal.output, /heard hello/);
});

test('run: Ctrl-C is the agent’s', async (t) => {
  const { world, env, program } = setUp(t);
  settled(world);
  program('claude', "trap 'echo interrupted; exit 9' INT\necho ready\nwhile :; do sleep 0.05; done");
  const terminal = new Terminal(t, world, ['run', '--with', 'serve', 'claude'], env);
  await terminal.shows(/ready/);
  terminal.type('\x03');
  assert.equal(await terminal.ended, 9, terminal.output);
  assert.equal(terminal.output.match(/interrupted/g)?.length, 1);
  assert.deepEqual(readdirSync(join(world.home, '.tandem/run')), []);
});

test('run: Ctrl-Z stops both and the shell has the terminal; fg brings both back', async (t) => {
  const { world, env, program } = setUp(t);
  settled(world);
  await serve(t, world);
  program('claude', 'echo ready\nread line\necho "heard $line"\nexit 5');
  const shell = new Terminal(t, world, [], { ...env, PS1: '> ' });
  shell.type(`${tandemLine(['run', 'claude'])}\n`);
  await shell.shows(/\nready/);
  shell.type('\x1a');
  await shell.shows(/Stopped/);
  shell.type('echo the shell is $((40 + 2))\n');
  await shell.shows(/the shell is 42/);
  shell.type('fg\n');
  await shell.shows(/the shell is 42[\s\S]*run' 'claude'/);
  shell.type('again\n');
  await shell.shows(/heard again/);
  shell.type('echo code $?\n');
  await shell.shows(/code 5/);
  shell.type('exit\n');
  assert.equal(await shell.ended, 0);
});

test('our own options end at the agent’s name', () => {
  assert.deepEqual(split(['--with', 'serve', 'gemini', '--with', 'x']), [
    ['--with', 'serve'],
    ['gemini', '--with', 'x'],
    false,
  ]);
  assert.deepEqual(split(['--port=1', 'qwen']), [['--port=1'], ['qwen'], false]);
  assert.deepEqual(split(['--', '--x']), [[], ['--x'], true]);
  assert.deepEqual(split(['--undo']), [['--undo'], [], false]);
});

test('loopback is added to what is spared from the proxy, once, in both spellings', () => {
  const all = '127.0.0.1,localhost,::1';
  assert.deepEqual(sparingLoopback({}), { no_proxy: all, NO_PROXY: all });
  assert.deepEqual(sparingLoopback({ no_proxy: 'a, localhost' }), {
    no_proxy: 'a,localhost,127.0.0.1,::1',
    NO_PROXY: 'a,localhost,127.0.0.1,::1',
  });
  assert.deepEqual(sparingLoopback({ NO_PROXY: '*' }), { no_proxy: '*', NO_PROXY: '*' });
});

test('in a container Gemini CLI is told that its editor is here, and only there', () => {
  const inside = environmentFor('gemini', {}, {}, (path) => path === '/.dockerenv');
  assert.equal(inside.VSCODE_REMOTE_CONTAINERS_SESSION, '1');
  assert.equal(environmentFor('gemini', {}, {}, () => false).VSCODE_REMOTE_CONTAINERS_SESSION, undefined);
});
