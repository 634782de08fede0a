// A turn with an edit, over ACP, with the other real agents: Gemini CLI, Claude Code and Codex.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { type AgentConnection, Chat, connectTo, houseOf, keepOf } from '@tandem/chat';
import { Companion, MemoryEditor, type Review } from '@tandem/core';
import { agents } from '../agents.ts';
import { claudeOverAcp } from '../chat/claude-acp.ts';
import { codexOverAcp } from '../chat/codex-acp.ts';
import { Recorder } from '../chat/recorder.ts';
import { assertNothingLeft } from '../leftovers.ts';
import type { FakeModel, Step } from '../models/model.ts';
import { agentCommand } from '../paths.ts';
import { Sandbox } from '../sandbox.ts';

type Name = 'claude' | 'gemini' | 'codex';

interface Scene {
  readonly name: Name;
  readonly sandbox: Sandbox;
  readonly model: FakeModel;
  readonly companion: Companion;
  readonly chat: Chat;
  readonly talk: Recorder;
  readonly connect: () => AgentConnection;
}

const NAMES = { claude: 'Claude Code', gemini: 'Gemini CLI', codex: 'Codex' };

function commandOf(name: Name): string[] {
  if (name === 'codex') return codexOverAcp.command;
  return name === 'claude' ? claudeOverAcp().command : [...agentCommand('gemini'), '--acp'];
}

function acpAgent(name: Name) {
  const [command = '', ...args] = commandOf(name);
  return { id: name, name: NAMES[name], command, args };
}

/** A HOME in which it is set up, with IDE mode on as users of a companion have it; and its environment. */
async function settle(name: Name, sandbox: Sandbox): Promise<{ model: FakeModel; more: Record<string, string> }> {
  const profile = name === 'codex' ? codexOverAcp : agents[name];
  const model = await profile.startModel();
  profile.settle(sandbox, model);
  return { model, more: { ...profile.environment(model), ...(name === 'claude' ? claudeOverAcp().env : {}) } };
}

async function inScene(name: Name, run: (scene: Scene) => Promise<void>): Promise<void> {
  const sandbox = new Sandbox();
  const { model, more } = await settle(name, sandbox);
  const editor = new MemoryEditor({ folders: [sandbox.workspace] });
  const companion = new Companion({ editor, places: { home: sandbox.home, tmp: sandbox.tmp, env: sandbox.env } });
  await companion.start();
  const env = { ...sandbox.env, ...more };
  const connect = () => connectTo(acpAgent(name), { cwd: sandbox.workspace, env });
  const chat = new Chat(houseOf(companion), connect());
  const talk = new Recorder(chat.connection);
  const stop = async () => {
    await chat.stop();
    await companion.stop();
    await model.close();
  };
  try {
    await chat.start();
    await run({ name, sandbox, model, companion, chat, talk, connect });
    await stop();
    await assertNothingLeft(sandbox, []);
  } catch (error) {
    await stop();
    throw new Error(`${(error as Error).message}\n${talk.evidence()}`, { cause: error });
  } finally {
    sandbox.killAll();
    sandbox.remove();
  }
}

/** Asks for an edit and waits until its review lies on the desk. */
async function edit({ name, model, chat, talk, companion }: Scene, path: string, old: string, text: string) {
  const keyword = `chat-${text.toLowerCase()}`;
  const change = { tool: 'edit', path, old, new: text } as const;
  // Codex reads with commands in a sandbox, which is its own affair; it may change what it has not read.
  const read: Step[] = name === 'codex' ? [] : [{ calls: [{ tool: 'read', path }] }];
  model.script(keyword, [...read, { calls: [change] }, { text: `finished ${text}` }]);
  const { promptId } = await chat.prompt({ text: `please do ${keyword}` });
  const review = await talk.until('a review on the desk', () => companion.desk.reviewsOf(chat.id)[0], 40_000);
  return { promptId, review, keyword };
}

