// Records what a real daemon sends, for the unit tests of packages/chat. Run: node test/agents/chat/record-frames.ts
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DaemonClient } from '../../../packages/chat/src/daemon/client.ts';
import type { Envelope } from '../../../packages/chat/src/daemon/schema.ts';
import { DaemonSessionClient } from '../../../packages/chat/src/daemon/session-client.ts';
import { SseParser } from '../../../packages/chat/src/daemon/sse.ts';
import { agentPackages, repoRoot } from '../paths.ts';
import { familyOf } from '../processes.ts';
import { waitFor } from '../wait.ts';
import { converse } from './conversation.ts';
import { MODEL_KEY } from './qwen-home.ts';
import { ChatWorld, DAEMON_TOKEN } from './world.ts';

const folder = join(repoRoot, 'packages', 'chat', 'test', 'frames', `qwen-${agentPackages.qwen.version}`);
const world = await ChatWorld.start();
const daemon = world.daemon({ args: ['--port', '0', '--event-ring-size', '300'] });
const url = await daemon.url();
const headers = { authorization: `Bearer ${DAEMON_TOKEN}`, 'content-type': 'application/json' };
mkdirSync(folder, { recursive: true });

/** A listener of our own: what it hears is kept as it is. */
async function listen(id: string, frames: Envelope[], lastId = '0', epoch?: string): Promise<() => void> {
  const stop = new AbortController();
  const more = epoch === undefined ? {} : { 'x-qwen-event-epoch': epoch };
  const response = await fetch(`${url}/session/${id}/events?snapshot=1`, {
    headers: { ...headers, 'last-event-id': lastId, ...more },
    signal: stop.signal,
  });
  void (async () => {
    const parser = new SseParser();
    for await (const chunk of response.body ?? []) {
      for (const { data } of parser.push(chunk)) frames.push(JSON.parse(data) as Envelope);
    }
  })().catch(() => undefined);
  return () => stop.abort();
}

async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${url}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  return response.status === 204 ? undefined : await response.json();
}

function redact(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(world.sandbox.workspace, '/workspace')
    .replaceAll(world.sandbox.home, '/home/user')
    .replaceAll(repoRoot, '/opt')
    .replaceAll(MODEL_KEY, '[key]')
    .replaceAll(`http://127.0.0.1:${world.model.port}`, 'http://model.invalid')
    .replaceAll(/"serverTimestamp":\d+/g, '"serverTimestamp":0');
}

/** The list of commands is long and always the same. */
function shorten(frame: Envelope): Envelope {
  const short = structuredClone(frame) as { data?: { update?: { availableCommands?: unknown[]; _meta?: unknown } } };
  const update = short.data?.update;
  if (update?.availableCommands) {
    update.availableCommands = update.availableCommands.slice(0, 3);
    update._meta = {};
  }
  return short as Envelope;
}

const save = (name: string, lines: readonly unknown[]) =>
  writeFileSync(join(folder, name), lines.map((line) => `${redact(line)}\n`).join(''));

try {
  const talk = world.at(url);
  const frames: Envelope[] = [];
  let hush: Promise<() => void> | undefined;
  talk.connection.subscribe((event) => {
    if (event.type === 'session' && !hush) hush = listen(event.session.id, frames);
  });
  await converse(world, talk);
  const id = talk.connection.session?.id ?? '';
  await talk.connection.setModel('no-such-model').catch(() => undefined);
  await waitFor('the last frame', () => frames.some(({ type }) => type === 'model_switch_failed'));
  (await hush)?.();
  save('conversation.jsonl', frames.map(shorten));

  const loaded = (await ask('POST', `/session/${id}/load`, { approvalMode: 'default' })) as {
    compactedReplay: Envelope[];
  };
  save('load.jsonl', [{ ...loaded, compactedReplay: loaded.compactedReplay.map(shorten) }]);
  save('context.jsonl', [await ask('GET', `/session/${id}/context`)]);
  save('capabilities.jsonl', [await ask('GET', '/capabilities')]);

  // Things that happen to a connection.
  const fates: Envelope[] = [];
  const found = (type: string, session: string) =>
    fates.find((frame) => frame.type === type && JSON.stringify(frame).includes(session));
  const fate = (type: string, session = '') => waitFor(`a ${type} frame`, () => found(type, session));
  (await listen(id, fates, '1', 'another-epoch'))();
  await listen(id, fates, '1', 'another-epoch');
  await fate('state_resync_required');
  const client = new DaemonClient({ url, token: DAEMON_TOKEN });
  const other = await DaemonSessionClient.createOrAttach(client, {
    cwd: world.sandbox.workspace,
    approvalMode: 'default',
  });
  await listen(other.id, fates);
  const path = world.sandbox.path('never.txt');
  world.model.script('fates', [{ call: { name: 'write_file', input: { file_path: path, content: 'x' } } }]);
  await other.prompt([{ type: 'text', text: 'please do fates' }]);
  const asked = await fate('permission_request', other.id);
  save('status.jsonl', [await ask('GET', `/session/${other.id}/status`)]);
  const { requestId } = asked.data as { requestId: string };
  const vote = () => other.respondToPermission(requestId, { cancelled: true });
  await Promise.all([vote(), vote(), vote()]);
  await fate('permission_already_resolved', requestId);
  await ask('DELETE', `/session/${other.id}`);
  await fate('session_closed', other.id);
  const third = await DaemonSessionClient.createOrAttach(client, {
    cwd: world.sandbox.workspace,
    approvalMode: 'default',
  });
  await listen(third.id, fates);
  const children = familyOf(daemon.process.pid ?? 0).filter((pid) => pid !== daemon.process.pid);
  world.sandbox.signal(children, 'SIGKILL');
  await fate('session_died');
  const wanted = /^(state_resync|permission_(already_)?resolved|session_(closed|died|snapshot)|replay_complete)/;
  const kinds = new Map(fates.filter(({ type }) => wanted.test(type)).map((frame) => [frame.type, frame]));
  save('fates.jsonl', [...kinds.values()]);
  console.log(`recorded ${frames.length} frames and ${kinds.size} fates into ${folder}`);
} finally {
  await world.discard();
}
process.exit(0);
