import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { AcpConnection } from '../src/acp/connection.ts';
import { Chat } from '../src/chat.ts';
import { houseOf } from '../src/house.ts';
import { agent, house, Talk } from './support/talk.ts';

/** A conversation in a house, with a file that the agent wants to change. */
async function scene(t: TestContext, before = 'one\ntwo\n') {
  const { companion, editor, path } = await house(t);
  const file = join(path, 'a.txt');
  writeFileSync(file, before);
  const chat = new Chat(houseOf(companion), new AcpConnection({ agent, cwd: path }));
  t.after(() => chat.stop());
  const talk = new Talk(chat.connection);
  const told = new Talk({ subscribe: (listener) => chat.subscribe(listener) } as AcpConnection);
  await chat.start();
  const edit = (old: string | null, text: string, of = file) =>
    chat.connection.prompt([{ type: 'text', text: `edit ${JSON.stringify({ path: of, old, text })}` }]);
  const review = () => talk.until(() => companion.desk.reviewsOf(chat.id)[0]);
  return { companion, editor, path, file, chat, talk, told, edit, review };
}

test('[DMN-11] a permission with a diff is a review on the desk; accepting it allows once', async (t) => {
  const { companion, editor, file, chat, talk, told, edit, review } = await scene(t);
  await edit('one\ntwo\n', 'one\nTWO\n');
  const { id, path, proposed, agent: whose } = await review();
  assert.deepEqual([path, proposed, whose], [file, 'one\nTWO\n', 'fake']);
  assert.ok(editor.shown.has(id), 'the editor shows it');
  const ask = chat.conversation.asks[0];
  assert.equal(ask?.type === 'permission' && ask.review, id, 'the panel knows which');
  companion.desk.decide(id, { kind: 'accept', text: proposed }, 'editor');
  await talk.find('turn-end');
  assert.match(talk.said, /"optionId":"proceed_once"/, 'not the option that changes the mode as well');
  assert.deepEqual(told.conversation.asks, []);
  assert.equal(readFileSync(file, 'utf8'), 'one\ntwo\n', 'writing it is for the agent');
});

test('[DMN-11] rejecting the review rejects', async (t) => {
  const { companion, talk, edit, review } = await scene(t);
  await edit('one\ntwo\n', 'x');
  companion.desk.decide((await review()).id, { kind: 'reject' }, 'command line');
  await talk.find('turn-end');
  assert.match(talk.said, /"optionId":"cancel"/);
});

test('[DMN-11] accepted with edits: rejected, the own text written through the editor, and the agent told, as one step', async (t) => {
  const { companion, editor, file, chat, talk, told, edit, review } = await scene(t, 'one\r\ntwo\r\n');
  await editor.openFile({ path: file, preview: false, focus: true });
  await edit('one\ntwo\n', 'one\nTWO\n');
  const { id } = await review();
  companion.desk.amend(id, 'one\nmine\n');
  companion.desk.decide(id, { kind: 'accept', text: 'one\nmine\n' }, 'editor');
  await talk.until(() => talk.events.filter(({ type }) => type === 'turn-end').length === 2);
  const said = talk.conversation.items.filter((item) => item.type === 'message');
  assert.match(said[1]?.text ?? '', /"optionId":"cancel"/);
  assert.equal(said[2]?.role, 'user');
  assert.match(said[2]?.text ?? '', /saved my own version/);
  assert.deepEqual(said[2]?.attachments, [{ type: 'file', path: file }], 'the text itself is not in the words');
  assert.equal(readFileSync(file, 'utf8'), 'one\r\nmine\r\n', 'with the line ends of the file');
  assert.equal(editor.unsavedText(file), undefined, 'the open buffer followed');
  assert.ok(told.events.some((event) => event.type === 'notice' && event.notice.code === 'own-version'));
  assert.ok(companion.ledger.entries.some(({ link, what }) => link === chat.id && what === 'document'));
});

test('[DMN-11] a vote elsewhere closes the review; edits that were made on it are kept', async (t) => {
  const { companion, editor, talk, chat, edit, review } = await scene(t);
  await edit('one\ntwo\n', 'x');
  const { id } = await review();
  companion.desk.amend(id, 'mine');
  const { request } = await talk.find('permission');
  assert.equal(
    await chat.perform({ do: 'permission', id: request.id, answer: { optionId: 'proceed_once' } }),
    'counted',
  );
  await talk.find('turn-end');
  assert.equal(companion.desk.find(id)?.withdrawn, 'answered in the terminal');
  assert.match(editor.notices[0]?.message ?? '', /did not take your edits/);
  assert.match(talk.said, /proceed_once/);
});

test('[DMN-11] an agent that tells only the piece that changes: the review shows the whole file', async (t) => {
  const { talk, edit, review, chat, companion } = await scene(t, 'a\r\nb\r\nc\r\n');
  await edit('b', 'B');
  const { id, proposed } = await review();
  assert.equal(proposed, 'a\nB\nc\n');
  companion.desk.decide(id, { kind: 'reject' }, 'editor');
  await talk.find('turn-end');
  // What stands there twice, or not at all, cannot be shown as a whole: then only the question remains.
  for (const old of ['missing', '\n']) {
    const from = talk.events.length;
    await edit(old, 'x');
    const { request } = await talk.find('permission', from);
    await chat.connection.respondToPermission(request.id, { optionId: 'cancel' });
    await talk.find('turn-end', from);
  }
  assert.equal(companion.desk.find('2'), undefined);
});

test('[DMN-11] a turn that is cancelled, an agent that goes: nothing is left on the desk', async (t) => {
  const { companion, talk, chat, edit, review } = await scene(t);
  await edit('one\ntwo\n', 'x');
  await review();
  await chat.perform({ do: 'cancel' });
  await talk.find('turn-end');
  assert.equal(companion.desk.reviews.length, 0);
  await edit('one\ntwo\n', 'y');
  await review();
  await chat.stop();
  assert.equal(companion.desk.reviews.length, 0);
});

test('[DMN-11] a history that begins anew keeps the review of a permission that is still asked', async (t) => {
  const { companion, chat, talk, edit, review } = await scene(t);
  const { DeskBridge } = await import('../src/desk-bridge.ts');
  await edit('one\ntwo\n', 'x');
  const { id } = await review();
  const { request } = await talk.find('permission');
  const bridge = new DeskBridge(houseOf(companion), { id: 'other', agent: 'fake' }, chat.connection, {
    tell: () => {},
    say: async () => {},
  });
  bridge.handle({ type: 'permission', request });
  const mine = await talk.until(() => companion.desk.reviewsOf('other')[0]);
  companion.desk.amend(mine.id, 'half done');
  bridge.handle({ type: 'history', phase: 'begin' });
  bridge.handle({ type: 'permission', request });
  bridge.handle({ type: 'history', phase: 'end' });
  assert.equal(companion.desk.find(mine.id)?.state, 'open');
  assert.equal(companion.desk.find(mine.id)?.text, 'half done', 'with what was typed into it');
  bridge.handle({ type: 'history', phase: 'begin' });
  bridge.handle({ type: 'history', phase: 'end' });
  assert.equal(companion.desk.find(mine.id)?.state, 'withdrawn', 'nobody asks it any more');
  assert.equal(companion.desk.find(id)?.state, 'open');
});
