import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { controlOf } from './support/control.ts';
import { send } from './support/http-agent.ts';
import { Neighbours } from './support/neighbours.ts';
import { head, RawSocket, upgradeHead } from './support/raw-socket.ts';
import { type Running, startCompanion } from './support/world.ts';

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'stranger', version: '1' } },
});

/** The three doors of the one port: what to send there, and with which token it would be let in. */
interface Door {
  readonly name: string;
  readonly token: string;
  /** The status of a request with these headers in place of, or besides, the right ones. */
  knock(headers: Readonly<Record<string, string | undefined>>, token?: string): Promise<number | undefined>;
}

function doors(t: TestContext, running: Running): Door[] {
  const { port } = running.companion;
  const control = controlOf(running.world.home, running.companion.port);
  const http = (name: string, path: string, token: string, body: string): Door => ({
    name,
    token,
    knock: async (headers, given = token) => {
      const socket = new RawSocket(
        t,
        port,
        head(`POST ${path}`, {
          Host: `127.0.0.1:${port}`,
          Authorization: `Bearer ${given}`,
          'Content-Type': 'application/json',
          'Content-Length': String(Buffer.byteLength(body)),
          Connection: 'close',
          ...headers,
        }) + body,
      );
      return answered(running, socket);
    },
  });
  return [
    http('gemini', '/mcp', running.token('gemini'), INITIALIZE),
    http('qwen', '/mcp', running.token('qwen'), INITIALIZE),
    http('control', '/control/status', control.token, '{}'),
    {
      name: 'claude',
      token: running.token('claude'),
      knock: async (headers, given) => {
        const right = running.token('claude');
        const more = { ...headers };
        if ('Authorization' in more) {
          more['x-claude-code-ide-authorization'] = more.Authorization?.replace('Bearer ', '');
          delete more.Authorization;
        }
        const socket = new RawSocket(t, port, upgradeHead(port, given ?? right, more));
        return answered(running, socket);
      },
    },
  ];
}

async function answered(running: Running, socket: RawSocket): Promise<number | undefined> {
  const status = await new Promise<number | undefined>((resolve) => {
    const look = () => socket.status !== undefined && resolve(socket.status);
    socket.socket.on('data', look);
    socket.socket.on('close', () => resolve(socket.status));
  });
  for (const secret of secretsOf(running)) assert.ok(!socket.received.includes(secret), 'a token in an answer');
  socket.socket.destroy();
  return status;
}

function secretsOf(running: Running): string[] {
  return [
    ...['gemini', 'qwen', 'claude'].map(running.token),
    controlOf(running.world.home, running.companion.port).token,
  ];
}

function nothingHappened(running: Running, links: number): void {
  assert.equal(running.companion.links.size, links);
  assert.equal(running.companion.desk.reviews.length, 0);
  assert.deepEqual(
    running.logged.filter((line) => !line.startsWith('debug')),
    [],
  );
}

test('[ALL-2] the right token opens every door', async (t) => {
  const running = await startCompanion(t);
  for (const door of doors(t, running)) {
    assert.equal(await door.knock({}), door.name === 'claude' ? 101 : 200, door.name);
  }
});

test('[ALL-2] a wrong or missing token gets 401 at every door, nothing happens, nothing with a token is logged', async (t) => {
  const running = await startCompanion(t);
  const neighbours = await Neighbours.connect(t, { port: running.companion.port, ...running });
  const all = doors(t, running);
  for (const door of all) {
    const others = all.filter((other) => other !== door).map((other) => other.token);
    // Gemini and Qwen share a door, where each other's token is a right one.
    const foreign = others.filter((token) => door.name === 'claude' || door.name === 'control' || !isMcp(token));
    const wrong = [...foreign, 'x', door.token.slice(1), `${door.token}0`, door.token.toUpperCase(), `${door.token}é`];
    for (const token of wrong) assert.equal(await door.knock({}, token), 401, `${door.name}: ${token.slice(0, 4)}…`);
    for (const value of [undefined, '', 'Bearer', 'Bearer ', 'Basic eDp5', 'x']) {
      assert.equal(await door.knock({ Authorization: value }), 401, `${door.name}: Authorization ${value}`);
    }
  }
  function isMcp(token: string): boolean {
    return token === running.token('gemini') || token === running.token('qwen');
  }
  nothingHappened(running, 3);
  for (const secret of secretsOf(running)) {
    assert.ok(!running.logged.some((line) => line.includes(secret)), 'a token in the log');
  }
  await neighbours.work();
});

