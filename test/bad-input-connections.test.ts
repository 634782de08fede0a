import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { readdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { WebSocket } from 'ws';
import { Companion, MemoryEditor, type Review } from '../packages/core/src/index.ts';
import { WebSocketTransport } from '../packages/core/src/transport/websocket.ts';
import { controlOf } from './support/control.ts';
import { HttpAgent, send } from './support/http-agent.ts';
import { Neighbours } from './support/neighbours.ts';
import { head, RawSocket, upgradeHead } from './support/raw-socket.ts';
import { SocketAgent } from './support/socket-agent.ts';
import { createWorld, type Running, startCompanion, until } from './support/world.ts';

function neighboursOf(t: TestContext, running: Running): Promise<Neighbours> {
  return Neighbours.connect(t, { port: running.companion.port, ...running });
}

function http(t: TestContext, running: Running, dialect = 'gemini'): HttpAgent {
  const agent = new HttpAgent(running.companion.port, running.token(dialect));
  t.after(() => agent.drop());
  return agent;
}

function socket(t: TestContext, running: Running): SocketAgent {
  const agent = new SocketAgent(running.companion.port, running.token('claude'));
  t.after(() => agent.socket.terminate());
  return agent;
}

function askForDiff(agent: SocketAgent, path: string, tab = path): number {
  return agent.ask('tools/call', {
    name: 'openDiff',
    arguments: { old_file_path: path, new_file_path: path, new_file_contents: 'x', tab_name: tab },
  });
}

test('[ALL-8] [CLA-11] a WebSocket that answers no ping is dropped and its reviews close; the others stay', async (t) => {
  const running = await startCompanion(t, { limits: { keepAliveMs: 300 } });
  const neighbours = await neighboursOf(t, running);
  const agent = await socket(t, running).connect();
  askForDiff(agent, join(running.world.workspace, 'a.txt'));
  const review = await until('the review', () => running.companion.desk.reviews[0]);
  agent.socket.pause(); // as a machine that sleeps: the connection is there and nobody reads
  await until('the review to close', () => running.editor.closed.find((closed) => closed.id === review.id));
  assert.equal(running.companion.desk.find(review.id)?.withdrawn, 'agent gone');
  assert.equal(running.companion.links.size, 3);
  await neighbours.work();
});

test('[ALL-8] a stream that is half closed counts as gone, and its reviews close after the grace', async (t) => {
  const running = await startCompanion(t, { limits: { streamGraceMs: 50 } });
  const neighbours = await neighboursOf(t, running);
  const { port } = running.companion;
  const agent = http(t, running);
  await agent.initialize();
  await agent.initialized();
  const stream = new RawSocket(
    t,
    port,
    head('GET /mcp', { Host: `127.0.0.1:${port}`, ...agent.headers, accept: 'text/event-stream' }),
  );
  await until('the stream', () => stream.received.includes('ide/contextUpdate'));
  await agent.call('openDiff', { filePath: join(running.world.workspace, 'a.txt'), newContent: 'x' });
  assert.equal(running.companion.desk.reviews.length, 1);
  stream.socket.end(); // it will say nothing more, but still listens
  await until('the review to close', () => running.companion.desk.reviews.length === 0);
  assert.equal(running.companion.links.size, 3);
  await neighbours.work();
});

test('[ALL-8] reviews of an agent that never finished its handshake close with it', async (t) => {
  const running = await startCompanion(t);
  const agent = http(t, running);
  await agent.initialize(); // and no notifications/initialized
  await agent.call('openDiff', { filePath: join(running.world.workspace, 'a.txt'), newContent: 'x' });
  assert.equal(running.companion.desk.reviews.length, 1);
  await send(running.companion.port, { method: 'DELETE', headers: agent.headers });
  await until('the review to close', () => running.companion.desk.reviews.length === 0);

  const claude = socket(t, running);
  await claude.opened;
  askForDiff(claude, join(running.world.workspace, 'b.txt'));
  await until('the review', () => running.companion.desk.reviews.length === 1);
  claude.socket.terminate();
  await until('the review to close', () => running.companion.desk.reviews.length === 0);
  await running.companion.stop(); // says goodbye to nobody, and does not stumble over it
});

test('[ALL-11] headers that do not come in time get 408 and the connection ends, also when they trickle', async (t) => {
  const running = await startCompanion(t, { limits: { headersMs: 200, bodyMs: 400 } });
  const neighbours = await neighboursOf(t, running);
  const { port } = running.companion;
  const silent = new RawSocket(t, port);
  const half = new RawSocket(t, port, `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`);
  const slow = new RawSocket(t, port, `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`);
  const trickle = setInterval(() => slow.write('X-A: b\r\n'), 20);
  t.after(() => clearInterval(trickle));
  await neighbours.work();
  assert.equal(await half.ended('the end of half a head'), 408);
  assert.equal(await slow.ended('the end of a slow head'), 408);
  assert.equal(await silent.ended('the end of a silent connection'), 408);
  await neighbours.work();
});

test('[ALL-11] a body that does not come in time gets 408 and the connection ends, also when it trickles', async (t) => {
  const running = await startCompanion(t, { limits: { headersMs: 200, bodyMs: 400 } });
  const neighbours = await neighboursOf(t, running);
  const { port } = running.companion;
  const agent = http(t, running);
  await agent.connect();
  const begun = head('POST /mcp', { Host: `127.0.0.1:${port}`, ...agent.headers, 'content-length': '1000' });
  const chunked = head('POST /mcp', { Host: `127.0.0.1:${port}`, ...agent.headers, 'transfer-encoding': 'chunked' });
  const half = new RawSocket(t, port, `${begun}{"jsonrpc"`);
  const slow = new RawSocket(t, port, `${begun}{`);
  const endless = new RawSocket(t, port, chunked);
  const trickle = setInterval(() => {
    slow.write(' ');
    endless.write('1\r\n \r\n');
  }, 20);
  t.after(() => clearInterval(trickle));
  await neighbours.work();
  for (const each of [half, slow, endless]) assert.equal(await each.ended('the end of a slow body'), 408);
  assert.deepEqual((await agent.request('ping')).json.result, {}); // its session is another matter
  await neighbours.work();
});

test('[ALL-11] 1,000 connections that say nothing keep nobody from working, and are ended', async (t) => {
  const running = await startCompanion(t, { limits: { headersMs: 1000, bodyMs: 2000 } });
  const neighbours = await neighboursOf(t, running);
  const crowd = Array.from({ length: 1000 }, () => new RawSocket(t, running.companion.port));
  await until('1,000 connections', () => crowd.every((each) => each.connected || each.closed));
  await neighbours.work();
  const late = await http(t, running).connect(); // and one that comes only now
  assert.deepEqual((await late.request('ping')).json.result, {});
  await until('the end of all of them', () => crowd.every((each) => each.closed), 10_000);
  await neighbours.work();
});

test('[ALL-11] 1,000 WebSockets that never initialize keep nobody from working, and only a few stay', async (t) => {
  const running = await startCompanion(t, { limits: { strangers: 32 } });
  const neighbours = await neighboursOf(t, running);
  const { port } = running.companion;
  const request = upgradeHead(port, running.token('claude'));
  const crowd = Array.from({ length: 1000 }, () => new RawSocket(t, port, request));
  await until('1,000 answers', () => crowd.every((each) => each.status === 101 || each.closed), 10_000);
  await neighbours.work();
  const late = await socket(t, running).connect();
  assert.deepEqual((await late.request('ping')).result, {});
  const staying = () => crowd.filter((each) => !each.closed).length;
  await until('all but a few to be gone', () => staying() <= 33);
  assert.ok(staying() > 0); // the newest may still be about to say something
  await neighbours.work();
});

test('[ALL-11] a WebSocket that never initializes is ended when its time is over', async (t) => {
  const running = await startCompanion(t, { limits: { handshakeMs: 150 } });
  const neighbours = await neighboursOf(t, running);
  const deaf = new RawSocket(t, running.companion.port, upgradeHead(running.companion.port, running.token('claude')));
  const polite = socket(t, running);
  await polite.opened;
  assert.equal((await until('the close frame', () => polite.closed)).code, 1008);
  await until('the end of one that does not answer the close frame', () => deaf.closed);
  await neighbours.work(); // those that did initialize stay
});

test('[ALL-11] sessions that initialize and never go on make room for one that does', async (t) => {
  const running = await startCompanion(t, { limits: { links: 16, strangers: 8 } });
  const neighbours = await neighboursOf(t, running);
  for (let n = 0; n < 40; n += 1) assert.equal((await http(t, running).initialize()).status, 200);
  const late = await http(t, running).connect();
  assert.deepEqual((await late.request('ping')).json.result, {});
  await neighbours.work();
});

test('[ALL-11] past the limit of links a newcomer gets a clear no, the others go on, and a place that is left is given', async (t) => {
  const running = await startCompanion(t, { limits: { links: 3, streamGraceMs: 50 } });
  const first = await http(t, running).connect();
  const qwen = await http(t, running, 'qwen').connect();
  const claude = await socket(t, running).connect();

  const refused = await http(t, running).initialize();
  assert.equal(refused.status, 503);
  assert.match(refused.json.error.message, /too many agents/);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  const turnedAway = socket(t, running);
  await turnedAway.opened;
  turnedAway.ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'claude-code', version: '2' },
  });
  turnedAway.notify('notifications/initialized');
  const closed = await until('the close frame', () => turnedAway.closed);
  assert.equal(closed.code, 1013);
  assert.match(closed.reason, /limit/);

  assert.equal(running.companion.links.size, 3);
  for (const agent of [first, qwen]) assert.deepEqual((await agent.request('ping')).json.result, {});
  assert.deepEqual((await claude.request('ping')).result, {});

  claude.socket.close();
  await until('a free place', () => running.companion.links.size === 2);
  assert.equal((await http(t, running).initialize()).status, 200);
});

