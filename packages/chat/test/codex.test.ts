// What Codex does otherwise than the other agents, with messages as codex-acp 2.6.0 sends them.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { AcpConnection } from '../src/acp/connection.ts';
import { Elicitation, formContent, questionEvent } from '../src/acp/elicitation.ts';
import { Chat } from '../src/chat.ts';
import { connectTo } from '../src/connect.ts';
import { houseOf } from '../src/house.ts';
import { proposalsOf } from '../src/proposals.ts';
import { acpTalk, agent, folder, house, Talk } from './support/talk.ts';

const MODES = { FAKE_MODES: 'agent,read-only,workspace-write' };
const withEnv = (more: Record<string, string>) => ({ env: { PATH: process.env.PATH ?? '', ...more } });

test('[ACP-1] an agent whose asking mode has another name is put into it, and again after it died', async (t) => {
  const talk = await acpTalk(t, withEnv(MODES));
  assert.equal(await talk.turn('mode'), 'read-only', 'by itself it would write unasked');
  assert.equal(talk.conversation.mode.current, 'read-only');
  await talk.connection.loadSession('s1');
  assert.equal(await talk.turn('mode'), 'read-only');
  await talk.connection.prompt([{ type: 'text', text: 'die' }]);
  await talk.until(() => talk.connection.state.status === 'died');
  await talk.connection.reconnect();
  assert.equal(await talk.turn('mode'), 'read-only');
  await talk.connection.newSession({ mode: 'agent' });
  assert.equal(await talk.turn('mode'), 'agent', 'unless the user wants another');
});

/** A conversation in a house; `told` asks for changes that the permission itself does not carry. */
async function scene(t: TestContext) {
  const { companion, path } = await house(t);
  const chat = new Chat(houseOf(companion), new AcpConnection({ agent, cwd: path }));
  t.after(() => chat.stop());
  const talk = new Talk(chat.connection);
  await chat.start();
  const file = (name: string, text: string) => {
    writeFileSync(join(path, name), text);
    return join(path, name);
  };
  const told = async (content: object[], ...paths: string[]) => {
    const locations = paths.map((each) => ({ path: each }));
    await chat.connection.prompt([{ type: 'text', text: `told ${JSON.stringify({ content, locations })}` }]);
    return (await talk.find('permission', talk.events.length)).request;
  };
  const diff = (path: string, oldText: string | null, newText: string, kind = 'update') => {
    return { type: 'diff', path, oldText, newText, _meta: { kind } };
  };
  const reviews = () => companion.desk.reviewsOf(chat.id);
  return { companion, chat, talk, file, told, diff, reviews };
}

test('[ACP-4] [DMN-11] a change that was told before the permission is its review, and stays in the panel', async (t) => {
  const { companion, chat, talk, file, told, diff, reviews } = await scene(t);
  const path = file('a.txt', 'x\r\none\r\ntwo\r\nthree\r\n');
  const request = await told([diff(path, 'one\r\ntwo\r\nthree\r\n', 'one\r\nTWO\r\nthree\r\n')], path);
  assert.deepEqual([request.call.title, request.call.content.length], ['Edit files', 1]);
  const review = await talk.until(() => reviews()[0]);
  assert.equal(review.proposed, 'x\none\nTWO\nthree\n');
  companion.desk.decide(review.id, { kind: 'accept', text: review.proposed }, 'editor');
  await talk.find('turn-end');
  assert.match(talk.said, /proceed_once/, 'as it was: not as an edit of the user');
  const item = chat.conversation.items.find((each) => each.type === 'tool');
  assert.ok(item?.type === 'tool' && item.call.content[0]?.type === 'diff', 'the question did not wipe it out');
  assert.equal(item?.type === 'tool' && item.call.status, 'completed');
});

test('[DMN-11] a refused change ends the turn, and its call does not wait for ever', async (t) => {
  const { companion, chat, talk, file, told, diff, reviews } = await scene(t);
  const path = file('a.txt', 'one\n');
  await told([diff(path, 'one\n', 'ONE\n')], path);
  const review = await talk.until(() => reviews()[0]);
  companion.desk.decide(review.id, { kind: 'reject' }, 'editor');
  assert.equal((await talk.find('turn-end')).reason, 'cancelled');
  const item = chat.conversation.items.find((each) => each.type === 'tool');
  assert.equal(item?.type === 'tool' && item.call.status, 'failed');
});