test('[ALL-2] the token is asked for on every request of a session, not just the first', async (t) => {
  const running = await startCompanion(t);
  const { port } = running.companion;
  const headers = { authorization: `Bearer ${running.token('gemini')}`, 'content-type': 'application/json' };
  const begun = await send(port, { headers, body: INITIALIZE });
  const session = { 'mcp-session-id': String(begun.headers['mcp-session-id']) };
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });
  assert.equal((await send(port, { headers: session, body: ping })).status, 401);
  assert.equal((await send(port, { headers: { ...session, accept: 'text/event-stream' }, method: 'GET' })).status, 401);
  assert.equal((await send(port, { headers: session, method: 'DELETE' })).status, 401);
  assert.equal((await send(port, { headers: { ...headers, ...session }, body: ping })).status, 200);
});

test('[ALL-2] a session cannot be continued with the token of another dialect', async (t) => {
  const running = await startCompanion(t);
  const gemini = await Neighbours.connect(t, { port: running.companion.port, ...running }, ['gemini']);
  const [link] = running.companion.links.all;
  assert.ok(link);
  // Qwen's token with Gemini's session id is another session of the same name, and Gemini's stays as it is.
  const headers = { authorization: `Bearer ${running.token('qwen')}`, 'mcp-session-id': link.session };
  await send(running.companion.port, { method: 'DELETE', headers });
  assert.equal(running.companion.links.all[0], link);
  await gemini.work();
});

test('[ALL-2] a long body behind a wrong token does not keep the clear answer from arriving', async (t) => {
  const running = await startCompanion(t);
  const reply = await send(running.companion.port, {
    headers: { authorization: 'Bearer wrong' },
    body: Buffer.alloc(4 * 1024 * 1024, 'x'),
  });
  assert.equal(reply.status, 401);
  assert.match(reply.json.error, /token/);
});

test('[ALL-2] a log line never holds a token, not even a piece of one that was cut', async (t) => {
  const running = await startCompanion(t);
  const { port } = running.companion;
  const token = running.token('gemini');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const begun = await send(port, { headers, body: INITIALIZE });
  const session = { ...headers, 'mcp-session-id': String(begun.headers['mcp-session-id']) };
  // An answer to nothing is logged, cut to a length; slide the token over every place where it can be cut.
  for (let pad = 0; pad < 220; pad += 20) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'x'.repeat(pad), result: { note: token } });
    assert.equal((await send(port, { headers: session, body })).status, 202);
  }
  const pieces = Array.from({ length: token.length - 16 }, (_, at) => token.slice(at, at + 16));
  const leaks = running.logged.filter((line) => pieces.some((piece) => line.includes(piece)));
  assert.deepEqual(leaks, []);
});

test('[ALL-3] a request with an Origin gets 403 at every door, with the right token too', async (t) => {
  const running = await startCompanion(t);
  const neighbours = await Neighbours.connect(t, { port: running.companion.port, ...running });
  for (const door of doors(t, running)) {
    for (const Origin of ['https://evil.com', 'null', `http://127.0.0.1:${running.companion.port}`]) {
      assert.equal(await door.knock({ Origin }), 403, `${door.name}: ${Origin}`);
      assert.equal(await door.knock({ Origin }, 'wrong'), 403, `${door.name}: ${Origin}, wrong token`);
    }
  }
  nothingHappened(running, 3);
  await neighbours.work();
});

