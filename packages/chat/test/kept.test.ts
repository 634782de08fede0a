import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { AcpConnection } from '../src/acp/connection.ts';
import { Chat } from '../src/chat.ts';
import { applyAll, EMPTY } from '../src/conversation.ts';
import type { ChatEvent } from '../src/events.ts';
import { houseOf } from '../src/house.ts';
import { type KeptChat, keepOf } from '../src/kept.ts';
import { KeptChats } from '../src/kept-chats.ts';
import { agent, folder, house, Talk } from './support/talk.ts';

const who = { id: 'fake', name: 'Fake' };
const session: ChatEvent = {
  type: 'session',
  session: { id: 's1', cwd: '/w', agent: { ...who, via: 'acp' } },
};
const said: ChatEvent[] = [
  session,
  { type: 'title', title: 'A talk' },
  { type: 'mode', current: 'auto' },
  { type: 'message', role: 'user', text: 'please', promptId: 'p' },
  { type: 'message', role: 'agent', text: 'at once' },
];

function kept(...more: ChatEvent[]): KeptChat {
  const found = keepOf('chat-1', who, applyAll(EMPTY, [...said, ...more]), Date.now());
  assert.ok(found);
  return found;
}

/** A conversation from before, with an agent of which the arguments say how well it remembers. */
async function scene(t: TestContext, how: string[], before: KeptChat) {
  const { companion, path } = await house(t);
  const connection = new AcpConnection({ agent: { ...agent, args: [...agent.args, ...how] }, cwd: path });
  const chat = new Chat(houseOf(companion), connection, before);
  t.after(() => chat.stop());
  return { chat, talk: new Talk(connection) };
}

const texts = (chat: Chat) =>
  chat.conversation.items.map((item) =>
    item.type === 'message' ? item.text : item.type === 'notice' ? item.notice.code : item.type,
  );

test('what was said is kept, without what goes on or is long; what was never said is not', () => {
  assert.equal(keepOf('x', who, applyAll(EMPTY, [session]), 0), undefined);
  assert.equal(keepOf('x', who, applyAll(EMPTY, said.slice(1)), 0), undefined, 'no session to come back to');
  const image = { type: 'image', mimeType: 'image/png', data: 'x'.repeat(50_000) } as const;
  const all = kept(
    { type: 'turn-start', promptId: 'p' },
    { type: 'message', role: 'user', text: 'see', promptId: 'q', attachments: [image] },
    {
      type: 'tool',
      call: { id: 't', status: 'running', input: 'secret', shell: { output: `${'x'.repeat(30_000)}end` } },
    },
  );
  assert.deepEqual([all.title, all.mode, all.busy, all.session], ['A talk', 'auto', true, { id: 's1', cwd: '/w' }]);
  const tool = all.items.at(-1);
  assert.ok(tool?.type === 'tool');
  assert.equal(tool.call.status, 'failed', 'it will never be done');
  assert.equal(tool.call.input, undefined);
  assert.match(tool.call.shell?.output ?? '', /^…x{100,}end$/);
  assert.ok(JSON.stringify(all).length < 25_000);
  const long = kept(...Array.from({ length: 300 }, (_, i) => chunk(i)));
  assert.ok(JSON.stringify(long).length < 1_100_000);
  const last = long.items.at(-1);
  assert.match(last?.type === 'message' ? last.text : '', /^299/, 'the newest');
});

function chunk(i: number): ChatEvent {
  return { type: 'message', role: 'user', text: `${i} ${'x'.repeat(10_000)}`, promptId: `p${i}` };
}

test('it is there before the agent is, and the agent loads it, in the mode it had', async (t) => {
  const { chat, talk } = await scene(t, [], kept());
  assert.deepEqual([chat.id, chat.conversation.title, ...texts(chat)], ['chat-1', 'A talk', 'please', 'at once']);
  await chat.perform({ do: 'reconnect' });
  assert.deepEqual(texts(chat), ['earlier', 'answered'], 'as the agent tells it');
  assert.equal(await talk.turn('mode'), 'auto');
});

test('a mode that the agent has no more is not the end of it', async (t) => {
  const { chat, talk } = await scene(t, [], { ...kept(), mode: 'gone' });
  await chat.perform({ do: 'reconnect' });
  assert.equal(await talk.turn('mode'), 'default');
});

test('a turn that was cut off is said to be', async (t) => {
  const { chat } = await scene(t, [], kept({ type: 'turn-start', promptId: 'p' }));
  await chat.perform({ do: 'reconnect' });
  assert.deepEqual(texts(chat), ['earlier', 'answered', 'end']);
  const half = await scene(t, ['half'], kept({ type: 'turn-start', promptId: 'p' }));
  await half.chat.perform({ do: 'reconnect' });
  assert.deepEqual(texts(half.chat), ['earlier', 'at once', 'end'], 'what the agent does not remember of it');
});

