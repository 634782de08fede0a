import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { serve, tandem } from '../../../test/support/command.ts';
import { HttpAgent } from '../../../test/support/http-agent.ts';
import { createWorld, until, type World } from '../../../test/support/world.ts';
import { Terminal } from './support/terminal.ts';

/** The Node that people have. */
const NODE = process.env.TANDEM_NODE ?? process.execPath;

function watching(t: TestContext, world: World, ...args: string[]) {
  const child = spawn(NODE, [join(import.meta.dirname, '../dist/tandem.js'), 'status', '--watch', ...args], {
    cwd: world.workspace,
    env: { HOME: world.home, TMPDIR: world.tmp, PATH: '/usr/bin:/bin' },
  });
  const seen = { output: '' };
  child.stdout.on('data', (chunk) => (seen.output += chunk));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const lines = () =>
    seen.output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  return { child, seen, lines, ended };
}

test('status --watch --json: one line for each change, and an end without a trace', async (t) => {
  const world = createWorld(t);
  const { lines, child, ended } = watching(t, world, '--json');
  await until('the first line', () => lines().length === 1);
  assert.match(lines()[0].error, /no companion serves/);
  const { ready, child: companion } = await serve(t, world);
  await until('the companion', () => lines().at(-1).port === ready.port);
  const file = ready.dialects.find((each: { dialect: string }) => each.dialect === 'gemini').discoveryFile;
  const agent = await new HttpAgent(ready.port, JSON.parse(readFileSync(file, 'utf8')).authToken).connect();
  t.after(() => agent.drop());
  await until('the link', () => lines().at(-1).links?.length === 1);
  const count = lines().length;
  companion.kill('SIGTERM');
  await until('the end of the companion', () => lines().at(-1).error !== undefined);
  assert.ok(lines().length <= count + 2, 'only changes are told');
  child.kill('SIGINT');
  assert.equal(await ended, 0);
});

test('status --watch ends when nobody reads it', async (t) => {
  const world = createWorld(t);
  await serve(t, world);
  const { seen, child, ended } = watching(t, world, '--json');
  await until('something', () => seen.output !== '');
  child.stdout.destroy();
  await (await serve(t, world, ['--json', '--name', 'Other'])).ready; // a change, which it tries to tell
  assert.equal(await ended, 0);
});

test('status --watch draws over itself on a terminal, and gives the screen back', async (t) => {
  const world = createWorld(t);
  const { ready } = await serve(t, world);
  const terminal = new Terminal(t, world, ['status', '--watch'], { TERM: 'xterm', NO_COLOR: '1' });
  await terminal.shows(/Tandem serves/);
  assert.ok(terminal.output.startsWith('\x1b[?1049h'), JSON.stringify(terminal.output.slice(0, 40)));
  const file = ready.dialects.find((each: { dialect: string }) => each.dialect === 'qwen').discoveryFile;
  const agent = await new HttpAgent(ready.port, JSON.parse(readFileSync(file, 'utf8')).authToken).connect();
  t.after(() => agent.drop());
  await terminal.shows(/Connected:/);
  const drawings = terminal.output.split('\x1b[H').length - 1;
  assert.ok(drawings >= 2 && drawings <= 4, `${drawings} drawings, one for each change`);
  terminal.type('\x03');
  assert.equal(await terminal.ended, 0);
  assert.ok(terminal.output.includes('\x1b[?25h\x1b[?1049l'));
});

test('status without --watch is as it was', async (t) => {
  const world = createWorld(t);
  const { ready } = await serve(t, world);
  const { stdout, code } = await tandem(world, ['status']);
  assert.equal(code, 0);
  assert.match(
    stdout,
    new RegExp(`^Tandem serves ${world.workspace}\npid ${ready.pid}, port ${ready.port}, sharing auto`),
  );
  assert.match(stdout, /No agent is connected\.\n/);
});
