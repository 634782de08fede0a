// What the real agents make of a context that breaks every rule, against what the library makes of it.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { connect, type OpenFile } from '../../../packages/client/src/index.ts';
import { rawCompanion } from '../../../packages/client/test/support/raw-companions.ts';
import { agents } from '../agents.ts';
import { Sandbox } from '../sandbox.ts';
import { waitFor } from '../wait.ts';
import { Seat } from '../world.ts';

/** Not sorted, two active, thirteen of them, and more text than any agent takes. */
const sent: readonly OpenFile[] = Array.from({ length: 13 }, (_, i) => ({
  path: `/files/${(i * 5) % 13}.txt`,
  timestamp: (i * 5) % 13,
  isActive: (i * 5) % 13 > 10,
  cursor: { line: 3, character: 4 },
  selectedText: `${(i * 5) % 13}:${'x'.repeat(20_000)}`,
}));

describe('context that breaks the rules', { concurrency: 1 }, () => {
  test('[GEM-16] the real Gemini CLI and the library make the same of it', { timeout: 90_000 }, (t) =>
    put(t, 'gemini'),
  );
  test('[QWEN-5] the real Qwen Code and the library make the same of it', { timeout: 90_000 }, (t) => put(t, 'qwen'));
});

async function put(t: TestContext, name: 'gemini' | 'qwen'): Promise<void> {
  const sandbox = new Sandbox();
  const raw = await rawCompanion(t, name);
  const link = await connect(raw.endpoint);
  const profile = agents[name];
  const seat = new Seat(profile, await profile.startModel(), sandbox);
  try {
    publish(sandbox, name, raw.endpoint.port);
    await seat.start();
    await waitFor(
      'both to listen',
      () => raw.streams() === 2,
      20_000,
      () => seat.agent.evidence(),
    );
    raw.notify('ide/contextUpdate', { workspaceState: { openFiles: sent } });
    await waitFor('the library to hear it', () => link.context.files.length > 0);
    await seat.agent.waitForVisible(profile.ready);
    if (name === 'gemini') await seat.agent.waitForScreen(/10 open files/);
    else await seat.knowsContext();
    const seen = await seat.ask('see-context');
    const [active, ...others] = link.context.files;
    assert.equal(link.context.files.length, 10);
    const selected = active?.selectedText ?? '';
    assert.ok(active?.isActive && selected.endsWith('... [TRUNCATED]'));
    for (const part of profile.selection(active.path, selected)) assert.ok(seen.includes(part), 'the selection');
    // The others follow in the same order, and the rest is not there at all.
    const order = [...seen.matchAll(/\/files\/\d+\.txt/g)].map(([path]) => path);
    assert.deepEqual(
      [...new Set(order)],
      [active, ...others].map(({ path }) => path),
    );
    assert.equal(seen.split(':xxx').length, 2, 'no other selection');
  } finally {
    await link.close();
    await seat.quit();
    await sandbox.tmux.endServer();
    sandbox.killAll();
    await seat.model.close();
    sandbox.remove();
  }
}

function publish(sandbox: Sandbox, name: 'gemini' | 'qwen', port: number): void {
  const [folder, file] =
    name === 'gemini'
      ? [join(sandbox.tmp, 'gemini', 'ide'), `gemini-ide-server-${process.pid}-${port}.json`]
      : [join(sandbox.home, '.qwen', 'ide'), `${port}.lock`];
  mkdirSync(folder, { recursive: true });
  const ideInfo = { name: 'raw', displayName: 'Raw' };
  const content = { port, workspacePath: sandbox.workspace, authToken: 'raw', ppid: process.pid, ideInfo };
  writeFileSync(join(folder, file), JSON.stringify(content));
}
