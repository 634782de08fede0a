import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DaemonClient } from '../src/daemon/client.ts';
import { Cursor } from '../src/daemon/cursor.ts';
import { DaemonSessionClient } from '../src/daemon/session-client.ts';
import { FakeDaemon } from './support/fake-daemon.ts';

const TOKEN = 'tok-3b9d0c71';

async function session(daemon: FakeDaemon): Promise<DaemonSessionClient> {
  daemon.answers.set('POST /session', [200, { sessionId: 's1', workspaceCwd: '/w', clientId: 'client_1' }]);
  const client = new DaemonClient({ url: daemon.url, token: TOKEN });
  return DaemonSessionClient.createOrAttach(client, { cwd: '/w', approvalMode: 'default' });
}

/** Handles events over as many streams as it takes, until there are no more and so many were handled. */
async function handle(one: DaemonSessionClient, count: number): Promise<number[]> {
  const handled: number[] = [];
  for (;;) {
    try {
      for await (const { id, type } of one.events(new AbortController().signal)) {
        if (id !== undefined) handled.push(id);
        // Asking for the next one says that this one was handled.
        else if (type === 'replay_complete' && handled.length >= count) return handled;
      }
    } catch {
      // the connection broke; on with the next
    }
  }
}

test('[DMN-4] streams that break anywhere: each event is handled once, in order', async () => {
  const property = fc.asyncProperty(fc.array(fc.nat({ max: 1500 }), { maxLength: 12 }), async (cuts) => {
    const daemon = await FakeDaemon.start();
    try {
      for (let index = 0; index < 12; index += 1)
        daemon.push('turn_complete', { promptId: `ä${index}`, stopReason: 'x' });
      const one = await session(daemon);
      daemon.cuts = [...cuts];
      daemon.overlap = cuts.length % 3; // what comes again is passed over
      assert.deepEqual(
        await handle(one, 12),
        Array.from({ length: 12 }, (_, index) => index + 1),
      );
    } finally {
      await daemon.close();
    }
  });
  await fc.assert(property, { numRuns: 25 });
});

test('[DMN-4] an event whose handling failed is told again: the cursor moves only afterwards', async () => {
  const daemon = await FakeDaemon.start();
  try {
    for (const promptId of ['a', 'b', 'c']) daemon.push('turn_complete', { promptId, stopReason: 'end_turn' });
    const one = await session(daemon);
    const fails = async () => {
      for await (const { id } of one.events(new AbortController().signal))
        if (id === 2) throw new Error('handler broke');
    };
    await assert.rejects(fails(), /handler broke/);
    assert.equal(one.cursor.id, 1);
    assert.deepEqual(await handle(one, 2), [2, 3]);
  } finally {
    await daemon.close();
  }
});

test('[DMN-3] [DMN-4] what is sent: the approval mode on create, load and resume; id and epoch on each stream', async () => {
  const daemon = await FakeDaemon.start();
  try {
    const one = await session(daemon);
    const restored = { sessionId: 's1', workspaceCwd: '/w', clientId: 'c2', lastEventId: 9, eventEpoch: 'epoch-1' };
    daemon.answers.set('POST /session/s1/load', [200, restored]);
    daemon.answers.set('POST /session/s1/resume', [200, restored]);
    const client = new DaemonClient({ url: daemon.url, token: TOKEN });
    const [loaded] = await DaemonSessionClient.load(client, 's1', { cwd: '/w', approvalMode: 'plan' });
    await DaemonSessionClient.resume(client, 's1', { cwd: '/w', approvalMode: 'default' });
    const modes = daemon.requests.map(({ body }) => (body as { approvalMode: string }).approvalMode);
    assert.deepEqual(modes, ['default', 'plan', 'default']);
    daemon.push('turn_complete', { promptId: 'a', stopReason: 'end_turn' });
    await handle(one, 1);
    daemon.push('turn_complete', { promptId: 'b', stopReason: 'end_turn' });
    await handle(one, 1);
    for await (const { type } of loaded.events(new AbortController().signal)) if (type === 'replay_complete') break;
    const streams = daemon.requests.filter(({ url }) => url.endsWith('/events'));
    const sent = streams.map(({ headers: h }) => [h['last-event-id'], h['x-qwen-event-epoch'], h['x-qwen-client-id']]);
    assert.deepEqual(sent, [
      ['0', undefined, 'client_1'],
      ['1', 'epoch-1', 'client_1'],
      ['9', 'epoch-1', 'c2'],
    ]);
    assert.ok(daemon.requests.every(({ headers }) => headers.authorization === `Bearer ${TOKEN}`));
    assert.ok(daemon.requests.every(({ url }) => !url.includes(TOKEN)));
  } finally {
    await daemon.close();
  }
});

test('[DMN-4] a cursor keeps its epoch until it is made anew, and never goes back', () => {
  const cursor = new Cursor(0);
  cursor.open('e1');
  cursor.advance(5);
  cursor.advance(3);
  cursor.open('e2');
  assert.deepEqual([cursor.id, cursor.epoch, cursor.isNew(5), cursor.isNew(6)], [5, 'e1', false, true]);
});

test('[DMN-9] a token that somebody prints does not pass', async () => {
  const daemon = await FakeDaemon.start();
  try {
    daemon.push('turn_error', { promptId: 'a', message: `the token is ${TOKEN}` });
    const one = await session(daemon);
    for await (const { data } of one.events(new AbortController().signal)) {
      assert.deepEqual(data, { promptId: 'a', message: 'the token is [secret]' });
      break;
    }
  } finally {
    await daemon.close();
  }
});

test('[DMN-10] a connection that has gone silent counts as dropped', async () => {
  const daemon = await FakeDaemon.start();
  try {
    const { http } = new DaemonClient({ url: daemon.url, token: TOKEN });
    const options = { headers: {}, signal: new AbortController().signal, idleMs: 50 };
    const stream = await http.stream('/session/s1/events', options);
    await assert.rejects(async () => {
      for await (const _ of stream);
    }, /aborted|does not answer/);
  } finally {
    await daemon.close();
  }
});