test('[ALL-11] an agent that finds the house full in the middle of its handshake is told so and leaves nothing', async (t) => {
  const running = await startCompanion(t, { limits: { links: 1 } });
  const slow = http(t, running);
  await slow.initialize();
  const claude = await socket(t, running).connect(); // takes the one place
  await slow.initialized();
  const reply = await slow.request('tools/call', {
    name: 'openDiff',
    arguments: { filePath: join(running.world.workspace, 'a.txt'), newContent: 'x' },
  });
  assert.equal(reply.status, 503, reply.text);
  assert.deepEqual(running.companion.desk.reviews, []);
  assert.deepEqual(
    running.companion.links.all.map((link) => link.agent.id),
    ['claude'],
  );
  assert.deepEqual((await claude.request('ping')).result, {});
});

test('[ALL-11] [GEM-11] past the limit of open reviews Gemini and Qwen get a rejection, the user a notice', async (t) => {
  const running = await startCompanion(t, { limits: { openReviewsPerLink: 2 } });
  for (const dialect of ['gemini', 'qwen']) {
    const agent = await http(t, running, dialect).connect();
    const path = (name: string) => join(running.world.workspace, `${dialect}-${name}`);
    for (const name of ['a', 'b', 'c']) {
      const answer = await agent.call('openDiff', { filePath: path(name), newContent: 'x' });
      assert.deepEqual(answer.result.content, []);
    }
    await until('the rejection', () => agent.notified('ide/diffRejected').length > 0);
    assert.deepEqual(agent.notified('ide/diffRejected'), [{ filePath: path('c') }]);
    assert.match(running.editor.notices.at(-1)?.message ?? '', /too many reviews are waiting/);
    // A place that is left is given.
    assert.ok(running.editor.reject(running.companion.desk.reviews.at(-1)?.id ?? '').ok);
    await agent.call('openDiff', { filePath: path('d'), newContent: 'x' });
    assert.equal(running.companion.desk.reviews.at(-1)?.path, path('d'));
  }
  assert.equal(running.companion.desk.reviews.length, 4); // the one's full desk is not the other's
});

