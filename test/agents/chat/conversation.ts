// One conversation with everything in it, the same over every connection to Qwen Code.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { allowOnce, reject } from '../../../packages/chat/src/acp/permissions.ts';
import type { ChatEvent } from '../../../packages/chat/src/events.ts';
import { type ChatModel, Tap } from './model.ts';
import type { Recorder } from './recorder.ts';
import type { ChatWorld } from './world.ts';

/** What was said and done, chapter by chapter. */
export type Chapters = Record<string, ChatEvent[]>;

const questions = [
  {
    question: 'Which color?',
    header: 'Color',
    options: [
      { label: 'Red', description: 'warm' },
      { label: 'Blue', description: 'cold' },
    ],
    multiSelect: false,
  },
];

export async function converse(world: ChatWorld, talk: Recorder): Promise<Chapters> {
  const { model, sandbox } = world;
  const file = sandbox.write('talk.txt', 'one\ntwo\n');
  const made = sandbox.path(`made-${randomUUID().slice(0, 8)}`);
  script(model, file, made);
  const chapters: Chapters = {};
  let from = 0;
  const chapter = (name: string) => {
    chapters[name] = talk.events.slice(from);
    from = talk.events.length;
  };

  await talk.connection.start();
  await talk.connection.newSession();
  chapter('start');

  await talk.turn('talk-text');
  chapter('text and thoughts');

  await talk.turn('talk-read');
  chapter('read');

  await decide(talk, 'talk-edit', 'allow');
  assert.equal(sandbox.read('talk.txt'), 'one\nTWO\n');
  chapter('edit, allowed');

  await decide(talk, 'talk-again', 'reject');
  assert.equal(sandbox.read('talk.txt'), 'one\nTWO\n');
  chapter('edit, rejected');

  await decide(talk, 'talk-shell', 'allow');
  chapter('shell');

  await answer(talk);
  chapter('question');

  await talk.turn('talk-todo');
  chapter('plan');

  await talk.connection.setMode('plan');
  await talk.event('mode', from, ({ current }) => current === 'plan');
  await decide(talk, 'talk-leave-plan', 'allow');
  await talk.event('mode', from, ({ current }) => current === 'default');
  chapter('plan mode and its approval');

  await cancelled(talk, model);
  chapter('cancel');

  await cancelledPermission(talk);
  chapter('cancel with a permission open');

  await queued(talk, model);
  chapter('queue and take back');

  await talk.connection.setModel('fake-b(openai)');
  await talk.event('model', from, ({ current }) => current === 'fake-b(openai)');
  await talk.turn('talk-model');
  assert.equal(model.prompts.findLast(({ keyword }) => keyword === 'talk-model')?.model, 'fake-b');
  await talk.connection.setModel('fake-a(openai)');
  await talk.event('model', from, ({ current }) => current === 'fake-a(openai)');
  chapter('model switch');

  await talk.connection.setOption('reasoning_effort', 'high');
  await talk.event('options', from, ({ options }) => options.some(({ current }) => current === 'high'));
  chapter('option');

  await talk.turn('talk-fails');
  chapter('failure');

  await talk.turn('/status');
  chapter('slash command');

  await talk.connection.renameSession('A new name');
  await talk.event('title', from, ({ title }) => title === 'A new name');
  chapter('rename');
  return chapters;
}

