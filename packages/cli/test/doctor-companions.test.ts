import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../../test/support/world.ts';
import { MemoryEditor } from '../../core/src/index.ts';
import { ALL, Clinic } from './support/clinic.ts';

test('companion-missing: nobody runs', async (t) => {
  const clinic = new Clinic(t);
  for (const agent of ALL) {
    const { chosen, findings } = await clinic.finds(agent, ['companion-missing']);
    assert.equal(chosen, undefined);
    assert.match(findings[0]?.remedy ?? '', new RegExp(`^tandem run ${agent}`));
  }
});

test('companion-late: an agent that runs looked before there was a companion', async (t) => {
  const clinic = new Clinic(t);
  const agent = await clinic.process({ argv0: 'gemini', cwd: clinic.world.workspace });
  const born = Date.now();
  await until('the clock to move on', () => Date.now() > born + 30);
  await clinic.companion();
  const { findings } = await clinic.finds('gemini', ['companion-late']);
  assert.match(findings[0]?.evidence ?? '', new RegExp(`pid ${agent.pid}\\b`));
  await clinic.finds('qwen', []);
});

test('an agent that was started after the companion, or in another folder, is not late', async (t) => {
  const clinic = new Clinic(t);
  await clinic.process({ argv0: 'gemini', cwd: clinic.world.home });
  const begun = Date.now();
  await until('the clock to move on', () => Date.now() > begun + 30);
  await clinic.companion();
  const served = Date.now();
  await until('the clock to move on', () => Date.now() > served + 30);
  await clinic.process({ argv0: 'gemini', cwd: clinic.world.workspace });
  await clinic.finds('gemini', []);
});

test('companions-several: Claude Code takes none of two, the others one of them', async (t) => {
  const clinic = new Clinic(t);
  const { companion: first } = await clinic.companion();
  const { companion: second } = await clinic.companion({
    editor: new MemoryEditor({ folders: [clinic.world.workspace], info: { name: 'other' } }),
  });
  const claude = await clinic.finds('claude', ['companions-several']);
  assert.equal(claude.chosen, undefined);
  assert.equal(claude.findings[0]?.severity, 'error');
  for (const agent of ['gemini', 'qwen'] as const) {
    const { chosen, findings } = await clinic.finds(agent, ['companions-several']);
    assert.ok([first.port, second.port].includes(chosen?.port ?? 0));
    assert.equal(findings[0]?.severity, 'warning');
  }
  const env = { ...clinic.env, CLAUDE_CODE_SSE_PORT: String(first.port) };
  const named = await clinic.finds('claude', [], { around: clinic.around({ env }) });
  assert.equal(named.why, 'CLAUDE_CODE_SSE_PORT names it');
});

test('vendor-companion: somebody else’s companion holds the window', async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion();
  const port = await clinic.vendor();
  clinic.foreign('claude', port);
  assert.equal((await clinic.finds('claude', ['vendor-companion'])).findings[0]?.severity, 'error');
  clinic.foreign('qwen', port); // the newest
  const { chosen } = await clinic.finds('qwen', ['vendor-companion']);
  assert.equal(chosen?.port, port);
});

test('a vendor’s companion alone is fine', async (t) => {
  const clinic = new Clinic(t);
  const port = await clinic.vendor();
  for (const agent of ALL) {
    clinic.foreign(agent, port);
    await clinic.finds(agent, []);
  }
});

test('workspace-mismatch: the companion serves another folder, and both real paths are told', async (t) => {
  const clinic = new Clinic(t);
  const other = join(clinic.world.root, 'other');
  const link = join(clinic.world.root, 'link');
  mkdirSync(other);
  symlinkSync(other, link);
  await clinic.companion({ editor: new MemoryEditor({ folders: [link] }) });
  for (const agent of ALL) {
    const { findings } = await clinic.finds(agent, ['workspace-mismatch']);
    assert.ok(findings[0]?.evidence.includes(`${clinic.world.workspace} is not below ${other}`), findings[0]?.evidence);
  }
});

test('workspace-symlink: Claude Code compares as text, so a link is another folder', async (t) => {
  const clinic = new Clinic(t);
  const link = join(clinic.world.root, 'link');
  symlinkSync(clinic.world.workspace, link);
  const port = await clinic.vendor();
  clinic.foreign('claude', port, { workspaceFolders: [link] });
  await clinic.finds('claude', ['workspace-symlink']);
  clinic.foreign('gemini', port, { workspacePath: link });
  clinic.foreign('qwen', port, { workspacePath: link });
  await clinic.finds('gemini', []);
  await clinic.finds('qwen', []);
});

test('a slash at the end of the folder is no other folder', async (t) => {
  const clinic = new Clinic(t);
  const port = await clinic.vendor();
  clinic.foreign('claude', port, { workspaceFolders: [`${clinic.world.workspace}/`] });
  clinic.foreign('gemini', port, { workspacePath: `${clinic.world.workspace}/` });
  clinic.foreign('qwen', port, { workspacePath: `${clinic.world.workspace}/` });
  for (const agent of ALL) await clinic.finds(agent, []);
});

test('workspace-case: the same but for upper and lower case', async (t) => {
  const clinic = new Clinic(t);
  const upper = join(clinic.world.root, 'WS');
  mkdirSync(upper);
  await clinic.companion({ editor: new MemoryEditor({ folders: [upper] }) });
  for (const agent of ALL) await clinic.finds(agent, ['workspace-case']);
});

test('workspace-above: the agent stands above the folder that is open', async (t) => {
  const clinic = new Clinic(t);
  const below = join(clinic.world.workspace, 'packages');
  mkdirSync(below);
  await clinic.companion({ editor: new MemoryEditor({ folders: [below] }) });
  for (const agent of ALL) await clinic.finds(agent, ['workspace-above']);
});

test('workspace-empty: an editor without a folder', async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion({ editor: new MemoryEditor({ folders: [] }) });
  for (const agent of ALL) await clinic.finds(agent, ['workspace-empty']);
});

test('workspace-delimiter: Gemini CLI reads a folder with a colon as two', async (t) => {
  const clinic = new Clinic(t);
  const odd = join(clinic.world.root, 'a:b');
  mkdirSync(odd);
  await clinic.companion({ editor: new MemoryEditor({ folders: [odd] }) });
  const around = clinic.around({ cwd: odd });
  await clinic.finds('gemini', ['workspace-delimiter'], { around });
  await clinic.finds('claude', [], { around });
  await clinic.finds('qwen', [], { around });
});

test('agent-left-out: the companion was started without this agent', async (t) => {
  const clinic = new Clinic(t);
  const { DIALECTS } = await import('../../core/src/index.ts');
  await clinic.companion({ dialects: DIALECTS.filter(({ id }) => id !== 'qwen') });
  await clinic.finds('qwen', ['agent-left-out']);
  await clinic.finds('claude', []);
});
