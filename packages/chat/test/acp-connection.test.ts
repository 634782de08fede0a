import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { agentEnvironment, CHAT_AGENTS } from '../src/acp/agents.ts';
import { AcpConnection } from '../src/acp/connection.ts';
import { Chat } from '../src/chat.ts';
import { houseOf } from '../src/house.ts';
import { acpTalk, agent, folder, house, Talk } from './support/talk.ts';

test('[ACP-1] initialize, new, list, load, resume; the asking mode is set on each', async (t) => {
  const talk = await acpTalk(t);
  assert.equal(talk.connection.agent.version, '1.2.3');
  assert.equal(await talk.turn('mode'), 'default', 'the agent itself would have taken "auto"');
  assert.deepEqual((await talk.connection.listSessions()).sessions, [{ id: 's1', title: 'Earlier', cwd: '/w' }]);
  await talk.connection.setMode('auto');
  const from = talk.events.length;
  await talk.connection.loadSession('s1');
  const history = talk.events.slice(from).flatMap((event) => (event.type === 'message' ? [event.text] : []));
  assert.deepEqual(history, ['earlier', 'answered']);
  assert.equal((await talk.find('title', from)).title, 'Earlier', 'as the list of sessions has it');
  assert.equal(await talk.turn('mode'), 'default');
  await talk.connection.resumeSession('s1', { mode: 'auto' });
  assert.equal(await talk.turn('mode'), 'auto', 'unless the user wants another');
  await assert.rejects(talk.connection.newSession({ mode: 'nonsense' }), /has no mode nonsense/);
});

test('[ACP-1] an agent reads what the user sees, and a missing file is -32002', async (t) => {
  const { companion, editor, path } = await house(t);
  const file = join(path, 'a.txt');
  writeFileSync(file, 'one\ntwo\nthree\n');
  const chat = new Chat(houseOf(companion), new AcpConnection({ agent, cwd: path }));
  t.after(() => chat.stop());
  const talk = new Talk(chat.connection);
  await chat.start();
  const read = async (request: object) => JSON.parse(await talk.turn(`read ${JSON.stringify(request)}`));
  assert.equal((await read({ path: file })).result.content, 'one\ntwo\nthree\n');
  await editor.openFile({ path: file, preview: false, focus: true });
  editor.type(file, 'ONE\ntwo\nthree\n');
  assert.equal((await read({ path: file })).result.content, 'ONE\ntwo\nthree\n', 'not what is on disk');
  assert.equal((await read({ path: file, line: 2, limit: 1 })).result.content, 'two');
  const noted = companion.ledger.entries.filter(({ link }) => link === chat.id);
  assert.deepEqual(
    [noted[0]?.what, noted[0]?.paths, noted.length],
    ['document', [file], 2],
    'only what was not on disk',
  );
  assert.equal((await read({ path: join(path, 'missing.txt') })).error.code, -32002);
  writeFileSync(join(path, '.env'), 'SECRET=1');
  assert.match((await read({ path: join(path, '.env') })).error.message, /deny list/);
  companion.policy.sharing = 'off';
  assert.equal((await read({ path: file })).result.content, 'one\ntwo\nthree\n', 'nothing unsaved leaves');
});

test('[ACP-1] an agent that writes through us gets its way only for what was allowed', async (t) => {
  const talk = await acpTalk(t);
  const file = join(folder(t), 'b.txt');
  assert.match(await talk.turn(`write ${file}`), /was not allowed/);
  assert.equal(existsSync(file), false);
  const answer = async (optionId: string) => {
    const from = talk.events.length;
    const turn = talk.turn(`edit ${JSON.stringify({ path: file, old: null, text: 'x', next: 'write' })}`);
    const { request } = await talk.find('permission', from);
    await talk.connection.respondToPermission(request.id, { optionId });
    return turn;
  };
  assert.match(await answer('cancel'), /was not allowed/);
  assert.equal(existsSync(file), false);
  await answer('proceed_once');
  assert.equal(readFileSync(file, 'utf8'), 'x');
  assert.match(await talk.turn(`write ${file}`), /was not allowed/, 'a yes is for one turn');
});

test('[ACP-1] what is not offered is refused, what is not known is passed over', async (t) => {
  const logs: string[] = [];
  const talk = await acpTalk(t, { log: (_level, message) => logs.push(message) });
  assert.match(await talk.turn('terminal'), /-32601/);
  assert.equal(await talk.turn('odd'), 'still here');
  assert.ok(
    logs.some((line) => line.includes('something_new')),
    'but it stands in the log',
  );
  const tool = talk.conversation.items.find((item) => item.type === 'tool');
  assert.equal(tool?.type === 'tool' && tool.call.kind, 'other', 'an unknown kind is no reason to drop a call');
});

test('[ACP-1] a form that the agent wants filled in is a question', async (t) => {
  const talk = await acpTalk(t);
  const ask = async (answers: Record<string, string> | undefined) => {
    const from = talk.events.length;
    const turn = talk.turn('form');
    const { request } = await talk.find('question', from);
    assert.deepEqual(request.questions, [
      { key: 'q', question: 'Which?', header: 'Color', options: [{ label: 'Red' }], multiSelect: false },
    ]);
    assert.equal(await talk.connection.answerQuestion(request.id, answers), 'counted');
    assert.equal(await talk.connection.answerQuestion(request.id, answers), 'late');
    return JSON.parse(await turn).result;
  };
  assert.deepEqual(await ask({ q: 'Red' }), { action: 'accept', content: { q: 'Red' } });
  assert.deepEqual(await ask({ q: 'Mauve' }), { action: 'accept', content: { q_custom: 'Mauve' } });
  assert.deepEqual(await ask(undefined), { action: 'decline' });
});

