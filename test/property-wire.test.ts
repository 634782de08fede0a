import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { controlOf } from './support/control.ts';
import { hostileCommand, hostileText } from './support/hostile.ts';
import { HttpAgent, type Reply, send } from './support/http-agent.ts';
import { Neighbours } from './support/neighbours.ts';
import { SocketAgent } from './support/socket-agent.ts';
import { type Running, startCompanion, until } from './support/world.ts';

const RUNS = 60;
const messages = { minLength: 1, maxLength: 12 } as const;

/** Resolves with the answer; one that never comes is a failure that names the message. */
async function answered(body: string, work: Promise<Reply>): Promise<Reply> {
  let timer: NodeJS.Timeout | undefined;
  const never = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer to ${body.slice(0, 300)}`)), 4000);
  });
  try {
    return await Promise.race([work, never]);
  } finally {
    clearTimeout(timer);
  }
}

/** After all of it: nothing was logged that is an error or holds a token. */
function quiet(running: Running): void {
  const secrets = [
    ...['gemini', 'qwen', 'claude'].map(running.token),
    controlOf(running.world.home, running.companion.port).token,
  ];
  for (const line of running.logged) {
    assert.ok(!line.startsWith('error'), line);
    assert.ok(!secrets.some((secret) => line.includes(secret)), 'a token in the log');
  }
}

async function world(t: TestContext): Promise<{ running: Running; neighbours: Neighbours }> {
  const running = await startCompanion(t);
  running.world.file('a.txt', 'hello\n');
  const neighbours = await Neighbours.connect(t, { port: running.companion.port, ...running });
  return { running, neighbours };
}

for (const dialect of ['gemini', 'qwen']) {
  test(`[GEM-4] [ALL-8] ${dialect}: random JSON-RPC over HTTP is always answered, harms nobody and leaves nothing`, async (t) => {
    const { running, neighbours } = await world(t);
    const { companion } = running;
    await fc.assert(
      fc.asyncProperty(
        fc.array(hostileText(running.world.workspace), messages),
        fc.boolean(),
        async (texts, polite) => {
          const agent = new HttpAgent(companion.port, running.token(dialect));
          try {
            if (polite) await agent.connect();
            else await agent.initialize();
            for (const body of texts) {
              const reply = await answered(body, send(companion.port, { headers: agent.headers, body }));
              assert.ok(
                [200, 202, 400].includes(reply.status),
                `${reply.status} ${reply.text} to ${body.slice(0, 300)}`,
              );
              if (reply.status !== 202)
                assert.notEqual(reply.json, undefined, `${reply.text} to ${body.slice(0, 300)}`);
            }
            await send(companion.port, { method: 'DELETE', headers: agent.headers });
          } finally {
            agent.drop();
          }
          await until('the link to be gone', () => companion.links.size === 3);
          assert.deepEqual(companion.desk.reviews, []);
          await neighbours.work();
        },
      ),
      { numRuns: RUNS, interruptAfterTimeLimit: 8_000 },
    );
    quiet(running);
  });
}

test('[CLA-1] [ALL-8] claude: random JSON-RPC over a WebSocket never silences it, harms nobody and leaves nothing', async (t) => {
  const { running, neighbours } = await world(t);
  const { companion } = running;
  await fc.assert(
    fc.asyncProperty(fc.array(hostileText(running.world.workspace), messages), fc.boolean(), async (texts, polite) => {
      const agent = new SocketAgent(companion.port, running.token('claude'));
      try {
        await agent.opened;
        if (polite) await agent.connect();
        for (const text of texts) {
          agent.socket.send(text);
          // Only an answer to our own ping shows that the link still serves; the ids of the noise may be anything.
          const ping = `ping-${Math.random()}`;
          agent.socket.send(JSON.stringify({ jsonrpc: '2.0', id: ping, method: 'ping' }));
          await until(`a pong after ${text.slice(0, 300)}`, () => {
            assert.equal(agent.closed, undefined, `closed after ${text.slice(0, 300)}`);
            return agent.received.some((message) => message?.id === ping && message.result);
          });
        }
      } finally {
        agent.socket.terminate();
      }
      await until('the link to be gone', () => companion.links.size === 3 && companion.desk.reviews.length === 0);
      await neighbours.work();
    }),
    { numRuns: RUNS, interruptAfterTimeLimit: 8_000 },
  );
  quiet(running);
});

test('[CLA-1] claude: random bytes in place of frames close at most that one WebSocket', async (t) => {
  const { running, neighbours } = await world(t);
  const { companion } = running;
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
      const agent = new SocketAgent(companion.port, running.token('claude'));
      try {
        await agent.opened;
        const raw = (agent.socket as unknown as { _socket: { end(bytes: Uint8Array): void } })._socket;
        raw.end(bytes);
        await until('the end', () => agent.closed);
      } finally {
        agent.socket.terminate();
      }
      await until('the link to be gone', () => companion.links.size === 3);
      await neighbours.work();
    }),
    { numRuns: RUNS / 2, interruptAfterTimeLimit: 8_000 },
  );
  quiet(running);
});

test('random input to the control endpoint is answered with a result or a reason, never with a 500', async (t) => {
  const { running, neighbours } = await world(t);
  const { companion } = running;
  const { token } = controlOf(running.world.home, companion.port);
  const gemini = await new HttpAgent(companion.port, running.token('gemini')).connect();
  t.after(() => gemini.drop());
  await fc.assert(
    fc.asyncProperty(fc.array(hostileCommand(running.world.workspace), messages), async (commands) => {
      // Something to decide about.
      await gemini.call('openDiff', { filePath: `${running.world.workspace}/a.txt`, newContent: 'x' });
      for (const { verb, body } of commands) {
        const headers = { authorization: `Bearer ${token}` };
        const path = `/control/${verb}`;
        const reply = await answered(`${verb} ${body}`, send(companion.port, { path, headers, body }));
        assert.ok(reply.status < 500, `${reply.status} ${reply.text} to ${verb} ${body.slice(0, 300)}`);
        if (reply.status !== 200) assert.equal(typeof reply.json.error, 'string');
      }
      companion.desk.withdrawAll('answered in the terminal');
      await neighbours.work();
    }),
    { numRuns: RUNS, interruptAfterTimeLimit: 8_000 },
  );
  quiet(running);
});
