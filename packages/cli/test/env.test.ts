import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { serve, tandem } from '../../../test/support/command.ts';
import { createWorld } from '../../../test/support/world.ts';
import { assignment } from '../src/commands/env.ts';

test('env prints what leads an agent here, for one agent or for all', async (t) => {
  const world = createWorld(t);
  const { ready } = await serve(t, world);
  const { json: all } = await tandem(world, ['env', '--json']);
  assert.deepEqual(all, Object.assign({}, ...ready.dialects.map((each: { environment: object }) => each.environment)));
  const { stdout } = await tandem(world, ['env', 'claude']);
  assert.equal(stdout, `export CLAUDE_CODE_SSE_PORT='${ready.port}'\nexport ENABLE_IDE_INTEGRATION='true'\n`);
  assert.equal((await tandem(world, ['env', 'nobody'])).code, 2);
  assert.equal((await tandem(world, ['env', '--shell', 'cmd'])).code, 2);
});

for (const shell of ['bash', 'zsh', 'fish']) {
  const missing = spawnSync(shell, ['--version']).error !== undefined && `${shell} is not installed`;
  test(`a folder with quotes in its name survives a real ${shell}, and nothing of it is run`, { skip: missing }, (t) =>
    survives(t, shell),
  );
}

async function survives(t: TestContext, shell: string): Promise<void> {
  const world = createWorld(t);
  const odd = join(world.root, `it's "odd" $(touch pwned) \`x\` \\`);
  mkdirSync(odd);
  await serve(t, { ...world, workspace: odd });
  const { stdout } = await tandem(world, ['env', 'gemini', '--shell', shell], { cwd: odd });
  const script = `${stdout}\nprintf %s "$GEMINI_CLI_IDE_WORKSPACE_PATH"`;
  const env = { HOME: world.home, PATH: '/usr/bin:/bin' };
  assert.equal(execFileSync(shell, ['-c', script], { encoding: 'utf8', cwd: world.root, env }), odd);
  assert.ok(!existsSync(join(world.root, 'pwned')));
}

test('every shell gets its own quoting', () => {
  const value = `a'b"c\\d`;
  assert.equal(assignment('fish', 'X', value), `set -gx X 'a\\'b"c\\\\d'`);
  assert.equal(assignment('nu', 'X', value), `$env.X = "a'b\\"c\\\\d"`);
  assert.equal(assignment('pwsh', 'X', value), `$env:X = 'a''b"c\\d'`);
  assert.equal(assignment('pwsh', 'X', 'it’s $(x)'), "$env:X = 'it’’s $(x)'");
  assert.equal(assignment('nu', 'X', 'a\u0001b\n'), '$env.X = "a\\u{0001}b\\n"');
});
