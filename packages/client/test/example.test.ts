import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCompanion, until, type World } from '../../../test/support/world.ts';
import { DIALECT_NAMES } from '../src/index.ts';
import { shown } from './support/linked.ts';

const EXAMPLE = join(import.meta.dirname, '..', 'examples', 'tiny-agent.ts');

function run(world: World, args: readonly string[]) {
  const env = { HOME: world.home, TMPDIR: world.tmp, PATH: process.env.PATH ?? '' };
  const child = spawn(process.execPath, [EXAMPLE, ...args], { cwd: world.workspace, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
  const code = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, child, output: () => output };
}

for (const dialect of DIALECT_NAMES) {
  test(`the example works as it is written, as ${dialect}`, async (t) => {
    const { world, editor } = await startCompanion(t);
    const agent = run(world, ['notes.txt', 'proposed\n', dialect]);
    t.after(() => agent.child.kill('SIGKILL'));
    const path = join(world.workspace, 'notes.txt');
    const review = await until(`the proposal: ${agent.output()}`, () => [...editor.shown.values()][0], 15_000);
    assert.equal(review.path, path);
    const looked = world.file('a.txt', 'one\n');
    const selection = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } };
    await editor.openFile({ path: looked, preview: false, focus: true, selection });
    await until('what it looks at', () => agent.output().includes(`looking at ${looked}: "one"`));
    editor.accept((await shown(editor, path)).id, 'mine\n');
    assert.equal(await agent.code, 0, agent.output());
    assert.equal(readFileSync(path, 'utf8'), 'mine\n');
  });
}

test('the example says why there is nobody', async (t) => {
  const { world, companion } = await startCompanion(t);
  await companion.stop();
  const agent = run(world, []);
  assert.equal(await agent.code, 3);
  assert.match(agent.output(), /no companion: no companion has written a file/);
});