test('[ACP-2] a second prompt waits, can be taken back, and runs when the first has ended', async (t) => {
  const talk = await acpTalk(t);
  const first = await talk.connection.prompt([{ type: 'text', text: 'wait briefly' }]);
  const second = await talk.connection.prompt([{ type: 'text', text: 'hello' }]);
  const third = await talk.connection.prompt([{ type: 'text', text: 'never' }]);
  assert.deepEqual([first.queued, second.queued, third.queued], [false, true, true]);
  assert.deepEqual(
    talk.conversation.queue.map(({ text }) => text),
    ['hello', 'never'],
  );
  assert.equal(await talk.connection.takeBack(third.promptId), true);
  assert.equal(await talk.connection.takeBack(first.promptId), false, 'it runs already');
  await talk.until(() => talk.said === 'hello');
  const ends = () =>
    talk.events.flatMap((event) => (event.type === 'turn-end' ? [[event.promptId, event.reason]] : []));
  await talk.until(() => ends().length === 3);
  assert.deepEqual(ends(), [
    [third.promptId, 'taken-back'],
    [first.promptId, 'end_turn'],
    [second.promptId, 'end_turn'],
  ]);
});

test('[ACP-1] cancel answers an open permission as cancelled and ends the turn; a late vote is no error', async (t) => {
  const talk = await acpTalk(t);
  const { promptId } = await talk.connection.prompt([
    { type: 'text', text: `edit ${JSON.stringify({ path: '/x', text: 'x' })}` },
  ]);
  const { request } = await talk.find('permission');
  await talk.connection.cancel();
  await talk.until(() => talk.events.some((event) => event.type === 'turn-end' && event.promptId === promptId));
  assert.equal(talk.said, '{"outcome":{"outcome":"cancelled"}}');
  assert.equal(await talk.connection.respondToPermission(request.id, { optionId: 'proceed_once' }), 'late');
  assert.equal(talk.events.filter(({ type }) => type === 'answered').length, 1);
  await talk.connection.prompt([{ type: 'text', text: 'wait' }]);
  await talk.until(() => talk.said === 'waiting');
  await talk.connection.cancel();
  await talk.until(() => talk.events.some((event) => event.type === 'turn-end' && event.reason === 'cancelled'));
});

test('[DMN-10] an agent that dies: the turn is cut off, the panel can bring it back with its history', async (t) => {
  const talk = await acpTalk(t);
  const { promptId } = await talk.connection.prompt([{ type: 'text', text: 'die' }]);
  const end = await talk.find('turn-end');
  assert.deepEqual([end.promptId, end.reason], [promptId, 'interrupted']);
  const { state } = talk.connection;
  assert.deepEqual(state.status === 'died' && [state.reason, state.canReconnect], ['it ended with code 3', true]);
  await assert.rejects(talk.connection.setMode('auto'), { code: 'not-connected' });
  await talk.connection.reconnect();
  assert.equal(talk.connection.state.status, 'connected');
  assert.equal(talk.said, 'answered');
  assert.equal(await talk.turn('hello'), 'hello');
});

test('an agent that is not installed is told in words', async (t) => {
  const connection = new AcpConnection({ agent: { ...agent, command: 'no-such-agent' }, cwd: folder(t) });
  const talk = new Talk(connection);
  await assert.rejects(connection.start(), /no-such-agent is not installed/);
  assert.equal(talk.conversation.connection.status, 'died');
  await connection.stop();
});

test('[ACP-3] an agent that we start does not find a companion by its environment', async (t) => {
  const env = {
    PATH: process.env.PATH ?? '',
    GEMINI_CLI_IDE_SERVER_PORT: '1',
    QWEN_CODE_IDE_SERVER_PORT: '1',
    CLAUDE_CODE_SSE_PORT: '1',
    QWEN_SERVER_TOKEN: 'x',
    MINE: 'kept',
  };
  const talk = await acpTalk(t, { env });
  const seen = JSON.parse(await talk.turn('env'));
  assert.equal(seen.MINE, 'kept');
  assert.deepEqual(Object.keys(agentEnvironment(env)), ['PATH', 'MINE']);
  for (const name of Object.keys(env).filter((each) => /IDE|SSE|TOKEN/.test(each))) assert.equal(seen[name], undefined);
});

test('[ACP-3] Gemini looks for companions in its temporary folder, so it gets one of its own while it runs', async (t) => {
  const path = folder(t);
  const prepare = CHAT_AGENTS.find(({ id }) => id === 'gemini')?.prepare;
  const env = { PATH: process.env.PATH ?? '', TMPDIR: path };
  const talk = await acpTalk(t, { agent: { ...agent, ...(prepare ? { prepare } : {}) }, env });
  const seen = JSON.parse(await talk.turn('env'));
  assert.ok(seen.TMPDIR.startsWith(join(path, 'tandem-gemini-')));
  assert.ok(existsSync(seen.TMPDIR));
  await talk.connection.stop();
  assert.equal(existsSync(seen.TMPDIR), false);
});
