import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { controlOf } from './support/control.ts';
import { HttpAgent, type Reply, send } from './support/http-agent.ts';
import { Neighbours } from './support/neighbours.ts';
import { head, RawSocket } from './support/raw-socket.ts';
import { SocketAgent } from './support/socket-agent.ts';
import { type Running, startCompanion, until } from './support/world.ts';

const LIMIT = 4096;
const PING = { jsonrpc: '2.0', id: 'ping', method: 'ping' };

async function connected(t: TestContext, running: Running, dialect: string): Promise<HttpAgent> {
  const agent = await new HttpAgent(running.companion.port, running.token(dialect)).connect();
  t.after(() => agent.drop());
  return agent;
}

async function socketed(t: TestContext, running: Running): Promise<SocketAgent> {
  const agent = await new SocketAgent(running.companion.port, running.token('claude')).connect();
  t.after(() => agent.socket.terminate());
  return agent;
}

function neighboursOf(t: TestContext, running: Running): Promise<Neighbours> {
  return Neighbours.connect(t, { port: running.companion.port, ...running });
}

/** The answer to a body as it is; a POST that nobody answers is a failure and not a long wait. */
async function post(agent: HttpAgent, body: string | Buffer): Promise<Reply> {
  let reply: Reply | undefined;
  let failed: Error | undefined;
  send(agent.port, { headers: agent.headers, body }).then(
    (value) => {
      reply = value;
    },
    (error: Error) => {
      failed = error;
    },
  );
  return until(`an answer to ${body.toString().slice(0, 100)}`, () => {
    if (failed) throw failed;
    return reply;
  });
}

