// Permissions of the real Qwen Code on the desk of a companion, as a child and in a daemon; and what goes along with a prompt.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Chat, houseOf } from '@tandem/chat';
import { Companion, MemoryEditor } from '@tandem/core';
import type { Recorder } from '../chat/recorder.ts';
import { ChatWorld } from '../chat/world.ts';

const timeout = 90_000;
let world: ChatWorld;
let url: string;

before(async () => {
  world = await ChatWorld.start();
  url = await world.daemon().url();
});
after(() => world.end());

async function scene(side: 'acp' | 'daemon') {
  const { workspace, home, tmp, env } = world.sandbox;
  const editor = new MemoryEditor({ folders: [workspace] });
  const companion = new Companion({ editor, places: { home, tmp, env } });
  await companion.start();
  const talk = side === 'acp' ? world.acp() : world.at(url);
  const chat = new Chat(houseOf(companion), talk.connection);
  await chat.start();
  const end = async () => {
    await chat.stop();
    await companion.stop();
  };
  return { editor, companion, talk, chat, end, desk: companion.desk };
}

/** Asks for an edit of a file and waits until its review lies on the desk. */
async function review({ chat, talk, desk }: Awaited<ReturnType<typeof scene>>, path: string, from: string, to: string) {
  const edit = { file_path: path, old_string: from, new_string: to };
  const keyword = `desk-${from}-${to}`;
  world.model.script(keyword, [
    { call: { name: 'read_file', input: { file_path: path } } },
    { call: { name: 'edit', input: edit } },
    { pieces: [{ text: `did ${to}` }] },
  ]);
  const { promptId } = await chat.prompt({ text: `please do ${keyword}`, context: false });
  const found = await talk.until('the review', () => desk.reviewsOf(chat.id)[0]);
  return { promptId, found };
}

for (const side of ['acp', 'daemon'] as const) {
  test(`[DMN-11] accept, reject, accept with edits, answered elsewhere: ${side}`, { timeout }, async () => {
    const here = await scene(side);
    const { chat, talk, desk, editor } = here;
    const path = world.sandbox.write(`desk-${side}.txt`, 'alpha\nbeta\ngamma\n');
    const text = () => world.sandbox.read(`desk-${side}.txt`);

    const yes = await review(here, path, 'alpha', 'ALPHA');
    assert.equal(yes.found.proposed, 'ALPHA\nbeta\ngamma\n');
    assert.ok(editor.shown.has(yes.found.id));
    desk.decide(yes.found.id, { kind: 'accept', text: yes.found.proposed }, 'editor');
    await talk.ended(yes.promptId);
    assert.equal(text(), 'ALPHA\nbeta\ngamma\n');

    const no = await review(here, path, 'beta', 'BETA');
    desk.decide(no.found.id, { kind: 'reject' }, 'command line');
    await talk.ended(no.promptId);
    assert.equal(text(), 'ALPHA\nbeta\ngamma\n');

    world.model.script('saved my own version', [{ pieces: [{ text: 'I see' }] }]);
    const mine = await review(here, path, 'beta', 'BETTER');
    desk.amend(mine.found.id, 'ALPHA\nbeta, mine\ngamma\n');
    desk.decide(mine.found.id, { kind: 'accept', text: 'ALPHA\nbeta, mine\ngamma\n' }, 'editor');
    await talk.until('the agent to hear of it', () => talk.said === 'I see');
    assert.equal(text(), 'ALPHA\nbeta, mine\ngamma\n');
    assert.match(world.model.heard('saved my own version'), /beta, mine/);

    const other = await review(here, path, 'gamma', 'GAMMA');
    const ask = chat.conversation.asks[0];
    await voteElsewhere(side, talk, ask?.id ?? '');
    await talk.ended(other.promptId);
    assert.equal(desk.find(other.found.id)?.withdrawn, 'answered in the terminal');
    assert.equal(editor.shown.size, 0);
    assert.equal(text(), 'ALPHA\nbeta, mine\nGAMMA\n');
    assert.deepEqual(chat.conversation.asks, []);
    await here.end();
  });

  test(`[ACP-4] active file, selection, unsaved text and mentions reach the model, and stand in the ledger: ${side}`, {
    timeout,
  }, async () => {
    const here = await scene(side);
    const { chat, talk, editor, companion } = here;
    const path = world.sandbox.write('context.txt', 'saved\n');
    const other = world.sandbox.write('mentioned.txt', 'first\nsecond\nthird\n');
    await editor.openFile({ path, preview: false, focus: true });
    editor.type(path, 'typed, not saved\n');
    editor.select(path, [{ start: { line: 0, character: 0 }, end: { line: 0, character: 5 } }]);
    world.model.script('with-context', [{ pieces: [{ text: 'seen' }] }]);
    const mentions = [{ path: other, lines: { start: 1, end: 1 } }];
    const { promptId } = await chat.prompt({ text: 'please do with-context', mentions });
    await talk.ended(promptId);
    const heard = world.model.heard('with-context');
    for (const part of [`looking at ${path}`, 'typed, not saved', 'Selected are lines 1 to 1:\ntyped', 'second']) {
      assert.ok(heard.includes(part), `the model read ${part}`);
    }
    assert.equal(heard.includes('third'), false);
    const noted = companion.ledger.entries.map(({ what, link }) => `${what} ${link}`);
    assert.deepEqual(
      noted.slice(0, 3),
      ['mention', 'selection', 'document'].map((what) => `${what} ${chat.id}`),
    );
    const shown = chat.conversation.items.find((item) => item.type === 'message' && item.role === 'user');
    assert.equal(shown?.type === 'message' && shown.text, 'please do with-context', 'the panel shows what was said');
    assert.equal(shown?.type === 'message' && shown.attachments?.length, 3, 'and names what went along');
    if (side === 'acp') {
      world.model.script('read-unsaved', [
        { call: { name: 'read_file', input: { file_path: path } } },
        { pieces: [{ text: 'read' }] },
      ]);
      await chat.prompt({ text: 'please do read-unsaved', context: false });
      const tool = await talk.event('tool', 0, ({ call }) => call.status === 'completed');
      assert.deepEqual(
        tool.call.content,
        [{ type: 'text', text: 'typed, not saved\n' }],
        'also when it reads by itself',
      );
    }
    await here.end();
  });
}

/** In the panel, or in a second client of the same session. */
async function voteElsewhere(side: 'acp' | 'daemon', talk: Recorder, id: string): Promise<void> {
  if (side === 'acp') {
    await talk.connection.respondToPermission(id, { optionId: 'proceed_once' });
    return;
  }
  const second = world.at(url);
  await second.connection.start();
  await second.connection.resumeSession(talk.connection.session?.id ?? '');
  await second.event('permission');
  assert.equal(await second.connection.respondToPermission(id, { optionId: 'proceed_once' }), 'counted');
  await second.connection.stop();
}
