// A real daemon lives, dies and comes back; several clients share it; the wrong ones stay outside.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ChatError } from '../../../packages/chat/src/connection.ts';
import { DaemonIdeConnection } from '../../../packages/chat/src/daemon/connection.ts';
import { OwnDaemon } from '../../../packages/chat/src/daemon/own-daemon.ts';
import { argumentsIn, assertAbsent, canariesOf, environmentOf } from '../chat/canary.ts';
import { Tap } from '../chat/model.ts';
import { qwenCommand } from '../chat/qwen-home.ts';
import type { Recorder } from '../chat/recorder.ts';
import { ChatWorld, DAEMON_TOKEN, type Daemon } from '../chat/world.ts';
import { nodeBin, repoRoot } from '../paths.ts';
import { familyOf } from '../processes.ts';
import { waitFor } from '../wait.ts';

const timeout = 120_000;
const patience = { firstMs: 50, longestMs: 500, tries: 80 };

let world: ChatWorld;
let daemon: Daemon;
const daemons: Daemon[] = [];
const talks: Recorder[] = [];
const errors: string[] = [];

before(async () => {
  world = await ChatWorld.start();
  daemon = await started(world.daemon());
  world.model.script('plain-hello', [{ pieces: [{ text: 'hello' }] }]);
});

after(() => world.end());

async function started(one: Daemon): Promise<Daemon> {
  await one.url();
  daemons.push(one);
  return one;
}

async function talkTo(url: string, options: Parameters<ChatWorld['at']>[1] = {}): Promise<Recorder> {
  const talk = world.at(url, { patience, ...options });
  talks.push(talk);
  await talk.connection.start();
  return talk;
}

async function refusal(work: Promise<unknown>): Promise<ChatError> {
  const error = await work.then(
    () => assert.fail('it should have been refused'),
    (reason: ChatError) => reason,
  );
  errors.push(`${error.message}\n${error.stack}`);
  return error;
}

const writes = (name: string) => [
  { call: { name: 'write_file', input: { file_path: world.sandbox.path(name), content: 'written' } } },
  { pieces: [{ text: 'written' }] },
];

/** A file write is asked for: the session is in the asking mode, whatever it went through. */
async function isAsked(talk: Recorder, name: string): Promise<void> {
  world.model.script(`write-${name}`, writes(name));
  const from = talk.events.length;
  const { promptId } = await talk.connection.prompt([{ type: 'text', text: `please do write-${name}` }]);
  const { request } = await talk.event('permission', from);
  assert.equal(world.sandbox.read(name), undefined, 'nothing is written unasked');
  const option = request.options.find(({ kind }) => kind === 'reject_once');
  await talk.connection.respondToPermission(request.id, { optionId: option?.id ?? '' });
  await talk.ended(promptId, from);
  assert.equal(world.sandbox.read(name), undefined);
  assert.equal(talk.conversation.mode.current, 'default');
}

/** Begins a turn that does not end by itself. */
async function hangs(talk: Recorder, keyword: string): Promise<string> {
  const tap = new Tap();
  tap.push({ text: 'begun' });
  world.model.script(keyword, [{ pieces: tap }]);
  const from = talk.events.length;
  const { promptId } = await talk.connection.prompt([{ type: 'text', text: `please do ${keyword}` }]);
  await talk.event('message', from, ({ role }) => role === 'agent');
  return promptId;
}

