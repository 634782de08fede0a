import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HttpAgent } from '../../../test/support/http-agent.ts';
import { SocketAgent } from '../../../test/support/socket-agent.ts';
import { createWorld, startCompanion, until } from '../../../test/support/world.ts';
import { Ledger, Policy, Workspace } from '../src/index.ts';

test('[ALL-13] what is denied by default, by name, by folder and by the user', () => {
  const policy = new Policy({ deny: ['secrets/', '*.sqlite', '/etc/**', 'docs/private.md'] });
  for (const path of [
    '/w/.env',
    '/w/.env.local',
    '/w/sub/.ENV',
    '/w/.git/config',
    '/w/server.pem',
    '/w/tls/server.key',
    '/home/u/.ssh/config',
    '/w/id_ed25519',
    '/w/secrets/a/b.txt',
    '/w/x/data.sqlite',
    '/etc/passwd',
    '/w/docs/private.md',
  ]) {
    assert.ok(policy.denies(path), path);
  }
  for (const path of [
    '/w/a.ts',
    '/w/environment.ts',
    '/w/.github/x.yml',
    '/w/git/config',
    '/w/keys.ts',
    '/w/docs/public.md',
  ]) {
    assert.ok(!policy.denies(path), path);
  }
});

test('[ALL-13] a link with a harmless name does not smuggle out what it points to', (t) => {
  const world = createWorld(t);
  const secret = world.file('.env', 'TOKEN=1');
  const link = join(world.workspace, 'notes.txt');
  symlinkSync(secret, link);
  assert.ok(new Policy().denies(link));
});

test('[ALL-13] a denied document leaves no trace in what is shared', () => {
  const workspace = new Workspace();
  const policy = new Policy();
  const at = { line: 0, character: 0 };
  for (const path of ['/w/a.ts', '/w/.env']) {
    workspace.apply({ type: 'opened', path, language: 'x' });
    workspace.apply({ type: 'focused', path });
    workspace.apply({ type: 'selected', path, selections: [{ start: at, end: at, text: `text of ${path}` }] });
    const range = { start: at, end: at };
    workspace.apply({ type: 'diagnostics', path, diagnostics: [{ range, severity: 'error', message: path }] });
  }
  const view = policy.view(workspace);
  assert.ok(!JSON.stringify(view).includes('.env'));
  assert.equal(view.active, undefined);
  assert.equal(view.latestSelection, undefined);
  assert.deepEqual([...policy.diagnostics(workspace).keys()], ['/w/a.ts']);
  assert.deepEqual([...policy.diagnostics(workspace, '/w/.env').keys()], []);
  workspace.dispose();
});

test('[ALL-13] nothing of a denied file reaches any agent, by notification or by tool', async (t) => {
  const running = await startCompanion(t);
  const claude = await new SocketAgent(running.companion.port, running.token('claude')).connect();
  const gemini = await new HttpAgent(running.companion.port, running.token('gemini')).connect();
  const [open, env] = [running.world.file('a.txt', 'fine'), running.world.file('.env', 'CANARY=1')];
  for (const path of [env, open]) await running.editor.openFile({ path, preview: false, focus: true });
  running.editor.focus(env);
  const everything = { start: { line: 0, character: 0 }, end: { line: 0, character: 8 } };
  running.editor.select(env, [everything]);
  running.editor.host.apply({
    type: 'diagnostics',
    path: env,
    diagnostics: [{ range: everything, severity: 'error', message: 'CANARY' }],
  });
  await until('the other file arrived', () => gemini.openFiles.some((file) => file.path === open));
  for (const tool of ['getCurrentSelection', 'getLatestSelection', 'getOpenEditors', 'getDiagnostics'])
    await claude.call(tool);
  await claude.call('getDiagnostics', { uri: `file://${env}` });
  assert.match((await claude.texts('checkDocumentDirty', { filePath: env }))[0] ?? '', /not open/);
  await until('the selection message', () => gemini.contexts.length >= 2);
  const said = JSON.stringify([claude.received, gemini.received]);
  assert.ok(!said.includes('CANARY'));
  assert.ok(!said.replaceAll(`Document not open: ${env}`, '').includes('.env'));
});

test('[ALL-13] the user may change the deny list while it runs; what is always denied stays', () => {
  const policy = new Policy({ deny: ['secret/'] });
  let told = 0;
  policy.changed.on(() => {
    told += 1;
  });
  assert.ok(policy.denies('/w/secret/a.txt'));
  policy.denyAlso(['*.sqlite']);
  assert.equal(told, 1);
  assert.ok(policy.denies('/w/data.sqlite'));
  assert.ok(!policy.denies('/w/secret/a.txt'));
  assert.ok(policy.denies('/w/.env'));
});

test('explicit and off share nothing by themselves; a change of mode is told at once', async (t) => {
  const running = await startCompanion(t, { policy: new Policy({ sharing: 'explicit' }) });
  const path = running.world.file('a.txt', 'text');
  await running.editor.openFile({ path, preview: false, focus: true });
  const gemini = await new HttpAgent(running.companion.port, running.token('gemini')).connect();
  assert.deepEqual(gemini.openFiles, []);
  assert.ok(running.companion.policy.allowsSending(path));
  running.companion.policy.sharing = 'auto';
  await until('the file', () => gemini.openFiles[0]?.path === path);
  running.companion.policy.sharing = 'off';
  await until('nothing again', () => gemini.openFiles.length === 0);
  assert.ok(!running.companion.policy.allowsSending(path));
});

test('[ALL-14] the ledger tells what was sent to whom, and is bounded', async (t) => {
  const running = await startCompanion(t);
  const path = running.world.file('a.txt', 'shared text');
  await running.editor.openFile({ path, preview: false, focus: true });
  running.editor.select(path, [{ start: { line: 0, character: 0 }, end: { line: 0, character: 6 } }]);
  await new HttpAgent(running.companion.port, running.token('qwen')).connect();
  const entry = await until('an entry', () => running.companion.ledger.entries.at(-1));
  assert.equal(entry.agent, 'qwen');
  assert.deepEqual(entry.paths, [path]);
  assert.equal(entry.text, 'shared');
  const ledger = new Ledger();
  for (let i = 0; i < 600; i += 1)
    ledger.note({ link: 'l', agent: 'x', what: 'context', paths: [], text: 'y'.repeat(10_000) });
  assert.equal(ledger.entries.length, 500);
  assert.ok((ledger.entries[0]?.text.length ?? 0) <= 4096);
  assert.equal(ledger.entries[0]?.characters, 10_000);
});