const accept = ({ companion }: Scene, { id }: Review, text: string) =>
  companion.desk.decide(id, { kind: 'accept', text }, 'editor');

const ownFolders = ({ sandbox }: Scene) => readdirSync(sandbox.tmp).filter((each) => each.startsWith('tandem-gemini'));

async function conversation(scene: Scene): Promise<void> {
  const { name, sandbox, model, companion, chat, talk } = scene;
  const path = sandbox.write('edit.txt', 'one\ntwo\nthree\n');
  const seen = sandbox.write('seen.txt', 'selected text\n');
  const selection = { start: { line: 0, character: 0 }, end: { line: 0, character: 13 } };
  await companion.editor.openFile({ path: seen, preview: false, focus: true, selection });

  const first = await edit(scene, path, 'two', 'TWO');
  assert.deepEqual([first.review.path, first.review.proposed], [path, 'one\nTWO\nthree\n']);
  assert.equal(companion.desk.reviews.length, 1, 'and only one: the agent does not ask in the companion as well');
  accept(scene, first.review, first.review.proposed);
  const { reason, events } = await talk.ended(first.promptId);
  assert.equal(reason, 'end_turn');
  assert.equal(sandbox.read('edit.txt'), 'one\nTWO\nthree\n');
  assert.match(talk.agentText, /finished TWO/);
  const pieces = events.filter((event) => event.type === 'message' && event.role === 'agent');
  if (name === 'codex') assert.ok(pieces.length > 1, 'as it comes');
  assert.ok(events.some((event) => event.type === 'tool' && event.call.status === 'completed'));
  const heard = model.mainRequests(first.keyword)[0]?.fresh ?? '';
  assert.match(heard, /The user is looking at .*seen\.txt[\s\S]*selected text/);

  // With edits of the user: theirs are on disk, and the agent hears of it.
  model.script('saved my own version', [{ text: 'understood' }]);
  const second = await edit(scene, path, 'three', 'THREE');
  companion.desk.amend(second.review.id, 'one\nTWO\nmine\n');
  accept(scene, second.review, 'one\nTWO\nmine\n');
  await talk.until('the agent to understand', () => talk.agentText.includes('understood'), 30_000);
  assert.equal(sandbox.read('edit.txt'), 'one\nTWO\nmine\n');
  assert.equal(companion.links.size, 0, 'it did not connect to the companion');

  if (name === 'claude') await question(scene);
  if (name === 'codex') await refusals(scene, path);

  const load = chat.perform({ do: 'load-session', id: talk.connection.session?.id ?? '' });
  if (name !== 'gemini') {
    await load;
    assert.match(talk.agentText, /finished TWO/);
  } else {
    // It says that it can, and mostly finds none of its own sessions; then a new one must do, below what was said.
    const found = await load.then(
      () => true,
      (error) => error.code !== 'refused',
    );
    const said = JSON.stringify(chat.conversation.items);
    assert.match(said, found ? /finished TWO/ : /finished TWO.*does not remember/);
    assert.doesNotMatch(said, /session_context/);
  }
  assert.equal((await talk.turn('hello')).reason, 'end_turn');
  assert.equal(ownFolders(scene).length, name === 'gemini' ? 1 : 0);
  await chat.stop();
  assert.deepEqual(ownFolders(scene), [], 'cleared away');
  await takenUp(scene);
}

/** Another process of the same editor shows the conversation, and goes on with it. */
async function takenUp({ name, companion, chat, connect, model }: Scene): Promise<void> {
  const kept = keepOf(chat.id, { id: name, name: NAMES[name] }, chat.conversation, Date.now());
  const again = new Chat(houseOf(companion), connect(), kept);
  try {
    assert.match(JSON.stringify(again.conversation.items), /finished TWO/, 'before the agent is there');
    await again.reconnect();
    const said = JSON.stringify(again.conversation.items);
    assert.match(said, /finished TWO/);
    if (name !== 'gemini') assert.doesNotMatch(said, /does not remember/);
    model.script('chat-again', [{ text: 'here again' }]);
    const talk = new Recorder(again.connection);
    assert.equal((await talk.turn('please do chat-again')).reason, 'end_turn');
    assert.match(talk.agentText, /here again/);
  } finally {
    await again.stop();
  }
}