test('[ALL-11] past the limit of open reviews Claude gets an error, so that the terminal still asks', async (t) => {
  const running = await startCompanion(t, { limits: { openReviews: 2 } });
  const agent = await socket(t, running).connect();
  const ids = ['a', 'b', 'c'].map((name) => askForDiff(agent, join(running.world.workspace, name)));
  const answer = await until('the error', () => agent.answerTo(ids[2] ?? -1));
  assert.equal(answer.result.isError, true);
  assert.match(answer.result.content[0].text, /too many reviews/);
  assert.equal(running.companion.desk.reviews.length, 2);
  assert.ok(running.editor.reject('1').ok);
  assert.equal((await until('an answer', () => agent.answerTo(ids[0] ?? -1))).result.content[0].text, 'DIFF_REJECTED');
});

test('[ALL-5] a port that is taken is a clear error; nothing is published and nothing is left', async (t) => {
  const world = createWorld(t);
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise((resolve) => other.close(resolve)));
  const { port } = other.address() as AddressInfo;
  const companion = new Companion({
    editor: new MemoryEditor({ folders: [world.workspace] }),
    port,
    places: { home: world.home, tmp: world.tmp, env: {} },
  });
  await assert.rejects(companion.start(), (error: NodeJS.ErrnoException) => {
    assert.equal(error.code, 'EADDRINUSE');
    assert.match(error.message, new RegExp(String(port)));
    return true;
  });
  await companion.stop();
  assert.deepEqual(
    [world.home, world.tmp].map((folder) => readdirSync(folder)),
    [[], []],
  );
});

