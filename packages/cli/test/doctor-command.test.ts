import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { serve, tandem } from '../../../test/support/command.ts';
import { Clinic } from './support/clinic.ts';
import { Terminal } from './support/terminal.ts';

/** The machine of the tests may be a container, which Gemini CLI would mind. */
const HERE = { VSCODE_REMOTE_CONTAINERS_SESSION: '1' };

function setUp(t: TestContext) {
  const clinic = new Clinic(t);
  const env = { PATH: clinic.env.PATH ?? '', ...HERE };
  return { clinic, world: clinic.world, env };
}

test('doctor: exit code 0 when nothing stands in the way, and every agent is told of', async (t) => {
  const { world, env } = setUp(t);
  const { ready } = await serve(t, world);
  const { code, stdout } = await tandem(world, ['doctor'], { env });
  assert.equal(code, 0, stdout);
  for (const name of ['Claude Code 2.1.325', 'Gemini CLI 0.61.0', 'Qwen Code 0.24.4']) assert.ok(stdout.includes(name));
  assert.equal(stdout.match(/nothing stands in the way/g)?.length, 3, stdout);
  assert.equal(stdout.match(new RegExp(`port ${ready.port}, .*: chosen, the only one that fits`, 'g'))?.length, 3);
});

test('doctor: exit code 1 when something does, 2 for wrong usage; an agent that is not there is no fault unless named', async (t) => {
  const { clinic, world, env } = setUp(t);
  const { code, stdout } = await tandem(world, ['doctor'], { env });
  assert.equal(code, 1);
  assert.match(stdout, /✗ companion-missing {2}no companion runs.*\n {6}→ tandem run claude/);
  assert.equal((await tandem(world, ['doctor', 'nobody'], { env })).code, 2);
  assert.equal((await tandem(world, ['doctor', '--yes'], { env })).code, 2);
  await serve(t, world);
  clinic.gone(join(clinic.bin, 'qwen'));
  assert.equal((await tandem(world, ['doctor'], { env })).code, 0);
  assert.equal((await tandem(world, ['doctor', 'qwen'], { env })).code, 1);
});

test('doctor --json: the whole diagnosis, without a token', async (t) => {
  const { world, env } = setUp(t);
  const { ready } = await serve(t, world);
  const { json, stdout } = await tandem(world, ['doctor', '--json'], { env });
  assert.deepEqual(
    json.map((each: { agent: string }) => each.agent),
    ['claude', 'gemini', 'qwen'],
  );
  for (const diagnosis of json) {
    assert.equal(diagnosis.chosen.port, ready.port);
    assert.equal(diagnosis.chosen.hasToken, true);
    assert.deepEqual(diagnosis.findings, []);
  }
  for (const { discoveryFile } of ready.dialects) {
    assert.ok(!stdout.includes(JSON.parse(readFileSync(discoveryFile, 'utf8')).authToken));
  }
});

test('doctor --fix repairs what is ours, and says what it would have had to ask for', async (t) => {
  const { clinic, world, env } = setUp(t);
  const { ready } = await serve(t, world);
  clinic.home('.claude.json', '{ "numStartups": 2 }');
  const lock = ready.dialects.find((each: { dialect: string }) => each.dialect === 'claude').discoveryFile;
  chmodSync(lock, 0o644);
  const first = await tandem(world, ['doctor', 'claude', '--fix', '--json'], { env });
  assert.match(first.stderr, /file-permissions: done, chmod 600/);
  assert.match(first.stderr, /auto-connect-off: not repaired, because nobody can be asked/);
  assert.equal(statSync(lock).mode & 0o777, 0o600);
  assert.equal(first.code, 1);
  assert.deepEqual(
    first.json[0].findings.map(({ id }: { id: string }) => id),
    ['auto-connect-off'],
  );
  const second = await tandem(world, ['doctor', 'claude', '--fix', '--yes'], { env });
  assert.equal(second.code, 0, second.stdout + second.stderr);
  assert.equal(readFileSync(join(world.home, '.claude.json'), 'utf8'), '{ "numStartups": 2, "autoConnectIde": true }');
});

test('doctor --fix asks in a terminal, and a no changes nothing', async (t) => {
  const { clinic, world, env } = setUp(t);
  await serve(t, world);
  const broken = clinic.write(join(world.tmp, 'gemini/ide/gemini-ide-server-1-2.json'), 'nonsense');
  const refused = new Terminal(t, world, ['doctor', 'gemini', '--fix'], env);
  await refused.shows(/file-broken: remove .*\? \[y\/N\]/);
  refused.type('\n');
  await refused.ended;
  assert.ok(existsSync(broken));
  const agreed = new Terminal(t, world, ['doctor', 'gemini', '--fix'], env);
  await agreed.shows(/\[y\/N\]/);
  agreed.type('y\n');
  assert.equal(await agreed.ended, 0, agreed.output);
  assert.ok(!existsSync(broken));
  assert.match(agreed.output, /nothing stands in the way/);
});

test('doctor leaves nothing behind and changes nothing by itself', async (t) => {
  const { clinic, world, env } = setUp(t);
  const snapshot = () =>
    readdirSync(world.root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(
        (entry) => `${join(entry.parentPath, entry.name)}\n${readFileSync(join(entry.parentPath, entry.name), 'utf8')}`,
      )
      .sort();
  clinic.write(join(world.tmp, 'gemini/ide/gemini-ide-server-1-2.json'), 'nonsense');
  clinic.foreign('claude', 1);
  clinic.home('.qwen/settings.json', '{');
  const before = snapshot();
  await tandem(world, ['doctor'], { env });
  assert.deepEqual(snapshot(), before);
});
