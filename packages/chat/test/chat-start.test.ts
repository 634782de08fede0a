import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { AcpConnection } from '../src/acp/connection.ts';
import { Chat } from '../src/chat.ts';
import { houseOf } from '../src/house.ts';
import type { KeptChat } from '../src/kept.ts';
import { agent, folder, house } from './support/talk.ts';

/** An agent in which nobody is logged in, until `login` was called. */
async function locked(t: TestContext, kept?: KeptChat) {
  const { companion, path } = await house(t);
  const lock = join(folder(t), 'locked');
  writeFileSync(lock, '');
  const connection = new AcpConnection({ agent, cwd: path, env: { ...process.env, FAKE_LOCKED: lock } });
  const chat = new Chat(houseOf(companion), connection, kept);
  t.after(() => chat.stop());
  return { chat, connection, login: () => rmSync(lock) };
}

test('[ACP-1] an agent that gives no session: the state says why, and nothing is left running', async (t) => {
  const { chat, connection } = await locked(t);
  await assert.rejects(chat.start(), /Please log in first/);
  const { connection: state } = chat.conversation;
  assert.deepEqual(state.status === 'died' && [state.canReconnect, /log in/.test(state.reason)], [true, true]);
  assert.equal(connection.pid, undefined);
  await assert.rejects(chat.perform({ do: 'reconnect' }), /Please log in first/);
  assert.equal(chat.conversation.connection.status, 'died');
});

test('[ACP-1] a start that failed is tried again as it was meant: a new session, or the earlier one', async (t) => {
  const fresh = await locked(t);
  await assert.rejects(fresh.chat.start());
  fresh.login();
  await fresh.chat.perform({ do: 'reconnect' });
  assert.equal(fresh.chat.conversation.connection.status, 'connected');
  assert.equal(fresh.chat.conversation.session?.id, 's1');
  assert.deepEqual(fresh.chat.conversation.items, []);

  const earlier = await locked(t);
  await assert.rejects(earlier.chat.start({ session: 's1' }));
  earlier.login();
  await earlier.chat.perform({ do: 'reconnect' });
  const texts = earlier.chat.conversation.items.map((item) => item.type === 'message' && item.text);
  assert.deepEqual(texts, ['earlier', 'answered']);
});

test('[ACP-1] a conversation from before, and nobody is logged in any more: it stays, and is taken up later', async (t) => {
  const items = [{ key: '1', type: 'message', role: 'user', text: 'please' }] as const;
  const kept = { id: 'c', agent: { id: 'fake', name: 'Fake' }, at: 0, session: { id: 's1', cwd: '/w' }, items };
  const { chat, login } = await locked(t, kept);
  const texts = () => chat.conversation.items.map((item) => item.type === 'message' && item.text);
  for (let i = 0; i < 2; i += 1) {
    await assert.rejects(chat.perform({ do: 'reconnect' }), /Please log in first/);
    assert.equal(chat.conversation.connection.status, 'died');
    assert.deepEqual(texts(), ['please']);
  }
  login();
  await chat.perform({ do: 'reconnect' });
  assert.deepEqual(texts(), ['earlier', 'answered']);
});
