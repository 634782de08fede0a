import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { until } from '../../../test/support/world.ts';
import { answers, isAlive, isPort } from '../src/discovery/process.ts';

test('a process is alive until it has ended, also where nobody collects it', {
  skip: process.platform !== 'linux' && 'needs /proc',
}, async (t) => {
  assert.ok(isAlive(process.pid));
  assert.ok(isAlive(1), 'one of another user counts');
  // Whatever the shell becomes never waits for the child that it started: a zombie, once it has ended.
  const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.after(() => parent.kill('SIGKILL'));
  const [line] = await once(parent.stdout, 'data');
  const zombie = Number(String(line).trim());
  await until('the child has ended', () => !isAlive(zombie));
  assert.doesNotThrow(() => process.kill(zombie, 0), 'a signal still reaches it');
});

test('a port answers, refuses, or is none', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  assert.ok(await answers(port));
  server.close();
  await once(server, 'close');
  t.diagnostic(`port ${port}`);
  assert.ok(!(await answers(port)));
  for (const none of [0, -1, 65536, 1.5, Number.NaN, '80', undefined]) assert.ok(!isPort(none));
});
