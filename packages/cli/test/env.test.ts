import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
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

test('a folder with quotes in its name survives a real shell, and nothing of it is run', async (t) => {
  const world = createWorld(t);
  const odd = join(world.root, `it's "odd" $(touch pwned) \`x\` \\`);
  mkdirSync(odd);
  await serve(t, { ...world, workspace: odd });
  const { stdout } = await tandem(world, ['env', 'gemini', '--shell', 'bash'], { cwd: odd });
  const script = `${stdout}\nprintf %s "$GEMINI_CLI_IDE_WORKSPACE_PATH"`;
  assert.equal(execFileSync('bash', ['-c', script], { encoding: 'utf8', cwd: world.root }), odd);
});

test('every shell gets its own quoting', () => {
  const value = `a'b"c\\d`;
  assert.equal(assignment('fish', 'X', value), `set -gx X 'a\\'b"c\\\\d'`);
  assert.equal(assignment('nu', 'X', value), `$env.X = "a'b\\"c\\\\d"`);
  assert.equal(assignment('pwsh', 'X', value), `$env:X = 'a''b"c\\d'`);
});