test('[ALL-9] a companion whose old port somebody has taken starts on another one with new tokens', async (t) => {
  const world = createWorld(t);
  const before = await startCompanion(t, { world });
  await http(t, before).connect(); // only then is anything handed over
  const { port } = before.companion;
  const token = before.token('gemini');
  await before.companion.stop();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  t.after(() => new Promise((resolve) => other.close(resolve)));
  const after = await startCompanion(t, { world });
  assert.notEqual(after.companion.port, port);
  assert.notEqual(after.token('gemini'), token);
  await (await neighboursOf(t, after)).work();
});

test('[ALL-7] two sessions whose ids begin alike are two links', async (t) => {
  const running = await startCompanion(t);
  const agents = ['same-beginning-1', 'same-beginning-2'].map((session) => {
    const agent = http(t, running);
    agent.session = session; // as after a restart of the companion
    return agent;
  }) as [HttpAgent, HttpAgent];
  for (const agent of agents) await agent.openStream();
  assert.equal(new Set(running.companion.links.all.map((link) => link.id)).size, 2);
  for (const [index, agent] of agents.entries()) {
    await agent.call('openDiff', { filePath: join(running.world.workspace, `${index}`), newContent: 'x' });
  }
  await send(running.companion.port, { method: 'DELETE', headers: agents[0].headers });
  assert.deepEqual(
    running.companion.desk.reviews.map((review) => review.path),
    [join(running.world.workspace, '1')],
  );
});

/** An editor in which every review is decided the moment it is shown. */
class Eager extends MemoryEditor {
  override showReview(review: Review): void {
    super.showReview(review);
    assert.ok(this.host.decide(review.id, { kind: 'accept', text: 'decided at once\n' }).ok);
  }
}