test("[DMN-3] [DMN-10] the agent's process is killed: loaded again, still asking, and the turn can be continued", {
  timeout,
}, async () => {
  const talk = await talkTo(await daemon.url());
  await talk.connection.newSession();
  await talk.turn('please do plain-hello');
  const promptId = await hangs(talk, 'killed-child');
  const from = talk.events.length;
  const children = familyOf(daemon.process.pid ?? 0).filter((pid) => pid !== daemon.process.pid);
  world.sandbox.signal(children, 'SIGKILL');
  const end = await talk.event('turn-end', from, undefined, 30_000);
  assert.equal(end.reason, 'interrupted');
  await talk.event('history', from, ({ phase }) => phase === 'end');
  assert.equal(talk.conversation.session?.interrupted, true);
  assert.equal(
    talk.conversation.items.filter((item) => item.type === 'end' && item.reason === 'interrupted').length,
    1,
  );
  assert.match(talk.conversation.items.map((item) => (item.type === 'message' ? item.text : '')).join(' '), /hello/);
  // Taken up again: the same prompt goes to the model once more.
  world.model.script('killed-child', [{ pieces: [{ text: 'and finished' }] }]);
  const again = talk.events.length;
  assert.equal(await talk.connection.continueTurn(), true);
  await talk.event('turn-end', again);
  assert.equal(talk.said, 'and finished');
  assert.equal(talk.conversation.session?.interrupted, false);
  assert.notEqual(promptId, '');
  await isAsked(talk, 'after-child.txt');
  await talk.connection.stop();
});

test('[DMN-3] [DMN-10] the daemon is killed and started again: the conversation comes back by itself', {
  timeout,
}, async () => {
  const talk = await talkTo(await daemon.url());
  await talk.connection.newSession();
  await talk.turn('please do plain-hello');
  await talk.connection.setMode('default');
  await hangs(talk, 'killed-daemon');
  const from = talk.events.length;
  await daemon.end('SIGKILL');
  await talk.event('connection', from, ({ state }) => state.status === 'reconnecting');
  daemon = await started(world.daemon({ args: ['--port', String(daemon.port)] }));
  await talk.event('history', from, ({ phase }) => phase === 'end', 30_000);
  await talk.until('the connection', () => talk.connection.state.status === 'connected');
  assert.equal(talk.conversation.session?.interrupted, true);
  assert.equal(talk.conversation.running, undefined);
  assert.match(JSON.stringify(talk.conversation.items), /plain-hello.*hello/);
  await isAsked(talk, 'after-daemon.txt');
  await talk.connection.stop();
});

test('[DMN-10] SIGTERM, then another daemon: the panel says so and the conversation goes on', { timeout }, async () => {
  const talk = await talkTo(await daemon.url());
  await talk.connection.newSession();
  await talk.turn('please do plain-hello');
  const from = talk.events.length;
  await daemon.end('SIGTERM');
  await talk.event('connection', from, ({ state }) => state.status === 'reconnecting');
  daemon = await started(world.daemon({ args: ['--port', String(daemon.port)] }));
  await talk.until('the connection', () => talk.connection.state.status === 'connected', 30_000);
  const again = talk.events.length;
  await talk.until(
    'a turn to work again',
    async () => (await talk.turn('please do plain-hello')).reason === 'end_turn',
  );
  assert.ok(talk.events.length > again);
  await talk.connection.stop();
});

test('[DMN-6] two clients vote at once: one counts, the other just closes', { timeout }, async () => {
  const one = await talkTo(await daemon.url());
  const session = await one.connection.newSession();
  const two = await talkTo(await daemon.url());
  await two.connection.loadSession(session.id);
  world.model.script('race', writes('race.txt'));
  const { promptId } = await one.connection.prompt([{ type: 'text', text: 'please do race' }]);
  const [here, there] = await Promise.all([one.event('permission'), two.event('permission')]);
  assert.equal(here.request.id, there.request.id);
  const optionId = here.request.options.find(({ kind }) => kind === 'allow_once')?.id ?? '';
  const votes = await Promise.all(
    [one, two, one, two].map(({ connection }) => connection.respondToPermission(here.request.id, { optionId })),
  );
  assert.deepEqual(votes.toSorted(), ['counted', 'late', 'late', 'late']);
  await Promise.all([one.ended(promptId), two.ended(promptId)]);
  for (const talk of [one, two]) {
    assert.equal(talk.events.filter(({ type }) => type === 'answered').length, 1, 'closed once');
    assert.deepEqual(talk.conversation.asks, []);
    assert.deepEqual(
      talk.events.filter(({ type }) => type === 'notice'),
      [],
      'and nothing is said about it',
    );
  }
  const mine = two.conversation.items.find((item) => item.type === 'message' && item.role === 'user');
  assert.equal(mine?.type === 'message' && mine.elsewhere, true, 'what the other one said is marked');
  assert.equal(world.sandbox.read('race.txt'), 'written');
  await one.connection.stop();
  await two.connection.stop();
});

