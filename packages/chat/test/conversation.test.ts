import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { apply, applyAll, EMPTY, type Item } from '../src/conversation.ts';
import type { ChatEvent, PermissionRequest } from '../src/events.ts';

const say = (text: string): ChatEvent => ({ type: 'message', role: 'agent', text });
const ask = (text: string, promptId: string): ChatEvent => ({ type: 'message', role: 'user', text, promptId });
const bodies = (items: readonly Item[]) => items.map(({ key: _, ...body }) => body);
const permission: PermissionRequest = {
  id: 'p1',
  call: { id: 't1', title: 'a.txt', kind: 'edit', status: 'pending', locations: [], content: [] },
  options: [{ id: 'yes', name: 'Allow', kind: 'allow_once' }],
};

test('pieces become messages; other things part them', () => {
  const { items } = applyAll(EMPTY, [
    ask('do', '1'),
    ask(' it', '1'),
    { type: 'thought', text: 'hm ' },
    { type: 'thought', text: 'yes' },
    say('a'),
    say('b'),
    { type: 'tool', call: { id: 't1', title: 'Read' } },
    say('c'),
    ask('and', '2'),
    ask('this', '3'),
  ]);
  assert.deepEqual(
    bodies(items).map((item) => ('text' in item ? item.text : item.type)),
    ['do it', 'hm yes', 'ab', 'tool', 'c', 'and', 'this'],
  );
});

test('a tool call is updated where it stands, and only what is told changes', () => {
  const before = applyAll(EMPTY, [
    { type: 'tool', call: { id: 't1', title: 'Edit', kind: 'edit', status: 'pending' } },
    say('meanwhile'),
  ]);
  const after = apply(before, { type: 'tool', call: { id: 't1', status: 'completed' } });
  assert.equal(after.items.length, 2);
  const [item] = after.items;
  assert.deepEqual(item?.type === 'tool' && [item.call.title, item.call.status], ['Edit', 'completed']);
  assert.equal(
    before.items[0]?.type === 'tool' && before.items[0].call.status,
    'pending',
    'the one before is untouched',
  );
  assert.equal(after.items[1], before.items[1], 'what did not change is the same object');
});

test('a plan is replaced within its turn; the next turn has its own', () => {
  const plan = (content: string): ChatEvent => ({
    type: 'plan',
    entries: [{ content, priority: 'medium', status: 'pending' }],
  });
  const { items } = applyAll(EMPTY, [ask('x', '1'), plan('a'), say('on it'), plan('b'), ask('y', '2'), plan('c')]);
  const plans = items.flatMap((item) => (item.type === 'plan' ? [item.entries[0]?.content] : []));
  assert.deepEqual(plans, ['b', 'c']);
});

test('what waits for an answer waits once, and is over once it is answered', () => {
  let now = applyAll(EMPTY, [
    { type: 'permission', request: permission },
    { type: 'permission', request: permission },
    { type: 'review', permission: 'p1', review: '7' },
  ]);
  assert.deepEqual(
    now.asks.map((each) => each.type === 'permission' && each.review),
    ['7'],
  );
  assert.equal(now.items.length, 1, 'its tool call is shown once');
  assert.equal(now.items[0]?.type === 'tool' && now.items[0].review, '7');
  const answered: ChatEvent = { type: 'answered', id: 'p1', answer: { outcome: 'cancelled', by: 'elsewhere' } };
  now = applyAll(now, [answered, answered]);
  assert.deepEqual(now.asks, []);
});

test('turns run and end; only an unusual end is shown', () => {
  let now = applyAll(EMPTY, [{ type: 'turn-start', promptId: '1' }]);
  assert.equal(now.running, '1');
  now = apply(now, { type: 'turn-end', promptId: '0', reason: 'taken-back' });
  assert.equal(now.running, '1', 'another prompt was taken back');
  now = apply(now, { type: 'turn-end', promptId: '1', reason: 'end_turn' });
  assert.deepEqual([now.running, now.items.length], [undefined, 0]);
  now = apply(now, { type: 'turn-end', promptId: '2', reason: 'error', message: 'no' });
  assert.deepEqual(bodies(now.items), [{ type: 'end', reason: 'error', message: 'no' }]);
});

test('[DMN-4] a history that begins anew replaces what was shown; mode, model and commands stay', () => {
  const before = applyAll(EMPTY, [
    { type: 'mode', current: 'default', available: [{ id: 'default', name: 'Default' }] },
    ask('x', '1'),
    say('half'),
    { type: 'permission', request: permission },
    { type: 'turn-start', promptId: '1' },
    { type: 'queue', waiting: [{ promptId: '2', text: 'y', own: true }] },
  ]);
  const after = applyAll(before, [
    { type: 'history', phase: 'begin' },
    ask('x', '1'),
    say('whole'),
    { type: 'mode', current: 'plan' },
    { type: 'history', phase: 'end' },
  ]);
  assert.deepEqual(
    bodies(after.items).map((item) => 'text' in item && item.text),
    ['x', 'whole'],
  );
  assert.deepEqual([after.asks, after.queue, after.running, after.loading], [[], [], undefined, false]);
  assert.deepEqual(after.mode, { current: 'plan', available: [{ id: 'default', name: 'Default' }] });
  const keys = [...before.items, ...after.items].map(({ key }) => key);
  assert.equal(new Set(keys).size, keys.length, 'no key is used twice');
});

test('usage is gathered; the last word on each number counts', () => {
  const { usage } = applyAll(EMPTY, [
    { type: 'usage', usage: { input: 5, output: 1 } },
    { type: 'usage', usage: { used: 10, size: 100 } },
    { type: 'usage', usage: { input: 7 } },
  ]);
  assert.deepEqual(usage, { input: 7, output: 1, used: 10, size: 100 });
});

const events: fc.Arbitrary<ChatEvent> = fc.oneof(
  fc.record({
    type: fc.constant('message' as const),
    role: fc.constantFrom('user' as const, 'agent' as const),
    text: fc.string(),
  }),
  fc.record({ type: fc.constant('thought' as const), text: fc.string() }),
  fc.record({
    type: fc.constant('tool' as const),
    call: fc.record({ id: fc.constantFrom('a', 'b'), title: fc.string() }),
  }),
  fc.constant<ChatEvent>({ type: 'permission', request: permission }),
  fc.constant<ChatEvent>({ type: 'answered', id: 'p1', answer: { outcome: 'cancelled', by: 'agent' } }),
  fc.constantFrom<ChatEvent>({ type: 'history', phase: 'begin' }, { type: 'history', phase: 'end' }),
  fc.record({ type: fc.constant('turn-start' as const), promptId: fc.constantFrom('1', '2') }),
);

test('all at once or one by one, over a wire or not: the same conversation', () => {
  const property = fc.property(fc.array(events, { maxLength: 40 }), fc.nat(40), (list, at) => {
    const whole = applyAll(EMPTY, list);
    assert.deepEqual(list.reduce(apply, EMPTY), whole);
    const half = JSON.parse(JSON.stringify(applyAll(EMPTY, list.slice(0, at))));
    assert.deepEqual(
      JSON.parse(JSON.stringify(applyAll({ ...EMPTY, ...half }, list.slice(at)))),
      JSON.parse(JSON.stringify(whole)),
    );
  });
  fc.assert(property, { numRuns: 200 });
});
