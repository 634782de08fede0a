import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CompanionProcess } from '../../../test/support/processes.ts';
import { ALL, Clinic } from './support/clinic.ts';

const isRoot = process.getuid?.() === 0;

/** The only file in the folder where this agent looks. */
function lockOf(clinic: Clinic, agent: 'claude' | 'gemini' | 'qwen'): string {
  const folder = {
    claude: join(clinic.world.home, '.claude/ide'),
    gemini: join(clinic.world.tmp, 'gemini/ide'),
    qwen: join(clinic.world.home, '.qwen/ide'),
  }[agent];
  const [name, ...others] = readdirSync(folder);
  assert.deepEqual(others, []);
  return join(folder, name ?? '');
}

test('file-dead: what a killed companion left, and --fix takes it away', async (t) => {
  const clinic = new Clinic(t);
  const companion = new CompanionProcess(t, clinic.world);
  await companion.event('ready');
  await companion.kill();
  for (const agent of ALL) {
    const lock = lockOf(clinic, agent);
    // Gemini CLI would choose it, as there is no other.
    const expected = agent === 'gemini' ? ['file-dead'] : ['file-dead', 'companion-missing'];
    const { findings } = await clinic.finds(agent, expected);
    const dead = findings.find(({ id }) => id === 'file-dead');
    assert.equal(dead?.severity, agent === 'gemini' ? 'error' : 'note');
    assert.equal(dead?.fix?.ours, true);
    await dead?.fix?.apply();
    assert.equal(existsSync(lock), false);
    await clinic.finds(agent, ['companion-missing']);
  }
});

test('file-stale: its process lives, but nobody listens; it stands in a good companion’s way', async (t) => {
  const clinic = new Clinic(t);
  const { pid } = await clinic.process();
  const port = await clinic.closedPort();
  await clinic.companion();
  clinic.foreign('claude', port, { pid });
  const { findings, chosen } = await clinic.finds('claude', ['file-stale', 'vendor-companion']);
  assert.equal(chosen, undefined);
  const stale = findings.find(({ id }) => id === 'file-stale');
  assert.equal(stale?.severity, 'error');
  assert.match(stale?.evidence ?? '', /\(sleep\), which runs, but nothing listens/);
  assert.equal(stale?.fix?.ours, false, 'another’s file is not ours to remove unasked');
  await stale?.fix?.apply();
  await clinic.finds('claude', []);
});

test('a file that was written anew since doctor looked is not removed', async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion();
  const path = clinic.write(join(clinic.world.tmp, 'gemini/ide/gemini-ide-server-1-2.json'), 'nonsense');
  const { findings } = await clinic.finds('gemini', ['file-broken']);
  utimesSync(path, 1, 1);
  assert.throws(() => findings[0]?.fix?.apply(), /written anew/);
  assert.ok(existsSync(path));
});

test('file-stale: Gemini CLI chooses it, and tries no other', async (t) => {
  const clinic = new Clinic(t);
  const { pid } = await clinic.process();
  const port = await clinic.closedPort();
  const file = clinic.foreign('gemini', port);
  renameSync(file, join(file, '..', `gemini-ide-server-${pid}-${port}.json`));
  const { why } = await clinic.finds('gemini', ['file-stale']);
  assert.match(why, /it cannot be reached/);
});

test('file-stale: Qwen Code tries the next one, so it is only a warning', async (t) => {
  const clinic = new Clinic(t);
  const { pid } = await clinic.process();
  const { companion } = await clinic.companion();
  clinic.foreign('qwen', await clinic.closedPort(), { ppid: pid }); // the newest
  const { findings, why } = await clinic.finds('qwen', ['file-stale', 'vendor-companion']);
  assert.equal(findings.find(({ id }) => id === 'file-stale')?.severity, 'warning');
  assert.match(why, new RegExp(`then port ${companion.port} is tried`));
});

test('transport-sse: a lock that does not say "ws"', async (t) => {
  const clinic = new Clinic(t);
  clinic.foreign('claude', await clinic.vendor(), { transport: undefined });
  await clinic.finds('claude', ['transport-sse']);
});

test('file-broken: a file that is no JSON', async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion();
  clinic.write(join(clinic.world.tmp, 'gemini/ide/gemini-ide-server-1-2.json'), '{"port":');
  await clinic.finds('gemini', ['file-broken']);
});

test('file-unreadable and file-owner: the file is another user’s', {
  skip: !isRoot && 'needs root to be two users',
}, async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion();
  // The agent's user may come in and look, but the files stay root's.
  const { root, home, tmp, workspace } = clinic.world;
  for (const folder of [root, home, tmp, workspace, join(tmp, 'gemini'), join(tmp, 'gemini/ide')])
    chmodSync(folder, 0o755);
  const { spawnSync } = await import('node:child_process');
  const tandem = join(import.meta.dirname, '../dist/tandem.js');
  const { stdout, status } = spawnSync(
    process.env.TANDEM_NODE ?? process.execPath,
    [tandem, 'doctor', 'gemini', '--json'],
    {
      cwd: workspace,
      env: { ...clinic.env, VSCODE_REMOTE_CONTAINERS_SESSION: '1' },
      uid: 65534,
      gid: 65534,
      encoding: 'utf8',
    },
  );
  const [diagnosis] = JSON.parse(stdout);
  const ids = diagnosis.findings.map(({ id }: { id: string }) => id);
  assert.ok(ids.includes('file-unreadable') && ids.includes('file-owner'), ids.join());
  assert.equal(status, 1);
});

