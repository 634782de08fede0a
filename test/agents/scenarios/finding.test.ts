// How agents find the companion: started by `tandem run` in a plain terminal, nested, with two to choose from, after a restart;
// and that doctor says beforehand what the real program then does.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { Companion } from '../companion.ts';
import { discoveryFiles } from '../leftovers.ts';
import { type AgentName, agentNames } from '../paths.ts';
import { Terminal } from '../runs.ts';
import { waitFor } from '../wait.ts';

interface Diagnosis {
  chosen?: { port: number };
  findings: { id: string }[];
}

const timeout = 120_000;

describe('finding', { concurrency: 2 }, () => {
  for (const name of agentNames) describe(name, { concurrency: 1 }, () => finding(name));
});

function finding(name: AgentName): void {
  scenario(`tandem run ${name}: asked once, connected, its edits wait; the second time nothing is asked`, () =>
    Terminal.use(name, firstAndSecondRun),
  );
  scenario(`${name} in another editor’s terminal with two companions, and one that comes back on a new port`, () =>
    Terminal.use(name, nested),
  );
  scenario(`what doctor finds wrong keeps ${name} away, and after --fix it connects`, () =>
    Terminal.use(name, repaired),
  );
}

async function firstAndSecondRun(terminal: Terminal): Promise<void> {
  const { name } = terminal;
  terminal.unsettle();
  await terminal.start(['tandem', 'run', '--no-open', name]);
  await terminal.shows(/Do it\? \[y\/N\]/);
  await terminal.say('y');
  await terminal.ready();
  await terminal.connected();
  await terminal.acceptOne('first');
  assert.equal(await terminal.leave(), 0);
  assert.match(await terminal.screen(), /http:\/\/127\.0\.0\.1:\d+\/#/, 'the address is still above it');
  assert.equal((await terminal.tandem(['status'])).code, 3, 'its companion has gone with it');

  await terminal.start(['tandem', 'run', '--with', 'serve', name]);
  await terminal.ready();
  await terminal.connected();
  assert.doesNotMatch(await terminal.screen(), /Do it\?/);
  await terminal.acceptOne('second');
}

async function nested(terminal: Terminal): Promise<void> {
  const { sandbox, name } = terminal;
  const { args, reconnect } = terminal.profile;
  const elsewhere = join(sandbox.root, 'elsewhere');
  mkdirSync(elsewhere);
  const companions: Companion[] = [];
  const serve = async (workspace: string) => {
    const companion = await Companion.start(Object.assign(Object.create(sandbox), { workspace }));
    companions.push(companion);
    return companion;
  };
  try {
    const stranger = await serve(elsewhere);
    const older = await serve(sandbox.workspace);
    const newer = await serve(sandbox.workspace);
    const inherited = {
      TERM_PROGRAM: 'vscode',
      CLAUDE_CODE_SSE_PORT: String(stranger.port),
      GEMINI_CLI_IDE_SERVER_PORT: String(stranger.port),
      QWEN_CODE_IDE_SERVER_PORT: String(stranger.port),
    };

    // What doctor foretells of the agent without tandem run is what happens: Claude Code goes into the wrong window.
    const plain = { ...inherited, SSH_CONNECTION: 'x' };
    const [before] = await terminal.json<Diagnosis[]>(['doctor', name], plain);
    assert.ok(idsOf(before).includes('variables-inherited'), idsOf(before).join());
    assert.equal(before?.chosen?.port === stranger.port, name === 'claude');
    const foretold = companions.find(({ port }) => port === before?.chosen?.port);
    await connectsTo(foretold, terminal, companions, () => terminal.start([name, ...args], plain));

    await connectsTo(newer, terminal, companions, () => terminal.start(['tandem', 'run', name, ...args], inherited));
    await terminal.ready();
    await terminal.acceptOne('nested', newer.port);

    // Killed, and so long ago that nobody takes its port over.
    await newer.kill9();
    rmSync(join(sandbox.home, '.tandem', 'run', `${newer.pid}-${newer.port}.json`));
    await older.stop();
    const back = await serve(sandbox.workspace);
    assert.notEqual(back.port, newer.port);
    if (reconnect !== undefined) {
      const [after] = await terminal.json<Diagnosis[]>(['doctor', name], { SSH_CONNECTION: 'x' });
      assert.ok(idsOf(after).includes('companion-late'), idsOf(after).join());
      await connectsTo(back, terminal, companions, () => terminal.say(reconnect));
    }
    await connectsTo(back, terminal, companions, () => terminal.start(['tandem', 'run', name, ...args]));
    await terminal.ready();
    await terminal.close();
    await isAlone(back);
  } finally {
    await Promise.all(companions.map((each) => each.stop()));
  }
}

/** The switch is off, a file that is left over stands in the way, and the good one can be read by others. */
async function repaired(terminal: Terminal): Promise<void> {
  const { sandbox, name } = terminal;
  const here = { SSH_CONNECTION: 'x' };
  terminal.unsettle();
  const companion = await Companion.start(sandbox);
  const bystander = spawn('sleep', ['600'], { env: sandbox.env, stdio: 'ignore' });
  try {
    const [file = ''] = discoveryFiles(sandbox).filter((path) => path.includes(`${name}/ide/`));
    chmodSync(file, 0o644);
    const stale = leftOver(terminal, file, bystander.pid ?? 0);
    const [before] = await terminal.json<Diagnosis[]>(['doctor', name], here);
    const off = name === 'claude' ? 'auto-connect-off' : 'ide-mode-off';
    for (const id of [off, 'file-stale', 'file-permissions'])
      assert.ok(idsOf(before).includes(id), idsOf(before).join());
    if (name !== 'claude') {
      assert.ok(idsOf(before).includes('nudge-pending'));
      await terminal.start([name, ...terminal.profile.args], here);
      await terminal.shows(/Do you want to connect/);
      assert.equal(companion.connections(name), 0);
      await terminal.close();
    }

    const { code, stdout, stderr } = await terminal.tandem(['doctor', name, '--fix', '--yes'], here);
    assert.equal(code, 0, stdout + stderr);
    assert.equal(existsSync(stale), false);
    await connectsTo(companion, terminal, [companion], () => terminal.start([name, ...terminal.profile.args], here));
    await terminal.ready();
    await terminal.acceptOne('repaired');
    await terminal.close();
    await isAlone(companion);
  } finally {
    bystander.kill('SIGKILL');
    await companion.stop();
  }
}

/** Stopped before it has seen that its agent is gone, it would leave a note for a successor. */
async function isAlone(companion: Companion): Promise<void> {
  await waitFor('the companion to see that it is alone', async () => (await companion.links()).length === 0, 20_000);
}

/** A copy of a companion's file that names a process which is none, and a port where nobody is. */
function leftOver({ name }: Terminal, file: string, pid: number): string {
  const content = JSON.parse(readFileSync(file, 'utf8'));
  const { tandem: _mark, ...rest } = content;
  const path = join(dirname(file), name === 'gemini' ? `gemini-ide-server-${pid}-1.json` : '1.lock');
  writeFileSync(path, JSON.stringify({ ...rest, port: 1, ...(name === 'claude' ? { pid } : { ppid: pid }) }), {
    mode: 0o600,
  });
  return path;
}

function idsOf(diagnosis: Diagnosis | undefined): string[] {
  return diagnosis?.findings.map(({ id }) => id) ?? [];
}

/** What is done makes the agent connect to this companion and to no other. */
async function connectsTo(
  expected: Companion | undefined,
  { name }: Terminal,
  companions: readonly Companion[],
  act: () => Promise<void>,
): Promise<void> {
  const before = new Map(companions.map((each) => [each, each.connections(name)]));
  const joined = () => companions.filter((each) => each.connections(name) > (before.get(each) ?? 0));
  await act();
  await waitFor(`${name} to connect`, () => joined().length > 0, 45_000);
  assert.deepEqual(
    joined().map(({ port }) => port),
    [expected?.port],
  );
}

/** One more try, said aloud: real programs on a loaded machine. */
function scenario(title: string, run: () => Promise<void>): void {
  test(title, { timeout: 2 * timeout }, async () => {
    try {
      await run();
    } catch (error) {
      console.log(`RETRY: ${title}: ${error instanceof Error ? error.message : error}`);
      await run();
    }
  });
}
