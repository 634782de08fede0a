// What the real daemon sent (test/agents/chat/record-frames.ts), read with our schemas.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SessionState } from '../src/acp/schema.ts';
import { applyAll, EMPTY, type Item } from '../src/conversation.ts';
import {
  Capabilities,
  Context,
  Envelope,
  EVENTS,
  type EventType,
  PendingInteraction,
  Restored,
  SessionSummaryWire,
} from '../src/daemon/schema.ts';
import { Translator } from '../src/daemon/translator.ts';
import type { ChatEvent } from '../src/events.ts';

const folder = join(fileURLToPath(new URL('frames', import.meta.url)));

/** Sent, and of no use to a conversation. */
const UNUSED = ['settings_changed'];

/** Handled on the daemon's word alone: they could not be brought about. */
const UNSEEN: readonly EventType[] = [
  'permission_forbidden', // needs another voting policy
  'mid_turn_message_injected', // needs a client that speaks into turns
  'client_evicted', // a client that is cut off has stopped reading
  'slow_client_warning',
  'stream_error',
  'history_truncated',
  'session_rewound', // needs a client that goes back
];

function read(version: string, name: string): unknown[] {
  const lines = readFileSync(join(folder, version, name), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line));
}

function translate(frames: readonly unknown[]): { events: ChatEvent[]; logs: string[] } {
  const logs: string[] = [];
  const envelopes = frames.map((frame) => Envelope.parse(frame));
  const own = envelopes.find(({ originatorClientId }) => originatorClientId)?.originatorClientId;
  const translator = new Translator(
    (id) => id === own,
    (_level, message) => logs.push(message),
  );
  return { events: envelopes.flatMap((envelope) => [...translator.read(envelope).events]), logs };
}

const said = (items: readonly Item[]) =>
  items.flatMap((item) => (item.type === 'message' ? [`${item.role}: ${item.text.split('\n')[0]}`] : []));

for (const version of readdirSync(folder)) {
  test(`[DMN-5] every frame of ${version} is known, and what is handled fits its schema`, () => {
    const frames = [...read(version, 'conversation.jsonl'), ...read(version, 'fates.jsonl')];
    const seen = new Set<string>();
    for (const frame of frames) {
      const { type, data } = Envelope.parse(frame);
      seen.add(type);
      const schema = EVENTS[type as EventType];
      if (!schema) assert.ok(UNUSED.includes(type), `${type} is neither handled nor listed as unused`);
      else assert.ok(schema.safeParse(data).success, `${type}: ${JSON.stringify(data).slice(0, 300)}`);
    }
    const missing = Object.keys(EVENTS).filter((type) => !seen.has(type));
    assert.deepEqual(missing.toSorted(), UNSEEN.toSorted(), 'what is handled but was never recorded');
  });

  test(`[DMN-5] the frames of ${version} make a conversation, and its load makes the same`, () => {
    const live = translate(read(version, 'conversation.jsonl'));
    const conversation = applyAll(EMPTY, live.events);
    assert.deepEqual(new Set(live.logs), new Set(['daemon event settings_changed is not used']));
    assert.deepEqual(conversation.asks, []);
    assert.deepEqual([conversation.running, conversation.queue], [undefined, []]);
    assert.equal(conversation.title, 'A new name');
    const kinds = new Set(live.events.map(({ type }) => type));
    const expected: ChatEvent['type'][] = [
      'message',
      'thought',
      'tool',
      'plan',
      'permission',
      'question',
      'answered',
      'mode',
      'model',
      'usage',
      'queue',
      'turn-start',
      'turn-end',
      'commands',
      'title',
      'notice',
    ];
    assert.deepEqual(
      expected.filter((type) => !kinds.has(type)),
      [],
      'nothing is missing',
    );
    const ends = live.events.flatMap((event) => (event.type === 'turn-end' ? [event.reason] : []));
    assert.deepEqual(new Set(ends), new Set(['end_turn', 'cancelled', 'taken-back', 'error']));
    const [load] = read(version, 'load.jsonl').map((each) => Restored.parse(each));
    const again = translate([...(load?.compactedReplay ?? []), ...(load?.liveJournal ?? [])]);
    assert.deepEqual(said(applyAll(EMPTY, again.events).items), said(conversation.items));
  });

  test(`[DMN-2] [DMN-5] the other answers of ${version} are understood`, () => {
    const [capabilities] = read(version, 'capabilities.jsonl').map((each) => Capabilities.parse(each));
    assert.ok(capabilities?.features.includes('session_events'));
    const [context] = read(version, 'context.jsonl').map((each) => Context.parse(each));
    assert.equal(context?.state.modes?.currentModeId, 'default');
    assert.ok(SessionState.parse(context?.state).models);
    const [status] = read(version, 'status.jsonl').map((each) => SessionSummaryWire.parse(each));
    const [pending] = (status?.pendingInteractions ?? []).map((each) => PendingInteraction.parse(each));
    assert.deepEqual([pending?.kind, pending?.options?.length], ['permission', 3]);
  });

  test(`[DMN-9] nothing of the machine stands in the frames of ${version}`, () => {
    for (const name of readdirSync(join(folder, version))) {
      const text = readFileSync(join(folder, version, name), 'utf8');
      assert.doesNotMatch(text, /\/tmp\/|\/root|127\.0\.0\.1:\d|canary/, name);
    }
  });
}