function script(model: ChatModel, file: string, made: string): void {
  const done = { pieces: [{ text: 'done' }] };
  const call = (name: string, input: object) => ({ call: { name, input } });
  const edit = (from: string, to: string) => call('edit', { file_path: file, old_string: from, new_string: to });
  const shell = { command: `printf made > ${made} && cat ${made}`, description: 'make it', is_background: false };
  const todos = [
    { id: '1', content: 'first', status: 'in_progress' },
    { id: '2', content: 'second', status: 'pending' },
  ];
  model.script('talk-text', [
    { pieces: [{ thought: 'let me ' }, { thought: 'see' }, { text: 'Hello, ' }, { text: '**you**' }] },
  ]);
  model.script('talk-read', [call('read_file', { file_path: file }), done]);
  model.script('talk-edit', [edit('two', 'TWO'), done]);
  model.script('talk-again', [edit('one', 'ONE'), done]);
  model.script('talk-shell', [call('run_shell_command', shell), done]);
  model.script('talk-asks', [call('ask_user_question', { questions }), done]);
  model.script('talk-todo', [
    call('todo_write', { todos }),
    call('todo_write', { todos: todos.map((each) => ({ ...each, status: 'completed' })) }),
    done,
  ]);
  model.script('talk-leave-plan', [call('exit_plan_mode', { plan: '# Plan\n1. do it' }), done]);
  model.script('talk-open', [call('write_file', { file_path: `${file}.new`, content: 'x' }), done]);
  model.script('talk-model', [done]);
  model.script('talk-fails', [{ fail: 400 }]);
}

async function decide(talk: Recorder, keyword: string, how: 'allow' | 'reject'): Promise<void> {
  const from = talk.events.length;
  const { promptId } = await talk.connection.prompt([{ type: 'text', text: `please do ${keyword}` }]);
  const { request } = await talk.event('permission', from);
  const option = how === 'allow' ? allowOnce(request.options) : reject(request.options);
  assert.ok(option, `an option to ${how}`);
  assert.equal(await talk.connection.respondToPermission(request.id, { optionId: option.id }), 'counted');
  await talk.ended(promptId, from);
}

async function answer(talk: Recorder): Promise<void> {
  const from = talk.events.length;
  const { promptId } = await talk.connection.prompt([{ type: 'text', text: 'please do talk-asks' }]);
  const { request } = await talk.event('question', from);
  const key = request.questions[0]?.key ?? '';
  assert.equal(await talk.connection.answerQuestion(request.id, { [key]: 'Blue' }), 'counted');
  await talk.ended(promptId, from);
}

async function cancelled(talk: Recorder, model: ChatModel): Promise<void> {
  const tap = new Tap();
  model.script('talk-slow', [{ pieces: tap }]);
  const from = talk.events.length;
  const { promptId } = await talk.connection.prompt([{ type: 'text', text: 'please do talk-slow' }]);
  tap.push({ text: 'begun' });
  await talk.event('message', from, ({ role }) => role === 'agent');
  await talk.connection.cancel();
  await talk.ended(promptId, from);
  tap.end();
}

async function cancelledPermission(talk: Recorder): Promise<void> {
  const from = talk.events.length;
  const { promptId } = await talk.connection.prompt([{ type: 'text', text: 'please do talk-open' }]);
  await talk.event('permission', from);
  await talk.connection.cancel();
  await talk.ended(promptId, from);
}

async function queued(talk: Recorder, model: ChatModel): Promise<void> {
  const tap = new Tap();
  model.script('talk-first', [{ pieces: tap }]);
  model.script('talk-second', [{ pieces: [{ text: 'second' }] }]);
  const from = talk.events.length;
  const first = await talk.connection.prompt([{ type: 'text', text: 'please do talk-first' }]);
  await talk.event('turn-start', from, ({ promptId }) => promptId === first.promptId);
  const second = await talk.connection.prompt([{ type: 'text', text: 'please do talk-second' }]);
  const third = await talk.connection.prompt([{ type: 'text', text: 'never mind' }]);
  assert.deepEqual([first.queued, second.queued, third.queued], [false, true, true]);
  await talk.event('queue', from, ({ waiting }) => waiting.length === 2);
  assert.equal(await talk.connection.takeBack(third.promptId), true);
  assert.equal(await talk.connection.takeBack(third.promptId), false);
  await talk.event('turn-end', from, ({ promptId }) => promptId === third.promptId);
  tap.push({ text: 'first' });
  tap.end();
  await talk.ended(second.promptId, from);
}