for (const how of ['forgets', 'no-load']) {
  test(`an agent that does not remember: what was said stays, and it is said: ${how}`, async (t) => {
    const { chat, talk } = await scene(t, [how], kept());
    await chat.perform({ do: 'reconnect' });
    assert.deepEqual(texts(chat), ['please', 'at once', 'forgotten']);
    assert.equal(await talk.turn('hello'), 'hello');
    await talk.connection.prompt([{ type: 'text', text: 'die' }]);
    await talk.until(() => chat.conversation.connection.status === 'died');
    await chat.perform({ do: 'reconnect' });
    assert.deepEqual(texts(chat).slice(0, 5), ['please', 'at once', 'forgotten', 'hello', 'hello']);
    assert.equal(texts(chat).at(-1), 'forgotten');
    assert.equal(await talk.turn('hello'), 'hello');
  });
}

test('a session that cannot be opened leaves the conversation what it was', async (t) => {
  const { chat, talk } = await scene(t, ['forgets'], kept());
  await chat.perform({ do: 'reconnect' });
  await talk.turn('hello');
  await assert.rejects(chat.perform({ do: 'load-session', id: 'other' }), /no such session/);
  assert.deepEqual(texts(chat).slice(0, 3), ['please', 'at once', 'forgotten']);
  assert.equal(await talk.turn('hello'), 'hello');
});

test('an agent that cannot be started leaves it to be read, and to be tried again', async (t) => {
  const { companion, path } = await house(t);
  const missing = { ...agent, command: join(path, 'none') };
  const chat = new Chat(houseOf(companion), new AcpConnection({ agent: missing, cwd: path }), kept());
  for (let i = 0; i < 2; i += 1) {
    await assert.rejects(chat.perform({ do: 'reconnect' }));
    assert.equal(chat.conversation.connection.status, 'died');
    assert.deepEqual(texts(chat), ['please', 'at once']);
  }
});

test('on disk: for the owner only; those of the living are left alone', (t) => {
  const home = folder(t);
  const store = (owner: string, living: string[] = [], where = '/w') =>
    new KeptChats({ places: { home, env: {} }, where, owner, lives: (name) => living.includes(name) });
  const one = store('1');
  assert.deepEqual(one.take(), []);
  one.save([kept()]);
  const [place = ''] = readdirSync(join(home, '.tandem', 'chats'));
  const directory = join(home, '.tandem', 'chats', place);
  const file = join(directory, '1.json');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(statSync(directory).mode & 0o777, 0o700);

  assert.deepEqual(store('2', ['1']).take(), [], 'it lives');
  assert.deepEqual(store('2', [], '/elsewhere').take(), [], 'another folder');
  assert.equal(store('2').take()[0]?.title, 'A talk');
  assert.deepEqual(readdirSync(directory), ['2.json'], 'taken over');
  const two = store('2');
  assert.equal(two.take().length, 1, 'the same owner, started anew');
  two.close([kept()]);
  two.save([]);
  assert.deepEqual(readdirSync(directory), ['2.json'], 'conversations that end with the window are not forgotten');
  store('2').close([]);
  assert.deepEqual(readdirSync(directory), ['2.json'], 'nor those of a window that ended before it had shown them');
  const three = store('3');
  three.take();
  three.save([]);
  assert.deepEqual(readdirSync(directory), [], 'those that the user closed are');
});

test('on disk: nonsense, old ones and places that are not ours do no harm', (t) => {
  const home = folder(t);
  const store = (owner: string) => new KeptChats({ places: { home, env: {} }, where: '/w', owner });
  store('1').save([{ ...kept(), at: Date.now() - 8 * 24 * 60 * 60 * 1000 }]);
  const [place = ''] = readdirSync(join(home, '.tandem', 'chats'));
  const directory = join(home, '.tandem', 'chats', place);
  writeFileSync(join(directory, '2.json'), '{"chats":[{"id":1},null,"x"]}');
  writeFileSync(join(directory, '4.json'), 'not json');
  assert.deepEqual(store('5').take(), []);

  const old = join(home, '.tandem', 'chats', 'other');
  mkdirSync(old);
  writeFileSync(join(old, '1.json'), '{}');
  utimesSync(join(old, '1.json'), 1, 1);
  store('5').take();
  assert.equal(readdirSync(join(home, '.tandem', 'chats')).includes('other'), false);

  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o777);
  assert.throws(() => store('6').save([kept()]), /not safe to write in/);
});

test('on disk: a picture of what is shown, never more than once the same', (t) => {
  const home = folder(t);
  const store = new KeptChats({ places: { home, env: {} }, where: '/w', owner: '1' });
  store.save([kept()]);
  const [place = ''] = readdirSync(join(home, '.tandem', 'chats'));
  const file = join(home, '.tandem', 'chats', place, '1.json');
  const { ino } = statSync(file);
  store.save([{ ...kept(), at: Date.now() + 5 }]);
  assert.equal(statSync(file).ino, ino, 'nothing changed, nothing is written');
  store.save([kept({ type: 'message', role: 'agent', text: ' more' })]);
  assert.match(readFileSync(file, 'utf8'), /at once more/);
});