for (const dialect of ['gemini', 'qwen']) {
  test(`[ALL-11] ${dialect}: a message over the limit gets 413, the session and the others go on`, async (t) => {
    const running = await startCompanion(t, { limits: { messageBytes: LIMIT } });
    const neighbours = await neighboursOf(t, running);
    const agent = await connected(t, running, dialect);
    const ofSize = (bytes: number) => {
      const frame = JSON.stringify({ ...PING, params: { pad: '' } }).length;
      return JSON.stringify({ ...PING, params: { pad: 'x'.repeat(bytes - frame) } });
    };
    assert.equal((await post(agent, ofSize(LIMIT))).status, 200);
    const reply = await post(agent, ofSize(LIMIT + 1));
    assert.equal(reply.status, 413);
    assert.match(reply.json.error.message, new RegExp(`larger than ${LIMIT} bytes`));
    assert.deepEqual((await agent.request('ping')).json.result, {});
    await neighbours.work();
  });

  test(`[ALL-11] ${dialect}: a message over the limit that comes in chunks without a length gets 413`, async (t) => {
    const running = await startCompanion(t, { limits: { messageBytes: LIMIT } });
    const agent = await connected(t, running, dialect);
    const { port } = running.companion;
    const { 'content-type': type, ...headers } = agent.headers;
    const socket = new RawSocket(
      t,
      port,
      head('POST /mcp', {
        Host: `127.0.0.1:${port}`,
        'Transfer-Encoding': 'chunked',
        ...headers,
        'content-type': type,
      }),
    );
    for (let sent = 0; sent <= LIMIT; sent += 1024) socket.write(`400\r\n${'x'.repeat(1024)}\r\n`);
    await until('413', () => socket.status === 413);
    assert.match(socket.received, /larger than 4096 bytes/);
    assert.deepEqual((await agent.request('ping')).json.result, {});
  });

  test(`${dialect}: truncated, non-JSON and empty bodies get 400 and say why; the session goes on`, async (t) => {
    const running = await startCompanion(t);
    const neighbours = await neighboursOf(t, running);
    const agent = await connected(t, running, dialect);
    const whole = JSON.stringify(PING);
    const bodies = [
      '',
      ' ',
      whole.slice(0, -1),
      `${whole}x`,
      whole + whole,
      'GET / HTTP/1.1',
      '<xml/>',
      'undefined',
      '{"jsonrpc":"2.0"',
      Buffer.from([0xff, 0xfe, 0x00]),
      Buffer.alloc(16),
    ];
    for (const body of bodies) {
      const reply = await post(agent, body);
      assert.equal(reply.status, 400, JSON.stringify(body.toString()));
      assert.equal(reply.json.error.code, -32700);
      assert.match(reply.json.error.message, /not JSON/);
    }
    assert.deepEqual((await agent.request('ping')).json.result, {});
    await neighbours.work();
  });

  test(`${dialect}: a body that ends before its announced length is dropped and nothing is done`, async (t) => {
    const running = await startCompanion(t);
    const agent = await connected(t, running, dialect);
    const { port } = running.companion;
    const call = JSON.stringify({
      jsonrpc: '2.0',
      id: 'cut',
      method: 'tools/call',
      params: { name: 'openDiff', arguments: { filePath: join(running.world.workspace, 'cut'), newContent: 'x' } },
    });
    const headers = { Host: `127.0.0.1:${port}`, ...agent.headers, 'content-length': String(call.length + 10) };
    const socket = new RawSocket(t, port, head('POST /mcp', headers) + call);
    socket.socket.end();
    await until('the end of the connection', () => socket.closed);
    assert.deepEqual((await agent.request('ping')).json.result, {});
    assert.deepEqual(running.companion.desk.reviews, []);
  });

  test(`${dialect}: JSON that is no JSON-RPC request gets an error -32600 and is not left waiting`, async (t) => {
    const running = await startCompanion(t);
    const neighbours = await neighboursOf(t, running);
    const agent = await connected(t, running, dialect);
    for (const message of NOT_JSON_RPC) {
      const reply = await post(agent, message);
      assert.equal(reply.status, 400, `${message}: ${reply.text}`);
      assert.equal(reply.json.error.code, -32600, message);
      assert.ok(reply.json.error.message, message);
    }
    assert.deepEqual((await agent.request('ping')).json.result, {});
    await neighbours.work();
  });

  test(`[GEM-4] ${dialect}: a batch is answered as a batch, an empty or mixed-up one is refused`, async (t) => {
    const running = await startCompanion(t);
    const agent = await connected(t, running, dialect);
    const both = [PING, { ...PING, id: 2, method: 'no/such/method' }, { jsonrpc: '2.0', method: 'notifications/none' }];
    const answers = (await post(agent, JSON.stringify(both))).json;
    assert.deepEqual(new Set(answers.map((answer: { id: unknown }) => answer.id)), new Set(['ping', 2]));
    for (const batch of [
      '[]',
      '[[]]',
      `[${JSON.stringify(PING)},5]`,
      `[${JSON.stringify(PING)},${JSON.stringify(PING)}]`,
    ]) {
      const reply = await post(agent, batch);
      assert.equal(reply.status, 400, batch);
      assert.equal(reply.json.error.code, -32600, batch);
    }
    assert.deepEqual((await agent.request('ping')).json.result, {});
  });

  test(`[GEM-4] ${dialect}: unknown methods and tools get an error with their id; unknown notifications get 202`, async (t) => {
    const running = await startCompanion(t);
    const agent = await connected(t, running, dialect);
    for (const method of [
      'no/such/method',
      '',
      '__proto__',
      'constructor',
      'tools/callx',
      'resources/list',
      'prompts/get',
    ]) {
      const { json } = await post(agent, JSON.stringify({ jsonrpc: '2.0', id: `m${method}`, method }));
      assert.equal(json.id, `m${method}`);
      assert.equal(json.error.code, -32601, method);
    }
    for (const name of ['noSuchTool', '__proto__', 'constructor', '']) {
      const { error } = await agent.call(name, {});
      assert.equal(error.code, -32602, name);
      assert.match(error.message, /there is no tool/);
    }
    const notification = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/what' });
    assert.equal((await post(agent, notification)).status, 202);
  });

  test(`[GEM-4] ${dialect}: a session id that is missing or malformed gets 400 and names the header`, async (t) => {
    const running = await startCompanion(t);
    const agent = await connected(t, running, dialect);
    for (const id of [undefined, '', 'a b', 'x'.repeat(129), 'é']) {
      const headers: Record<string, string> = { ...agent.headers };
      delete headers['mcp-session-id'];
      if (id !== undefined) headers['mcp-session-id'] = id;
      const reply = await send(agent.port, { headers, body: JSON.stringify(PING) });
      assert.equal(reply.status, 400, String(id));
      assert.match(reply.json.error.message, /Mcp-Session-Id/);
    }
    assert.equal(running.companion.links.size, 1);
  });

  test(`[GEM-4] ${dialect}: an id that is still being answered is refused, a used one may come again`, async (t) => {
    const running = await startCompanion(t);
    const agent = await connected(t, running, dialect);
    const [first, second] = await Promise.all([post(agent, JSON.stringify(PING)), post(agent, JSON.stringify(PING))]);
    for (const reply of [first, second]) assert.ok(reply.status === 200 || reply.status === 400, reply.text);
    assert.equal((await post(agent, JSON.stringify(PING))).status, 200);
  });
}

