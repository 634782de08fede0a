// The connection to a real daemon breaks in every way; nothing is lost and nothing comes twice.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Tap } from '../chat/model.ts';
import { TcpProxy } from '../chat/proxy.ts';
import { ChatWorld, type Daemon } from '../chat/world.ts';

const timeout = 120_000;
const patience = { firstMs: 50, longestMs: 400, tries: 60 };

let world: ChatWorld;
let daemon: Daemon;
let proxy: TcpProxy;

before(async () => {
  world = await ChatWorld.start();
  // A small ring, so that it can be left behind.
  daemon = world.daemon({ args: ['--port', '0', '--event-ring-size', '200'] });
  await daemon.url();
  proxy = await TcpProxy.start(daemon.port);
});

after(async () => {
  await proxy.close();
  await world.end();
});

async function connected() {
  const talk = world.at(proxy.url, { patience });
  await talk.connection.start();
  await talk.connection.newSession();
  return talk;
}

test('[DMN-4] fifty forced drops in one long turn: nothing lost, nothing doubled', { timeout }, async () => {
  const talk = await connected();
  const tap = new Tap();
  world.model.script('drop-fifty', [{ pieces: tap }]);
  const { promptId } = await talk.connection.prompt([{ type: 'text', text: 'please do drop-fifty' }]);
  await talk.event('turn-start');
  const words: string[] = [];
  const opened = proxy.streams;
  for (let drop = 1; drop <= 50; drop += 1) {
    for (let word = 1; word <= 3; word += 1) {
      words.push(`w${drop}.${word} `);
      tap.push({ text: `w${drop}.${word} ` });
    }
    await talk.until(`the words before drop ${drop}`, () => talk.agentText.includes(`w${drop}.1 `));
    proxy.drop();
  }
  tap.end();
  const { reason, events } = await talk.ended(promptId);
  assert.equal(reason, 'end_turn');
  const chunks = events.flatMap((event) => (event.type === 'message' && event.role === 'agent' ? [event.text] : []));
  assert.deepEqual(chunks, words);
  assert.equal(proxy.streams - opened, 50, 'each drop was noticed and made good');
  assert.equal(
    events.filter((event) => event.type === 'history' && event.phase === 'begin').length,
    1,
    'without a reload',
  );
  await talk.connection.stop();
});

test('[DMN-4] a frame cut in the middle is not applied, and comes whole afterwards', { timeout }, async () => {
  const talk = await connected();
  const from = talk.events.length;
  const words = Array.from({ length: 60 }, (_, index) => `cut${index} `);
  const tap = new Tap();
  world.model.script('drop-cut', [{ pieces: tap }]);
  await talk.turn('hello');
  await talk.event('commands'); // 20 kB in one frame: the cuts below would never let it pass
  // Each stream ends within its third or fourth frame; the next one goes on from the last whole one.
  proxy.cutEvery(1_700);
  proxy.drop();
  const before = proxy.cuts;
  const { promptId } = await talk.connection.prompt([{ type: 'text', text: 'please do drop-cut' }]);
  for (const text of words) tap.push({ text });
  tap.end();
  const { events } = await talk.ended(promptId, from);
  proxy.cutEvery(undefined);
  const chunks = events.flatMap((event) => (event.type === 'message' && event.role === 'agent' ? [event.text] : []));
  assert.deepEqual(chunks, ['ok', ...words]);
  assert.ok(proxy.cuts - before >= 10, `streams were cut (${proxy.cuts - before})`);
  await talk.connection.stop();
});

test('[DMN-4] a ring that was left behind: the session is loaded again and is complete', { timeout }, async () => {
  const talk = await connected();
  const witness = world.at(await daemon.url());
  await witness.connection.start();
  await witness.connection.resumeSession(talk.connection.session?.id ?? '');
  const tap = new Tap();
  world.model.script('drop-ring', [{ pieces: tap }]);
  const { promptId } = await talk.connection.prompt([{ type: 'text', text: 'please do drop-ring' }]);
  tap.push({ text: 'first ' });
  await talk.until('the first word', () => talk.agentText === 'first ');
  // While nobody listens here, more happens than the ring holds.
  proxy.cutEvery(0);
  proxy.drop();
  const words = Array.from({ length: 400 }, (_, index) => `r${index} `);
  for (const text of [...words, 'last']) tap.push({ text });
  await witness.until('the last word elsewhere', () => witness.agentText.endsWith('last'));
  proxy.cutEvery(undefined);
  tap.end();
  await talk.until('the whole text here', () => talk.agentText === `first ${words.join('')}last`);
  await talk.ended(promptId);
  const again = talk.events.filter((event) => event.type === 'history' && event.phase === 'begin').length;
  assert.ok(again >= 2, 'by a reload');
  await talk.connection.stop();
  await witness.connection.stop();
});

test('[DMN-4] a client that stops reading is cut off by the daemon, and catches up', { timeout }, async () => {
  const talk = await connected();
  const other = world.at(await daemon.url());
  await other.connection.start();
  await other.connection.resumeSession(talk.connection.session?.id ?? '');
  const big = 'x'.repeat(40_000);
  const tap = new Tap();
  world.model.script('drop-slow', [{ pieces: tap }]);
  const { promptId } = await talk.connection.prompt([{ type: 'text', text: 'please do drop-slow' }]);
  await talk.event('turn-start');
  const opened = proxy.streams;
  proxy.stall(true);
  const count = 300;
  for (let index = 0; index < count; index += 1) tap.push({ text: `<${index}>${big}` });
  tap.end();
  await other.ended(promptId);
  proxy.stall(false);
  await talk.ended(promptId);
  const marks = [...talk.agentText.matchAll(/<(\d+)>/g)].map(([, index]) => Number(index));
  assert.deepEqual(
    marks,
    Array.from({ length: count }, (_, index) => index),
  );
  assert.equal(talk.agentText.length, other.agentText.length);
  assert.ok(proxy.streams > opened, 'it was cut off and came back');
  await talk.connection.stop();
  await other.connection.stop();
});

test('[DMN-4] [DMN-6] a permission that is asked while the connection is down is there afterwards', {
  timeout,
}, async () => {
  const talk = await connected();
  const path = world.sandbox.path('while-away.txt');
  world.model.script('drop-asks', [
    { call: { name: 'write_file', input: { file_path: path, content: 'x' } } },
    { pieces: [{ text: 'written' }] },
  ]);
  proxy.cutEvery(0);
  proxy.drop();
  const { promptId } = await talk.connection.prompt([{ type: 'text', text: 'please do drop-asks' }]);
  const witness = world.at(await daemon.url());
  await witness.connection.start();
  await witness.connection.resumeSession(talk.connection.session?.id ?? '');
  // A session that is resumed has no history; what waits is told nevertheless.
  const there = await witness.event('permission');
  proxy.cutEvery(undefined);
  const here = await talk.event('permission');
  assert.equal(here.request.id, there.request.id);
  const option = here.request.options.find(({ kind }) => kind === 'allow_once');
  assert.equal(await talk.connection.respondToPermission(here.request.id, { optionId: option?.id ?? '' }), 'counted');
  await talk.ended(promptId);
  assert.equal(world.sandbox.read('while-away.txt'), 'x');
  const closed = await witness.event('answered');
  assert.deepEqual(closed.answer, { outcome: 'selected', optionId: option?.id, by: 'elsewhere' });
  await talk.connection.stop();
  await witness.connection.stop();
});
