import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ALL, Clinic } from './support/clinic.ts';

test('a healthy set-up: nothing is found, and the companion that serves the folder is chosen', async (t) => {
  const clinic = new Clinic(t);
  const { companion } = await clinic.companion();
  for (const agent of ALL) {
    const { chosen, why, program } = await clinic.finds(agent, []);
    assert.equal(chosen?.port, companion.port);
    assert.equal(why, 'the only one that fits');
    assert.equal(program?.path, join(clinic.bin, agent));
  }
  assert.equal(companion.links.size, 0, 'looking makes no link');
});

test('doctor tells where each agent looks, in the order in which it does', async (t) => {
  const clinic = new Clinic(t);
  const { home, tmp } = clinic.world;
  const env = { ...clinic.env, CLAUDE_CONFIG_DIR: join(home, 'claude-config'), GEMINI_CLI_IDE_PID: '1' };
  const places = async (agent: 'claude' | 'gemini' | 'qwen') =>
    (await clinic.diagnose(agent, { around: clinic.around({ env }) })).looks.map(({ where }) => where);
  assert.deepEqual(await places('claude'), [
    'CLAUDE_CODE_SSE_PORT',
    `${home}/claude-config/ide`,
    `${home}/.claude/ide`,
  ]);
  assert.deepEqual(await places('gemini'), ["the editor's process", `${tmp}/gemini/ide`, 'GEMINI_CLI_IDE_SERVER_PORT']);
  assert.deepEqual(await places('qwen'), ['QWEN_CODE_IDE_SERVER_PORT', `${home}/.qwen/ide`]);
});

test('agent-missing: not on the PATH; without a name it is only a note', async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion();
  clinic.gone(join(clinic.bin, 'qwen'));
  const { findings } = await clinic.finds('qwen', ['agent-missing']);
  assert.equal(findings[0]?.severity, 'error');
  assert.match(findings[0]?.remedy ?? '', /npm install -g @qwen-code\/qwen-code/);
});

test('agent-broken: it is there and does not start', async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion();
  clinic.program('gemini', 'echo "Node 18 is too old" >&2; exit 1');
  const { findings } = await clinic.finds('gemini', ['agent-broken']);
  assert.match(findings[0]?.evidence ?? '', /Node 18 is too old/);
});

test('agent-untested: another minor version than the one that was seen', async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion();
  clinic.program('claude', 'echo "2.1.999 (Claude Code)"');
  await clinic.finds('claude', []);
  clinic.program('claude', 'echo "2.2.0 (Claude Code)"');
  const { findings } = await clinic.finds('claude', ['agent-untested']);
  assert.match(findings[0]?.evidence ?? '', /2\.2\.0.*2\.1\.325/);
});

test('settings-broken: a settings file that is no JSON', async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion();
  const path = clinic.home('.qwen/settings.json', '{ "ide": { "enabled": true }');
  const { findings } = await clinic.finds('qwen', [
    'settings-broken',
    'ide-mode-off',
    'approval-mode',
    'nudge-pending',
  ]);
  assert.ok(findings[0]?.evidence.includes(path));
});

test('ide-mode-off and nudge-pending: nobody has switched it on, and the first question leads nowhere', async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion();
  for (const agent of ['gemini', 'qwen'] as const) {
    clinic.home(`.${agent}/settings.json`, { tools: { approvalMode: 'default' }, ide: { hasSeenNudge: true } });
    await clinic.finds(agent, ['ide-mode-off']);
    clinic.home(`.${agent}/settings.json`, { tools: { approvalMode: 'default' } });
    await clinic.finds(agent, ['ide-mode-off', 'nudge-pending']);
  }
});

test('ide-mode-overruled: the folder’s or the system’s settings have the last word', async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion();
  const ofFolder = clinic.write(join(clinic.world.workspace, '.gemini', 'settings.json'), { ide: { enabled: false } });
  assert.ok((await clinic.finds('gemini', ['ide-mode-overruled'])).findings[0]?.evidence.includes(ofFolder));
  const system = clinic.write(
    join(clinic.world.root, 'system.json'),
    '{ "ide": { "enabled": false } } // by the admin',
  );
  const env = { ...clinic.env, QWEN_CODE_SYSTEM_SETTINGS_PATH: system };
  const { findings } = await clinic.finds('qwen', ['ide-mode-overruled'], { around: clinic.around({ env }) });
  assert.ok(findings[0]?.evidence.includes(system));
});

test('approval-mode: edits are applied before anybody sees them', async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion();
  const ide = { enabled: true, hasSeenNudge: true };
  clinic.home('.claude/settings.json', {}); // its default
  clinic.home('.gemini/settings.json', { ide, general: { defaultApprovalMode: 'auto_edit' } });
  clinic.home('.qwen/settings.json', { ide }); // its default
  for (const [agent, mode] of [
    ['claude', 'auto'],
    ['gemini', 'auto_edit'],
    ['qwen', 'auto'],
  ] as const) {
    const { findings } = await clinic.finds(agent, ['approval-mode']);
    assert.match(findings[0]?.evidence ?? '', new RegExp(`"${mode}"`));
  }
});

test('diff-tool-terminal: Claude Code shows its edits in the terminal only', async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion();
  clinic.home('.claude.json', { autoConnectIde: true, diffTool: 'terminal' });
  await clinic.finds('claude', ['diff-tool-terminal']);
});

test('auto-connect-off: Claude Code does not look unless it is told to', async (t) => {
  const clinic = new Clinic(t);
  const { companion } = await clinic.companion();
  const config = clinic.home('.claude.json', { numStartups: 3 });
  const { findings } = await clinic.finds('claude', ['auto-connect-off']);
  const env = { ...clinic.env, CLAUDE_CODE_SSE_PORT: String(companion.port) };
  await clinic.finds('claude', [], { around: clinic.around({ env }) });
  await findings[0]?.fix?.apply();
  assert.deepEqual(JSON.parse(readFileSync(config, 'utf8')), { numStartups: 3, autoConnectIde: true });
  await clinic.finds('claude', []);
});

test('auto-connect-forbidden: a variable switches it off whatever else is set', async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion();
  const env = { ...clinic.env, CLAUDE_CODE_AUTO_CONNECT_IDE: 'false' };
  await clinic.finds('claude', ['auto-connect-forbidden'], { around: clinic.around({ env }) });
});