/** Claude Code asks in the form of a form. */
async function question({ model, talk, chat }: Scene): Promise<void> {
  const options = ['Red', 'Blue'].map((label) => ({ label, description: `${label}ish` }));
  const questions = [{ question: 'Which color?', header: 'Color', options, multiSelect: false }];
  model.script('chat-asks', [
    { calls: [{ tool: 'named', name: 'AskUserQuestion', input: { questions } }] },
    { text: 'thank you' },
  ]);
  const from = talk.events.length;
  const { promptId } = await chat.prompt({ text: 'please do chat-asks' });
  const { request } = await talk.event('question', from);
  assert.deepEqual(request.questions[0]?.options, options);
  const key = request.questions[0]?.key ?? '';
  await chat.perform({ do: 'question', id: request.id, answers: { [key]: 'Blue' } });
  await talk.ended(promptId, from);
  assert.match(model.mainRequests('chat-asks').at(-1)?.results ?? '', /Blue/);
}

/** With Codex a no ends the turn. Its own mode would write unasked, and there a command runs without being asked for. */
async function refusals(scene: Scene, path: string): Promise<void> {
  const { sandbox, model, companion, chat, talk } = scene;
  const before = sandbox.read('edit.txt');
  assert.equal(talk.conversation.mode.current, 'read-only');
  for (const [text, refuse] of [
    ['NO', ({ id }: Review) => companion.desk.decide(id, { kind: 'reject' }, 'editor')],
    ['NEVER', () => chat.perform({ do: 'cancel' })],
  ] as const) {
    const from = talk.events.length;
    const { promptId, review } = await edit(scene, path, 'mine', text);
    await refuse(review);
    assert.equal((await talk.ended(promptId, from)).reason, 'cancelled');
    assert.equal(companion.desk.reviews.length, 0);
    assert.equal(sandbox.read('edit.txt'), before);
    assert.equal(calls(talk).at(-1)?.status, 'failed', 'the call does not wait for ever');
  }
  await chat.perform({ do: 'set-mode', id: 'agent-full-access' });
  const input = { cmd: 'echo out; exit 3' };
  model.script('chat-shell', [{ calls: [{ tool: 'named', name: 'exec_command', input }] }, { text: 'it ran' }]);
  assert.equal((await talk.turn('please do chat-shell')).reason, 'end_turn');
  const { title, shell } = calls(talk).at(-1) ?? {};
  assert.deepEqual([title, shell], [input.cmd, { output: 'out\n', exitCode: 3 }]);
}

const calls = (talk: Recorder) => talk.conversation.items.flatMap((item) => (item.type === 'tool' ? [item.call] : []));

test('[ACP-1] a login that is missing is said with what to do about it: codex', { timeout: 60_000 }, async () => {
  const sandbox = new Sandbox();
  const chat = connectTo(acpAgent('codex'), { cwd: sandbox.workspace, env: { ...sandbox.env, NO_BROWSER: '1' } });
  try {
    await chat.start();
    await assert.rejects(chat.newSession(), { code: 'authentication', message: /not logged in.*codex-acp cli login/ });
    await chat.stop();
    await assertNothingLeft(sandbox, []);
  } finally {
    await chat.stop();
    sandbox.killAll();
    sandbox.remove();
  }
});

for (const name of ['gemini', 'claude', 'codex'] as const) {
  test(
    `[ACP-1] [ACP-3] [ACP-4] [DMN-11] a turn with an edit, reviewed on the desk: ${name}`,
    { timeout: 120_000 },
    () => inScene(name, conversation),
  );
}