test('[DMN-11] files that go or move are asked about in words', async (t) => {
  const { chat, talk, file, told, diff } = await scene(t);
  const path = file('a.txt', 'one\n');
  const moved = await told([diff(`${path}.new`, '', '')], path);
  assert.deepEqual(moved.call.content, [{ type: 'text', text: `Moves a file to ${path}.new` }]);
  assert.deepEqual(moved.call.locations, [{ path }]);
  await chat.connection.respondToPermission(moved.id, { optionId: 'proceed_once' });
  await talk.find('turn-end');
  const gone = await told([diff(path, 'one\n', '', 'delete')], path);
  assert.deepEqual(gone.call.content[1], { type: 'text', text: `Deletes ${path}` });
});

test('[DMN-11] what a review would show: all that a yes allows, or nothing', async (t) => {
  const { companion, path: dir } = await house(t);
  const write = (name: string, text: string) => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };
  const a = write('a.txt', 'not one\ntwo\n\none\ntwo\n');
  const b = write('b.txt', 'one\r\ntwo\r\n');
  const propose = (path: string, oldText: string, newText: string, ...locations: string[]) => {
    const at = locations.map((each) => ({ path: each }));
    return proposalsOf([{ type: 'diff', path, oldText, newText }], at, houseOf(companion));
  };
  const inside = [{ path: a, text: 'not one\ntwo\n\nONE\ntwo\n' }];
  assert.deepEqual(await propose(a, 'one\ntwo\n', 'ONE\ntwo\n', a), inside, 'lines, not parts of longer ones');
  assert.deepEqual(await propose(b, 'one\r\ntwo\r\n', 'one\r\n', b), [{ path: b, text: 'one\n' }]);
  assert.equal(await propose(b, 'one\r\n', '', a, b), undefined, 'nothing is told of the first file');
  assert.equal(await propose(`${b}.new`, 'one\r\n', '', b), undefined, 'it moves and changes');
});

test('[ACP-1] the output of a command comes in pieces, and is bounded', async (t) => {
  const talk = await acpTalk(t);
  const piece = (data: string, more = {}) => ({
    sessionUpdate: 'tool_call_update',
    toolCallId: 'c',
    _meta: { terminal_output_delta: { data, terminal_id: 'c' } },
    ...more,
  });
  const begin = { sessionUpdate: 'tool_call', toolCallId: 'c', name: 'exec_command', title: 'make', kind: 'execute' };
  const end = { sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'failed' };
  const exit = { ...end, _meta: { terminal_exit: { exit_code: 3, signal: null, terminal_id: 'c' } } };
  const run = async (...updates: object[]) => {
    const from = talk.events.length;
    await talk.turn(`updates ${JSON.stringify([begin, ...updates])}`);
    const calls = talk.events.slice(from).flatMap((event) => (event.type === 'tool' ? [event.call] : []));
    return { calls, last: calls.at(-1)?.shell };
  };
  const { calls, last } = await run(piece('one\n'), piece('two\n'), exit);
  assert.equal(calls[0]?.tool, 'exec_command');
  assert.deepEqual(last, { output: 'one\ntwo\n', exitCode: 3 });
  assert.equal(calls[1]?.shell?.output, 'one\n', 'while it runs');
  assert.deepEqual((await run(piece('hi\n', { status: 'completed', rawOutput: { exit_code: 0 } }))).last, {
    output: 'hi\n',
    exitCode: 0,
  });
  const raw = { exit_code: 0, aggregated_output: 'all\n' };
  assert.equal((await run({ ...end, rawOutput: raw })).last?.output, 'all\n', 'at the end, as older ones do');
  assert.equal((await run(piece('all\n'), { ...end, rawOutput: raw })).last?.output, 'all\n', 'and only once');
  const much = await run(...Array.from({ length: 400 }, () => piece('x'.repeat(1024))), exit);
  assert.deepEqual([much.last?.output.length, much.last?.truncated], [256 * 1024, true]);
  assert.ok(much.calls.length < 100, `all of it is told each time, so not each time: ${much.calls.length}`);
});