test('file-owner: Gemini CLI passes over a file of another user', {
  skip: !isRoot && 'needs root to give a file away',
}, async (t) => {
  const clinic = new Clinic(t);
  const { companion } = await clinic.companion();
  const lock = lockOf(clinic, 'gemini');
  chownSync(lock, 65534, 65534);
  const { findings, chosen } = await clinic.finds('gemini', ['file-owner']);
  assert.equal(chosen, undefined);
  assert.match(findings[0]?.evidence ?? '', /belongs to uid 65534/);
  chownSync(lock, 0, 0);
  assert.equal((await clinic.finds('gemini', [])).chosen?.port, companion.port);
});

test('file-unreadable: nobody may read it', { skip: isRoot && 'root may read everything' }, async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion();
  chmodSync(lockOf(clinic, 'qwen'), 0);
  assert.ok((await clinic.diagnose('qwen')).findings.some(({ id }) => id === 'file-unreadable'));
});

test('file-permissions: others can read the token, and --fix closes it', async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion();
  for (const agent of ALL) {
    const lock = lockOf(clinic, agent);
    chmodSync(lock, 0o644);
    const { findings } = await clinic.finds(agent, ['file-permissions']);
    assert.equal(findings[0]?.fix?.ours, true);
    await findings[0]?.fix?.apply();
    assert.equal(statSync(lock).mode & 0o777, 0o600);
    await clinic.finds(agent, []);
  }
});

test('folder-unsafe: a folder in which others may write, or a link, is not published in', async (t) => {
  const clinic = new Clinic(t);
  const { home, root } = clinic.world;
  mkdirSync(join(home, '.qwen/ide'), { recursive: true });
  chmodSync(join(home, '.qwen/ide'), 0o777);
  mkdirSync(join(root, 'elsewhere'), { mode: 0o700 });
  mkdirSync(join(home, '.claude'), { recursive: true });
  symlinkSync(join(root, 'elsewhere'), join(home, '.claude/ide'));
  await clinic.companion();
  const { findings } = await clinic.finds('qwen', ['folder-unsafe']);
  assert.match(findings[0]?.evidence ?? '', /others may write in it/);
  await findings[0]?.fix?.apply();
  assert.equal(statSync(join(home, '.qwen/ide')).mode & 0o777, 0o700);
  const claude = await clinic.finds('claude', ['folder-unsafe']);
  assert.equal(claude.findings[0]?.fix, undefined);
});

test('not-published: the companion could not write its file', async (t) => {
  const clinic = new Clinic(t);
  const env = { ...clinic.env, QWEN_HOME: clinic.write(join(clinic.world.root, 'a-file'), 'no folder') };
  await clinic.companion({ places: { env } });
  const { findings } = await clinic.diagnose('qwen', { around: clinic.around({ env }) });
  assert.ok(findings.some(({ id, evidence }) => id === 'not-published' && evidence.includes('a-file')));
});

test('file-legacy: the name of older versions wins, whatever its folder', async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion();
  const port = await clinic.vendor();
  const env = { ...clinic.env, GEMINI_CLI_IDE_PID: String(process.pid) };
  const path = join(clinic.world.tmp, `gemini/ide/gemini-ide-server-${process.pid}.json`);
  clinic.write(path, {
    port,
    workspacePath: clinic.world.workspace,
    authToken: 'x',
    ideInfo: { name: 'v', displayName: 'V' },
  });
  const { chosen, findings } = await clinic.finds('gemini', ['file-legacy'], { around: clinic.around({ env }) });
  assert.equal(chosen?.port, port);
  await findings[0]?.fix?.apply();
  await clinic.finds('gemini', [], { around: clinic.around({ env }) });
});

test('editor-unnamed: a file that names no editor counts in that editor’s own terminal only', async (t) => {
  const clinic = new Clinic(t);
  const port = await clinic.vendor();
  for (const agent of ['gemini', 'qwen'] as const) {
    clinic.foreign(agent, port, { ideInfo: undefined });
    await clinic.finds(agent, ['editor-unnamed']);
    await clinic.finds(agent, [], { around: clinic.around({ env: { ...clinic.env, TERM_PROGRAM: 'vscode' } }) });
  }
});

test('token-refused: the file holds another token than the companion’s', async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion();
  for (const agent of ALL) {
    const lock = lockOf(clinic, agent);
    const content = JSON.parse(readFileSync(lock, 'utf8'));
    writeFileSync(lock, JSON.stringify({ ...content, authToken: 'f'.repeat(64) }));
    const { findings } = await clinic.finds(agent, ['token-refused']);
    assert.equal(findings[0]?.severity, 'error');
  }
});
