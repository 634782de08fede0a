import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve } from '../../../test/support/command.ts';
import { CompanionProcess } from '../../../test/support/processes.ts';
import { MemoryEditor } from '../../core/src/index.ts';
import { ALL, Clinic } from './support/clinic.ts';

test('port-refused: a file without a process names a port where nobody is', async (t) => {
  const clinic = new Clinic(t);
  const port = await clinic.closedPort();
  clinic.foreign('claude', port, { pid: undefined });
  clinic.foreign('qwen', port, { ppid: undefined });
  await clinic.finds('qwen', ['port-refused']);
  // Claude Code deletes such a file by itself.
  const { findings } = await clinic.finds('claude', ['port-refused', 'companion-missing']);
  assert.equal(findings.find(({ id }) => id === 'port-refused')?.severity, 'note');
});

test('port-silent: the companion is stopped and does not answer', async (t) => {
  const clinic = new Clinic(t);
  const companion = new CompanionProcess(t, clinic.world);
  await companion.event('ready');
  process.kill(companion.pid, 'SIGSTOP');
  await Promise.all(ALL.map((agent) => clinic.finds(agent, ['port-silent'])));
});

test('port-foreign: something else has the port', async (t) => {
  const clinic = new Clinic(t);
  for (const [agent, port] of [
    ['claude', await clinic.greeter()],
    ['gemini', await clinic.greeter()],
    ['qwen', await clinic.vendor(404)],
  ] as const) {
    clinic.foreign(agent, port);
    const { findings } = await clinic.finds(agent, ['port-foreign']);
    assert.match(findings[0]?.evidence ?? '', agent === 'qwen' ? /answers 404/ : /does not speak HTTP/);
  }
});

test('host-refused: the companion wants another name for this machine', async (t) => {
  const clinic = new Clinic(t);
  clinic.foreign('gemini', await clinic.vendor(403));
  await clinic.finds('gemini', ['host-refused']);
});

test('subprotocol-missing: a WebSocket that does not say "mcp"', async (t) => {
  const clinic = new Clinic(t);
  clinic.foreign('claude', await clinic.vendor(400, false));
  await clinic.finds('claude', ['subprotocol-missing']);
});

test('port-variable-stale: a variable of a terminal that outlived its editor', async (t) => {
  const clinic = new Clinic(t);
  const port = String(await clinic.closedPort());
  for (const [agent, variable] of [
    ['claude', 'CLAUDE_CODE_SSE_PORT'],
    ['gemini', 'GEMINI_CLI_IDE_SERVER_PORT'],
    ['qwen', 'QWEN_CODE_IDE_SERVER_PORT'],
  ] as const) {
    const around = clinic.around({ env: { ...clinic.env, [variable]: port } });
    await clinic.finds(agent, ['port-variable-stale', 'companion-missing'], { around });
  }
});

test('variables-inherited: a variable of another editor leads Claude Code into the wrong window', async (t) => {
  const clinic = new Clinic(t);
  const other = join(clinic.world.root, 'other');
  mkdirSync(other);
  await clinic.companion();
  const { companion } = await clinic.companion({
    editor: new MemoryEditor({ folders: [other], info: { name: 'other' } }),
  });
  const env = {
    CLAUDE_CODE_SSE_PORT: String(companion.port),
    GEMINI_CLI_IDE_SERVER_PORT: String(companion.port),
    QWEN_CODE_IDE_SERVER_PORT: String(companion.port),
  };
  const around = clinic.around({ env: { ...clinic.env, ...env } });
  for (const agent of ALL) {
    const { chosen, findings } = await clinic.finds(agent, ['variables-inherited'], { around });
    assert.equal(chosen?.port === companion.port, agent === 'claude');
    assert.equal(findings[0]?.severity, agent === 'claude' ? 'error' : 'warning');
  }
});

test('terminal-of-another-editor: there Claude Code takes only companions that started it', async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion();
  const around = clinic.around({ env: { ...clinic.env, TERM_PROGRAM: 'vscode' } });
  await clinic.finds('claude', ['terminal-of-another-editor'], { around });
  await clinic.finds('gemini', [], { around });
});

test('proxy-catches-loopback: a proxy, and nothing that spares this machine', async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion();
  const proxied = { ...clinic.env, HTTP_PROXY: 'http://proxy.example:3128', NO_PROXY: 'example.org' };
  for (const agent of ALL)
    await clinic.finds(agent, ['proxy-catches-loopback'], { around: clinic.around({ env: proxied }) });
  for (const spared of ['example.org,127.0.0.1', '*']) {
    await clinic.finds('qwen', [], { around: clinic.around({ env: { ...proxied, no_proxy: spared } }) });
  }
});

test('host-override: Claude Code looks on another machine', async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion();
  const env = { ...clinic.env, CLAUDE_CODE_IDE_HOST_OVERRIDE: 'host.docker.internal' };
  await clinic.finds('claude', ['host-override'], { around: clinic.around({ env }) });
});