test('[ACP-1] messages of their own are told apart', async (t) => {
  const talk = await acpTalk(t);
  const say = (messageId: string | undefined, text: string) => {
    return { sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text } };
  };
  const usage = { sessionUpdate: 'usage_update', used: 1, size: 2 };
  const hear = (...updates: object[]) => talk.turn(`updates ${JSON.stringify(updates)}`);
  assert.equal(await hear(say('1', 'Let me '), say('1', 'look.'), usage, say('2', 'Done.')), 'Let me look.\n\nDone.');
  assert.equal(await hear(say('3', 'Next.')), 'Next.', 'another turn begins with nothing');
  assert.equal(await hear(say(undefined, 'a'), say(undefined, 'b')), 'ab');
  const call = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'x' };
  assert.equal(await hear(say('4', 'Before.'), call, say('5', 'After.')), 'After.', 'what stands between parts them');
});

test('[ACP-1] models that the list names otherwise than the option are those of the option', async (t) => {
  const choices = ['small', 'large'].map((value) => ({ value, name: value }));
  const option = { id: 'model', category: 'model', type: 'select', currentValue: 'small', options: choices };
  const models = (ids: string[]) => ({
    models: { currentModelId: ids[0], availableModels: ids.map((modelId) => ({ modelId, name: modelId })) },
    configOptions: [option],
  });
  const open = (ids: string[]) => acpTalk(t, withEnv({ FAKE_STATE: JSON.stringify(models(ids)) }));
  const codex = await open(['small[low]', 'small[high]', 'large[low]']);
  assert.deepEqual(
    codex.conversation.model.available.map(({ id }) => id),
    ['small', 'large'],
  );
  await codex.connection.setModel('large');
  assert.equal(codex.said, 'model is large');
  const other = await open(['small', 'large', 'huge']);
  assert.equal(other.conversation.model.available.length, 3);
  await assert.rejects(
    other.connection.setModel('huge'),
    /session\/set_model/,
    'what the option lacks is for the list',
  );
});

test('[ACP-1] a question of Codex: its words in their places, and room for own ones', () => {
  const meta = (more: object) => ({ codex: { isSecret: false, ...more } });
  const oneOf = ['Red', 'Blue', 'None of the above'].map((label) => ({ const: label, title: label }));
  const form = Elicitation.parse({
    mode: 'form',
    message: 'Codex needs your input to continue.',
    requestedSchema: {
      type: 'object',
      properties: {
        q1: { title: 'Which color?', description: 'Color', _meta: meta({ isOther: true }), type: 'string', oneOf },
        q1_note: { type: 'string', title: 'Additional answer or note', _meta: meta({ questionId: 'q1' }) },
      },
    },
  });
  assert.deepEqual(questionEvent(form).request.questions, [
    {
      key: 'q1',
      question: 'Which color?',
      header: 'Color',
      options: [{ label: 'Red' }, { label: 'Blue' }],
      multiSelect: false,
    },
  ]);
  assert.deepEqual(formContent(form, { q1: 'Blue' }), { q1: 'Blue' });
  assert.deepEqual(formContent(form, { q1: 'Mauve' }), { q1: 'None of the above', q1_note: 'Mauve' });
});

test('[ACP-1] a plan that stands in the input is asked about as a plan', async (t) => {
  const talk = await acpTalk(t);
  const toolCall = { toolCallId: 'p', kind: 'switch_mode', title: 'Implement?', rawInput: { plan: '# Plan' } };
  await talk.connection.prompt([{ type: 'text', text: `permission ${JSON.stringify(toolCall)}` }]);
  assert.equal((await talk.find('permission')).request.plan, '# Plan');
});

test('[ACP-1] a login that is missing is said with what to do about it', async (t) => {
  const { command, args } = agent;
  const env = withEnv({ FAKE_LOGIN: '1' });
  for (const [id, words] of [
    ['codex', /^Codex is not logged in \(Authentication required\)\. Run `codex-acp cli login` in a terminal/],
    ['other', /^Codex is not logged in \(Authentication required\)\. Start it once in a terminal and log in there\.$/],
  ] as const) {
    const connection = connectTo({ id, name: 'Codex', command, args }, { cwd: folder(t), ...env });
    t.after(() => connection.stop());
    await connection.start();
    await assert.rejects(connection.newSession(), { code: 'authentication', message: words });
  }
});
