import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Translator } from '../src/daemon/translator.ts';

function translator() {
  const logs: string[] = [];
  const one = new Translator(
    (id) => id === 'me',
    (_level, message) => logs.push(message),
  );
  const read = (type: string, data: object, more: object = {}) =>
    one.read({ v: 1, type, data, id: undefined, promptId: undefined, originatorClientId: undefined, ...more });
  return { one, read, logs };
}

const request = {
  requestId: 'r1',
  toolCall: { toolCallId: 't1', title: 'a.txt', kind: 'edit', status: 'pending' },
  options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }],
};
const chunk = (text: string) => ({ update: { sessionUpdate: 'user_message_chunk', content: { type: 'text', text } } });

test('[DMN-5] unknown events are logged, broken ones too; neither stops anything', () => {
  const { read, logs } = translator();
  assert.deepEqual(read('artifact_changed', {}), { events: [] });
  assert.deepEqual(read('session_update', { update: { sessionUpdate: 'hologram' } }), { events: [] });
  assert.deepEqual(read('turn_complete', { promptId: 7 }), { events: [] });
  assert.equal(logs.length, 3);
  assert.match(logs[1] ?? '', /hologram/);
});

test('[DMN-5] what cannot be shown is said', () => {
  const { read } = translator();
  for (const type of ['user_shell_command', 'session_branched']) {
    const { events } = read(type, {});
    assert.equal(events[0]?.type === 'notice' && events[0].notice.code, 'unsupported', type);
  }
});

test('[DMN-5] frames nested and flat mean the same', () => {
  const { read } = translator();
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x' } };
  assert.deepEqual(read('session_update', { update }).events, read('session_update', update).events);
});

test('[DMN-6] an answer from elsewhere closes the ask, each further word about it is passed over', () => {
  const { read } = translator();
  assert.equal(read('permission_request', request).events[0]?.type, 'permission');
  const outcome = { outcome: 'selected', optionId: 'yes' };
  const first = read('permission_resolved', { requestId: 'r1', outcome, voterClientId: 'somebody' }).events;
  assert.deepEqual(first, [
    { type: 'answered', id: 'r1', answer: { outcome: 'selected', optionId: 'yes', by: 'elsewhere' } },
  ]);
  assert.deepEqual(read('permission_already_resolved', { requestId: 'r1', outcome }).events, []);
  read('permission_request', { ...request, requestId: 'r2' });
  const mine = read('permission_resolved', { requestId: 'r2', outcome: { outcome: 'cancelled' }, voterClientId: 'me' });
  assert.deepEqual(mine.events, [{ type: 'answered', id: 'r2', answer: { outcome: 'cancelled', by: 'here' } }]);
});

test('[DMN-5] modes, models and titles that are told twice are passed on once', () => {
  const { read } = translator();
  const types = [
    ...read('approval_mode_changed', { previous: 'a', next: 'plan' }).events,
    ...read('session_update', { update: { sessionUpdate: 'current_mode_update', currentModeId: 'plan' } }).events,
    ...read('model_switched', { modelId: 'm' }).events,
    ...read('model_switched', { modelId: 'm' }).events,
    ...read('session_metadata_updated', { displayName: 't' }).events,
    ...read('session_update', { update: { sessionUpdate: 'session_info_update', title: 't' } }).events,
  ].map(({ type }) => type);
  assert.deepEqual(types, ['mode', 'model', 'title']);
});

test('[DMN-10] a history that stops in the middle of a turn: the turn was cut off, what it asked is over', () => {
  const { one, read } = translator();
  read('session_update', chunk('go'), { promptId: 'p', originatorClientId: 'me' });
  read('permission_request', request);
  assert.deepEqual(one.settle(true, false), [], 'unless it still runs');
  assert.deepEqual(one.settle(false, true), [
    { type: 'answered', id: 'r1', answer: { outcome: 'cancelled', by: 'agent' } },
    { type: 'turn-end', promptId: 'p', reason: 'interrupted' },
  ]);
});

test('[DMN-10] what the connection has to do about an event', () => {
  const { read } = translator();
  assert.equal(read('state_resync_required', { reason: 'ring_evicted' }).control?.kind, 'resync');
  assert.equal(read('session_rewound', {}).control?.kind, 'resync');
  assert.equal(read('session_died', { reason: 'channel_closed' }).control?.kind, 'died');
  assert.equal(read('session_closed', {}).control?.kind, 'closed');
  assert.equal(read('client_evicted', {}).control?.kind, 'dropped');
  assert.equal(read('stream_error', { error: 'x' }).control?.kind, 'dropped');
  const cut = read('turn_error', { promptId: 'p', message: 'agent channel closed mid-request (session s)' }).events;
  assert.equal(cut[0]?.type === 'turn-end' && cut[0].reason, 'interrupted');
});