test('container-without-bridge: Gemini CLI looks on the host of the container', async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion();
  const containerMarks = [clinic.write(join(clinic.world.root, '.dockerenv'), '')];
  await clinic.finds('gemini', ['container-without-bridge'], { containerMarks });
  await clinic.finds('qwen', [], { containerMarks });
  const env = { ...clinic.env, REMOTE_CONTAINERS: 'true' };
  await clinic.finds('gemini', [], { containerMarks, around: clinic.around({ env }) });
});

test('wsl-without-bridge: the editor may be on the Windows side', async (t) => {
  const clinic = new Clinic(t);
  const around = clinic.around({ env: { ...clinic.env, WSL_DISTRO_NAME: 'Debian' } });
  for (const agent of ALL) await clinic.finds(agent, ['wsl-without-bridge', 'companion-missing'], { around });
  await clinic.companion();
  for (const agent of ALL) await clinic.finds(agent, [], { around });
});

test('ps-missing: Gemini CLI and Qwen Code look for their editor with it', async (t) => {
  const clinic = new Clinic(t);
  await clinic.companion();
  for (const agent of ALL)
    clinic.program(agent, `echo ${{ claude: '2.1.325', gemini: '0.61.0', qwen: '0.24.4' }[agent]}`);
  const around = clinic.around({ env: { ...clinic.env, PATH: clinic.bin } });
  await clinic.finds('claude', [], { around });
  for (const agent of ['gemini', 'qwen'] as const) await clinic.finds(agent, ['ps-missing'], { around });
});

test('tmpdir-differs: editor and terminal have different folders for temporary files', async (t) => {
  const clinic = new Clinic(t);
  const tmp = join(clinic.world.root, 'other-tmp');
  mkdirSync(tmp);
  const { ready } = await serve(t, { ...clinic.world, tmp });
  const { findings } = await clinic.finds('gemini', ['tmpdir-differs']);
  assert.ok(
    findings[0]?.evidence.includes(`TMPDIR is ${tmp} for node (pid ${ready.pid}) and ${clinic.world.tmp} here`),
    findings[0]?.evidence,
  );
  await clinic.finds('qwen', []);
});

test('home-differs: editor and terminal have different homes', async (t) => {
  const clinic = new Clinic(t);
  const home = join(clinic.world.root, 'other-home');
  mkdirSync(home);
  await serve(t, { ...clinic.world, home });
  for (const agent of ['claude', 'qwen'] as const) {
    const { findings } = await clinic.finds(agent, ['home-differs']);
    assert.ok(findings[0]?.remedy.startsWith(`export HOME=${home}`));
  }
});

test('qwen-home-differs and claude-config-dir-differs: the editor was started with one, the terminal without', async (t) => {
  const clinic = new Clinic(t);
  const [qwenHome, configDir] = [join(clinic.world.root, 'qwen-home'), join(clinic.world.root, 'claude-config')];
  const port = await clinic.vendor();
  const editor = await clinic.process({
    env: { HOME: clinic.world.home, QWEN_HOME: qwenHome, CLAUDE_CONFIG_DIR: configDir },
  });
  clinic.foreign('qwen', port, { ppid: editor.pid }, qwenHome);
  clinic.foreign('claude', port, { pid: editor.pid }, configDir);
  const qwen = await clinic.finds('qwen', ['qwen-home-differs']);
  assert.ok(qwen.findings[0]?.evidence.includes(`for sleep (pid ${editor.pid})`));
  await clinic.finds('claude', ['claude-config-dir-differs']);
  const around = clinic.around({ env: { ...clinic.env, CLAUDE_CONFIG_DIR: configDir } });
  const { chosen } = await clinic.diagnose('claude', { around });
  assert.equal(chosen?.port, port);
});

test('every cause that is documented is found by a test of this folder, and none is undocumented', async () => {
  const { readdirSync, readFileSync } = await import('node:fs');
  const read = (folder: string, pattern: RegExp) =>
    readdirSync(folder)
      .filter((name) => pattern.test(name))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
  const source = read(join(import.meta.dirname, '../src/doctor/causes'), /\.ts$/);
  const tests = read(import.meta.dirname, /^doctor.*\.test\.ts$/);
  const documented = readFileSync(join(import.meta.dirname, '../../../docs/doctor.md'), 'utf8');
  const ids = new Set([...source.matchAll(/(?:id: |[A-Z_]+: )'([a-z]+(?:-[a-z]+)+)'/g)].map(([, id]) => id ?? ''));
  assert.ok(ids.size >= 25, `${ids.size}`);
  for (const id of ids) {
    assert.ok(new RegExp(`'${id}'`).test(tests), `no test finds ${id}`);
    assert.ok(documented.includes(`\`${id}\``), `docs/doctor.md does not tell of ${id}`);
  }
});