/** Each is JSON, and none may be left without an answer. */
const NOT_JSON_RPC = [
  'null',
  '5',
  '"x"',
  'true',
  '{}',
  '{"id":1,"method":"ping"}',
  '{"jsonrpc":"1.0","id":1,"method":"ping"}',
  '{"jsonrpc":2.0,"id":1,"method":"ping"}',
  '{"jsonrpc":"2.0","id":1}',
  '{"jsonrpc":"2.0","id":1,"method":5}',
  '{"jsonrpc":"2.0","id":null,"method":"ping"}',
  '{"jsonrpc":"2.0","id":true,"method":"ping"}',
  '{"jsonrpc":"2.0","id":{},"method":"ping"}',
  '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
  '{"jsonrpc":"2.0","id":1e400,"method":"ping"}',
  '{"jsonrpc":"2.0","id":1,"method":"ping","params":5}',
  '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
  '{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}',
  '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":5}}',
  '{"__proto__":{"jsonrpc":"2.0","method":"ping"},"id":1}',
];

test('[CLA-1] over a WebSocket, JSON that is no JSON-RPC message is answered with -32600 and the link goes on', async (t) => {
  const running = await startCompanion(t);
  const neighbours = await neighboursOf(t, running);
  const agent = await socketed(t, running);
  for (const message of NOT_JSON_RPC) {
    agent.received.length = 0;
    agent.socket.send(message);
    await agent.request('ping');
    const [answer] = agent.received;
    assert.equal(answer?.error?.code, -32600, `${message}: ${JSON.stringify(answer)}`);
    const { id } = JSON.parse(message) ?? {};
    if (Number.isInteger(id)) assert.equal(answer.id, id, message);
  }
  await neighbours.work();
});

test('[CLA-1] over a WebSocket, what is not JSON is answered with -32700 and the link goes on', async (t) => {
  const running = await startCompanion(t);
  const neighbours = await neighboursOf(t, running);
  const agent = await socketed(t, running);
  for (const message of ['', 'x', '{"jsonrpc":"2.0"', 'GET / HTTP/1.1\r\n\r\n', Buffer.from([0xff, 0x00])]) {
    agent.received.length = 0;
    agent.socket.send(message);
    await agent.request('ping');
    assert.equal(agent.received[0]?.error?.code, -32700, message.toString());
  }
  await neighbours.work();
});

test('[CLA-1] over a WebSocket, unknown methods and tools get an error with their id', async (t) => {
  const running = await startCompanion(t);
  const agent = await socketed(t, running);
  for (const method of ['no/such/method', '__proto__', 'constructor', 'resources/list']) {
    assert.equal((await agent.request(method)).error.code, -32601, method);
  }
  for (const name of ['noSuchTool', '__proto__', 'executeCodex']) {
    const { error } = await agent.call(name);
    assert.equal(error.code, -32602);
    assert.match(error.message, /there is no tool/);
  }
  agent.notify('no/such/notification', { x: 1 });
  assert.deepEqual((await agent.request('ping')).result, {});
});

test('[CLA-1] [ALL-11] over a WebSocket, a message over the limit closes that link with 1009 and no other', async (t) => {
  const running = await startCompanion(t, { limits: { messageBytes: LIMIT } });
  const neighbours = await neighboursOf(t, running);
  const agent = await socketed(t, running);
  agent.socket.send(JSON.stringify({ ...PING, params: { pad: 'x'.repeat(LIMIT) } }));
  const { code } = await until('the close frame', () => agent.closed);
  assert.equal(code, 1009);
  await neighbours.work();
  await (await socketed(t, running)).request('ping');
});

test('[CLA-1] over a WebSocket, broken frames close that link and no other', async (t) => {
  const running = await startCompanion(t);
  const neighbours = await neighboursOf(t, running);
  const frames = [
    [0x81, 0x02, 0x78, 0x78], // not masked
    [0x83, 0x80, 0, 0, 0, 0], // an opcode that does not exist
    [0xf1, 0x80, 0, 0, 0, 0], // reserved bits
    [0x81, 0x81, 0, 0, 0, 0, 0xff], // text that is not UTF-8
    [0x89, 0xfe, 0xff, 0xff, 0, 0, 0, 0], // a ping longer than pings may be
    [0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], // longer than any memory
  ];
  for (const frame of frames) {
    const agent = await socketed(t, running);
    const before = running.companion.links.size;
    // biome-ignore lint/suspicious/noExplicitAny: the bytes below the library
    (agent.socket as any)._socket.write(Buffer.from(frame));
    const { code } = await until('the close frame', () => agent.closed);
    assert.ok([1002, 1006, 1007, 1009].includes(code), `${frame}: ${code}`);
    await until('the link to be gone', () => running.companion.links.size === before - 1);
  }
  await neighbours.work();
});