test('[DMN-6] the queue of the daemon is full: refused in plain words, and it works off what it has', {
  timeout,
}, async () => {
  const talk = await talkTo(await daemon.url());
  await talk.connection.newSession();
  const tap = new Tap();
  world.model.script('queue-first', [{ pieces: tap }]);
  const first = await talk.connection.prompt([{ type: 'text', text: 'please do queue-first' }]);
  await talk.event('turn-start');
  const waiting = [];
  for (let index = 0; index < 4; index += 1) {
    waiting.push(await talk.connection.prompt([{ type: 'text', text: 'please do plain-hello' }]));
  }
  const error = await refusal(talk.connection.prompt([{ type: 'text', text: 'one too many' }]));
  assert.equal(error.code, 'queue-full');
  await talk.until('four to wait', () => talk.conversation.queue.length === 4);
  tap.push({ text: 'first' }); // Qwen tries again and again where nothing comes
  tap.end();
  await talk.ended(first.promptId);
  await talk.ended(waiting.at(-1)?.promptId ?? '');
  assert.deepEqual(talk.conversation.queue, []);
  await talk.connection.stop();
});

test('[DMN-5] [DMN-6] a model that does not exist, a session that does not exist: said, and nothing breaks', {
  timeout,
}, async () => {
  const talk = await talkTo(await daemon.url());
  await talk.connection.newSession();
  const error = await refusal(talk.connection.setModel('no-such-model'));
  assert.equal(error.code, 'refused');
  await talk.event('notice', 0, ({ notice }) => notice.code === 'model-switch');
  const missing = await refusal(talk.connection.loadSession('00000000-0000-4000-8000-000000000000'));
  assert.equal(missing.code, 'not-found');
  await talk.connection.newSession();
  assert.equal((await talk.turn('please do plain-hello')).reason, 'end_turn');
  await talk.connection.stop();
});

test('[DMN-2] [DMN-1] a wrong token and a wrong folder are told as what they are', { timeout }, async () => {
  const url = await daemon.url();
  const stranger = world.at(url, { token: 'another-token' });
  talks.push(stranger);
  assert.equal((await refusal(stranger.connection.start())).code, 'unauthorised');
  assert.equal(stranger.conversation.connection.status, 'unauthorised');
  const elsewhere = world.at(url, { cwd: world.sandbox.home });
  talks.push(elsewhere);
  assert.equal((await refusal(elsewhere.connection.start())).code, 'workspace-mismatch');
  const ours = world.sandbox.home;
  const theirs = [world.sandbox.workspace];
  assert.deepEqual(elsewhere.conversation.connection, { status: 'workspace-mismatch', ours, theirs });
  const nobody = world.at('http://127.0.0.1:1', { patience: { tries: 1 } });
  assert.equal((await refusal(nobody.connection.start())).code, 'not-connected');
  assert.equal(nobody.conversation.connection.status, 'died');
});

test('[DMN-8] where it runs, in the words of the daemon itself', { timeout }, async () => {
  const talk = await talkTo(await daemon.url());
  const where = await talk.connection.locality();
  assert.equal(where.kind, 'daemon');
  assert.equal(where.workspace, world.sandbox.workspace);
  const about = (what: string) => where.facts.filter((fact) => fact.what === what);
  assert.match(about('process')[0]?.where ?? '', new RegExp(`process ${daemon.process.pid}`));
  for (const what of ['files', 'mcp', 'skills', 'credentials', 'models']) assert.equal(about(what).length, 1, what);
  assert.match(about('skills')[0]?.detail ?? '', /review/);
  assert.ok(about('check').length >= 5, 'its own checks');
  assertAbsent(canariesOf(world, daemons), 'the locality', JSON.stringify(where));
  await talk.connection.stop();
});