test('[CLA-7] [GEM-9] a decision made while the review is being shown reaches its agent once', async (t) => {
  const world = createWorld(t);
  const path = world.file('a.txt', 'hello\n');
  const running = await startCompanion(t, { world, editor: new Eager({ folders: [world.workspace] }) });
  const claude = await socket(t, running).connect();
  for (const tab of ['one', 'one', 'two']) {
    const id = askForDiff(claude, path, tab);
    const answer = await until('the answer', () => claude.answerTo(id));
    assert.deepEqual(
      answer.result.content.map((block: { text: string }) => block.text),
      ['FILE_SAVED', 'decided at once\n'],
    );
  }
  for (const dialect of ['gemini', 'qwen']) {
    const agent = await http(t, running, dialect).connect();
    assert.deepEqual((await agent.call('openDiff', { filePath: path, newContent: 'x' })).result.content, []);
    await until('the decision', () => agent.notified('ide/diffAccepted').length > 0);
    // Nothing is open any more, so there is nothing to close and nothing to answer.
    const closed = await agent.call('closeDiff', { filePath: path });
    assert.deepEqual(JSON.parse(closed.result.content[0].text), { content: null });
    assert.deepEqual(agent.notified('ide/diffAccepted'), [{ filePath: path, content: 'decided at once\n' }]);
    assert.deepEqual(agent.notified('ide/diffRejected'), []);
  }
  assert.equal(running.editor.shown.size, 0);
});

test('what is sent to a link in the moment it goes harms nobody', async (t) => {
  const running = await startCompanion(t);
  const neighbours = await neighboursOf(t, running);
  const path = running.world.file('a.txt', 'hello\n');
  const agents = [await http(t, running).connect(), await http(t, running, 'qwen').connect()];
  const claude = await socket(t, running).connect();
  const links = running.companion.links.all.slice(-3); // still in the hands of somebody, such as a command
  assert.deepEqual(
    links.map((link) => link.agent.id),
    ['gemini', 'qwen', 'claude'],
  );
  for (const agent of agents) await send(running.companion.port, { method: 'DELETE', headers: agent.headers });
  claude.socket.terminate();
  await until('the links to be gone', () => running.companion.links.size === 3);
  for (const link of links) {
    link.mention?.({ path, text: '' });
    link.context(running.companion.context);
  }
  await neighbours.work(); // a rejection that nobody handles would have ended this process by now
});

test('a message that makes the protocol library throw does not get out of the transport', async () => {
  // On older versions of Node a deeply nested message overflows the stack inside the library.
  const raw = new EventEmitter() as EventEmitter & { send(text: string): void; readyState: number; OPEN: number };
  const sent: string[] = [];
  Object.assign(raw, { send: (text: string) => sent.push(text), readyState: 1, OPEN: 1 });
  const transport = new WebSocketTransport(raw as unknown as WebSocket);
  const errors: Error[] = [];
  transport.onerror = (error) => errors.push(error);
  transport.onmessage = () => {
    throw new RangeError('Maximum call stack size exceeded');
  };
  await transport.start();
  raw.emit('message', Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}'));
  assert.equal(errors.length, 1);
});

test('stopping with a crowd of half-made connections ends them all and does not wait for them', async (t) => {
  const running = await startCompanion(t);
  const { port } = running.companion;
  const agent = await http(t, running).connect();
  const claude = await socket(t, running).connect();
  claude.socket.pause();
  const crowd = [
    new RawSocket(t, port),
    new RawSocket(t, port, 'POST /mcp HTTP/1.1\r\n'),
    new RawSocket(t, port, upgradeHead(port, running.token('claude'))),
    new RawSocket(
      t,
      port,
      `${head('POST /mcp', { Host: `127.0.0.1:${port}`, ...agent.headers, 'content-length': '1000' })}{`,
    ),
  ];
  await until('the crowd', () => crowd.every((each) => each.connected));
  const control = controlOf(running.world.home, port);
  assert.equal((await control.ask('status')).status, 200);
  await running.companion.stop();
  await until('the end of all', () => crowd.every((each) => each.closed));
  assert.equal(agent.streamEnded, 'clean');
});