test('deep nesting, huge ids and prototype keys are answered like any other message', async (t) => {
  const running = await startCompanion(t);
  const neighbours = await neighboursOf(t, running);
  const http = await connected(t, running, 'gemini');
  const socket = await socketed(t, running);
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const messages = [
    `{"jsonrpc":"2.0","id":"a","method":"x","params":{"deep":${deep}}}`,
    `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"openDiff","arguments":{"filePath":${deep}}}}`,
    `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":${deep}}}`,
    `{"jsonrpc":"2.0","id":"a","deep":${deep}}`,
    `{"jsonrpc":"2.0","id":${deep},"method":"ping"}`,
    `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"closeDiff","arguments":{"__proto__":{"filePath":"/x"}}}}`,
    `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"closeDiff","arguments":{"constructor":1}}}`,
  ];
  for (const message of messages) {
    const reply = await post(http, message);
    assert.ok(reply.json.error, message.slice(0, 80));
    assert.ok(reply.status < 500, `${reply.status} ${message.slice(0, 80)}`);
    socket.received.length = 0;
    socket.socket.send(message);
    await until('an error', () => socket.received.some((answer) => answer.error));
    assert.deepEqual((await socket.request('ping')).result, {});
  }
  const id = 'x'.repeat(100_000);
  assert.equal((await post(http, JSON.stringify({ ...PING, id }))).json.id, id);
  await neighbours.work();
});

test('the control endpoint answers bad input with a 4xx that says why, and goes on', async (t) => {
  const running = await startCompanion(t, { limits: { messageBytes: LIMIT } });
  const neighbours = await neighboursOf(t, running);
  const { port } = running.companion;
  const control = controlOf(running.world.home, port);
  const headers = { authorization: `Bearer ${control.token}` };
  const cases: [path: string, body: string | undefined, status: number, why: RegExp][] = [
    ['/control/status', '', 400, /not JSON/],
    ['/control/status', '{', 400, /not JSON/],
    ['/control/status', 'null', 400, /input/],
    ['/control/status', '[]', 400, /input/],
    ['/control/status', `"${'x'.repeat(LIMIT)}"`, 413, /larger than 4096/],
    ['/control/nothing', '{}', 404, /no such command/],
    ['/control/', '{}', 404, /no such command/],
    ['/control/constructor', '{}', 404, /no such command/],
    ['/control/__proto__', '{}', 404, /no such command/],
    ['/control/toString', '{}', 404, /no such command/],
    ['/control/hasOwnProperty', '{}', 404, /no such command/],
    ['/control/../mcp', '{}', 404, /no such command/],
  ];
  for (const [path, body, status, why] of cases) {
    const reply = await send(port, { path, headers, ...(body === undefined ? {} : { body }) });
    assert.equal(reply.status, status, `${path} ${body?.slice(0, 20)}: ${reply.text}`);
    assert.match(reply.json.error, why, path);
  }
  assert.equal((await control.ask('status')).status, 200);
  assert.deepEqual(
    running.logged.filter((line) => line.startsWith('error')),
    [],
  );
  await neighbours.work();
});

test('broken HTTP is answered with an error and no other connection notices', async (t) => {
  const running = await startCompanion(t);
  const neighbours = await neighboursOf(t, running);
  const { port } = running.companion;
  const host = `Host: 127.0.0.1:${port}\r\n`;
  const broken: [request: string, status: number][] = [
    ['hello\r\n\r\n', 400],
    ['GET\r\n\r\n', 400],
    [`POST /mcp HTTP/1.1\r\n${host}Content-Length: x\r\n\r\n`, 400],
    [`POST /mcp HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    [`POST /mcp HTTP/1.1\r\n${host}X: \x00\r\n\r\n`, 400],
    [`GET /${'x'.repeat(64 * 1024)} HTTP/1.1\r\n${host}\r\n`, 431],
    [`GET / HTTP/1.1\r\n${host}X: ${'x'.repeat(64 * 1024)}\r\n\r\n`, 431],
    ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400], // somebody tries TLS
  ];
  for (const [request, status] of broken) {
    const socket = new RawSocket(t, port, request);
    assert.equal(
      await socket.ended(JSON.stringify(request.slice(0, 40))),
      status,
      JSON.stringify(request.slice(0, 60)),
    );
  }
  await neighbours.work();
});