test('[DMN-8] [DMN-2] a daemon without a token is used, with a warning; a busy port makes it take another', {
  timeout,
}, async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => squatter.once('listening', resolve));
  const { port } = squatter.address() as { port: number };
  const open = await started(world.daemon({ token: undefined, args: ['--port', String(port)] }));
  assert.notEqual(open.port, port, 'the one it asked for is taken');
  const talk = await talkTo(await open.url());
  talk.notice('tokenless');
  const { warnings } = await talk.connection.locality();
  assert.equal(warnings.length, 1);
  await talk.connection.stop();
  await open.end();
  await new Promise((resolve) => squatter.close(resolve));
});

test('[DMN-12] a daemon of our own: free port, random token by environment, gone with us', { timeout }, async () => {
  const { command, args } = qwenCommand();
  const { workspace: cwd, env } = world.sandbox;
  const own = new OwnDaemon({ command, args, cwd, env }, world.log);
  const before = world.sandbox.processes().length;
  const talk = world.record(new DaemonIdeConnection({ target: own.share(), cwd, log: world.log, patience }));
  talks.push(talk);
  await talk.connection.start();
  await talk.connection.newSession();
  assert.equal((await talk.turn('please do plain-hello')).reason, 'end_turn');
  assert.equal(talk.said, 'hello');
  const token = environmentOf(own.pid ?? 0, 'QWEN_SERVER_TOKEN') ?? '';
  assert.ok(token.length >= 32, 'a token that cannot be guessed');
  assert.equal(argumentsIn(world.sandbox).includes(token), false, 'not where everybody can read it');
  // Not even an agent that looks for it carries it into the page.
  const look = { command: 'printenv QWEN_SERVER_TOKEN; touch looked', description: 'look', is_background: false };
  world.model.script('look', [{ call: { name: 'run_shell_command', input: look } }, { pieces: [{ text: token }] }]);
  const from = talk.events.length;
  const { promptId } = await talk.connection.prompt([{ type: 'text', text: 'please do look' }]);
  const { request } = await talk.event('permission', from);
  await talk.connection.respondToPermission(request.id, { optionId: 'proceed_once' });
  await talk.ended(promptId, from);
  assert.equal(talk.said, '[secret]');
  assert.equal(JSON.stringify(talk.events).includes(token), false);
  assert.equal(world.logs.join('\n').includes(token), false);
  // It is killed: a new one takes its place, with another token, and the conversation goes on.
  const killed = talk.events.length;
  world.sandbox.signal(familyOf(own.pid ?? 0), 'SIGKILL');
  await talk.event('history', killed, ({ phase }) => phase === 'end', 30_000);
  assert.notEqual(environmentOf(own.pid ?? 0, 'QWEN_SERVER_TOKEN'), token);
  assert.equal((await talk.turn('please do plain-hello')).reason, 'end_turn');
  await talk.connection.stop();
  await waitFor('its processes to be gone', () => world.sandbox.processes().length <= before);
});

for (const side of ['daemon', 'acp']) {
  test(`[DMN-12] [ACP-1] whoever started an agent is killed with -9: the agent goes too: ${side}`, {
    timeout,
  }, async () => {
    const before = world.sandbox.processes().length;
    const script = join(repoRoot, 'test', 'agents', 'chat', 'host.ts');
    const host = spawn(nodeBin, [script, world.sandbox.workspace, side], {
      env: { ...world.sandbox.env, QWEN: JSON.stringify(qwenCommand()) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    host.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await waitFor('the agent of the host', () => output.includes('running'), 30_000);
    assert.ok(world.sandbox.processes().length >= before + 2, 'the host and its agent');
    host.kill('SIGKILL');
    await waitFor('all of it to be gone', () => world.sandbox.processes().length <= before, 15_000);
  });
}

test('[DMN-9] tokens, addresses and keys are in no event, no error, no log line and no argument', () => {
  const canaries = canariesOf(world, daemons);
  assert.ok(canaries.some(({ secret }) => secret === DAEMON_TOKEN));
  for (const talk of talks) assertAbsent(canaries, 'an event', JSON.stringify(talk.events));
  assertAbsent(canaries, 'a log line', world.logs.join('\n'));
  assertAbsent(canaries, 'an error', errors.join('\n'));
  assertAbsent(canaries, 'an argument', argumentsIn(world.sandbox));
  assert.ok(errors.length >= 5 && talks.length >= 10, 'there was something to look at');
});