test('[ALL-3] a foreign Host gets 403 at every door, with the right token and the right port too', async (t) => {
  const running = await startCompanion(t);
  const neighbours = await Neighbours.connect(t, { port: running.companion.port, ...running });
  const { port } = running.companion;
  const hosts = [
    'evil.com',
    `evil.com:${port}`,
    `localhost.evil.com:${port}`,
    `127.0.0.1:${port + 1}`,
    'localhost',
    '',
  ];
  for (const door of doors(t, running)) {
    for (const Host of hosts) assert.equal(await door.knock({ Host }), 403, `${door.name}: ${Host}`);
    for (const Host of [`localhost:${port}`, `[::1]:${port}`]) {
      assert.notEqual(await door.knock({ Host }), 403, `${door.name}: ${Host}`);
    }
  }
  await neighbours.work();
});

test('[ALL-3] a request without a Host is refused', async (t) => {
  const running = await startCompanion(t);
  const { port } = running.companion;
  for (const door of doors(t, running)) {
    const status = await door.knock({ Host: undefined });
    assert.ok(status === 403 || status === 400, `${door.name}: ${status}`); // 400 is what HTTP/1.1 itself says to that
  }
  const old = new RawSocket(t, port, `POST /mcp HTTP/1.0\r\nAuthorization: Bearer ${running.token('gemini')}\r\n\r\n`);
  assert.equal(await old.ended('the answer to HTTP/1.0'), 403);
  nothingHappened(running, 0);
});

test('[ALL-3] a container name is a foreign Host until the user opts in', async (t) => {
  const closed = await startCompanion(t);
  const open = await startCompanion(t, { hostNames: ['host.docker.internal'] });
  for (const [running, expected] of [
    [closed, 403],
    [open, 200],
  ] as const) {
    const headers = {
      authorization: `Bearer ${running.token('gemini')}`,
      host: `host.docker.internal:${running.companion.port}`,
    };
    assert.equal((await send(running.companion.port, { headers, body: INITIALIZE })).status, expected);
  }
});

test('[ALL-3] the absolute form of a request does not get around the Host check', async (t) => {
  const running = await startCompanion(t);
  const { port } = running.companion;
  const request = head(`POST http://127.0.0.1:${port}/mcp`, {
    Host: `evil.com:${port}`,
    Authorization: `Bearer ${running.token('gemini')}`,
    'Content-Length': String(INITIALIZE.length),
    Connection: 'close',
  });
  const socket = new RawSocket(t, port, request + INITIALIZE);
  assert.equal(await socket.ended('an answer'), 403);
});

test('a path that leads nowhere gets 404, and a wrong HTTP method 405, and both say so', async (t) => {
  const running = await startCompanion(t);
  const { port } = running.companion;
  const headers = { authorization: `Bearer ${running.token('gemini')}` };
  for (const path of ['/', '/mcp/', '/MCP', '/mcp/../control/status', '//mcp', '/%6dcp', '/control', '/etc/passwd']) {
    const reply = await send(port, { path, headers, body: INITIALIZE });
    assert.equal(reply.status, 404, path);
    assert.ok(reply.json.error);
  }
  for (const method of ['PUT', 'PATCH', 'HEAD', 'OPTIONS']) {
    assert.equal((await send(port, { method, headers })).status, 405, method);
  }
  const upgrade = new RawSocket(t, port, upgradeHead(port, running.token('claude')).replace('GET /', 'GET /mcp'));
  assert.equal(await upgrade.ended('an answer to an upgrade elsewhere'), 404);
});

test('[CLA-1] an upgrade that is no WebSocket handshake is answered with an error, and the next one works', async (t) => {
  const running = await startCompanion(t);
  const neighbours = await Neighbours.connect(t, { port: running.companion.port, ...running });
  const { port } = running.companion;
  const broken: Record<string, string | undefined>[] = [
    { 'Sec-WebSocket-Key': undefined },
    { 'Sec-WebSocket-Key': 'short' },
    { 'Sec-WebSocket-Version': '7' },
    { Upgrade: 'h2c' },
    { 'Sec-WebSocket-Protocol': ',,,' },
  ];
  for (const headers of broken) {
    const socket = new RawSocket(t, port, upgradeHead(port, running.token('claude'), headers));
    const status = await socket.ended(JSON.stringify(headers));
    assert.ok(status !== undefined && status >= 400 && status < 500, `${JSON.stringify(headers)}: ${status}`);
  }
  await neighbours.work();
});
