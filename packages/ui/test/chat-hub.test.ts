import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyAll, type ChatCommand, type ChatEvent, type Conversation, EMPTY, type KeptChat } from '@tandem/chat/view';
import * as fc from 'fast-check';
import { ChatHub, type HostedChat, type Viewer } from '../src/chat/hub.ts';
import { merge } from '../src/chat/merge.ts';
import type { PanelTell } from '../src/chat/protocol.ts';

const CAPABILITIES = {
  load: true,
  resume: true,
  list: true,
  rename: true,
  images: true,
  embedded: true,
  models: true,
  modes: true,
  continueTurn: true,
  shared: false,
};

/** Keys count what was ever there, which merging keeps. */
const told = (events: readonly ChatEvent[]): Conversation => applyAll(EMPTY, events);

const text = fc.constantFrom('a', 'b ', '\n');
const call = fc.record(
  {
    id: fc.constantFrom('1', '2'),
    status: fc.constantFrom('running', 'completed'),
    title: text,
    content: fc.array(fc.record({ type: fc.constant('text'), text })),
  },
  { requiredKeys: ['id'] },
);
const event = fc.oneof(
  fc.record({
    type: fc.constant('message'),
    role: fc.constantFrom('user', 'agent'),
    text,
    promptId: fc.constantFrom('p', 'q'),
  }),
  fc.record({ type: fc.constant('thought'), text }),
  fc.record({ type: fc.constant('tool'), call }),
  fc.record({ type: fc.constant('plan'), entries: fc.constant([]) }),
  fc.record({ type: fc.constant('history'), phase: fc.constantFrom('begin', 'end') }),
  fc.record({
    type: fc.constant('turn-end'),
    promptId: fc.constant('p'),
    reason: fc.constantFrom('end_turn', 'cancelled'),
  }),
  fc.record({ type: fc.constant('usage'), usage: fc.record({ used: fc.nat() }) }),
) as unknown as fc.Arbitrary<ChatEvent>;

test('fewer events, the same conversation', () => {
  void fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      const merged = merge(events);
      assert.ok(merged.length <= events.length);
      assert.deepEqual(told(merged), told(events));
    }),
    { numRuns: 2000 },
  );
});

test('a growing output is told once, not with every line', () => {
  const events = Array.from(
    { length: 100 },
    (_, i): ChatEvent => ({ type: 'tool', call: { id: '1', shell: { output: 'x'.repeat(i) } } }),
  );
  assert.deepEqual(merge(events), [events.at(-1)]);
});

class Talk implements HostedChat {
  readonly id: string;
  conversation: Conversation = EMPTY;
  stopped = false;
  fails: Error | undefined;
  readonly asked: ChatCommand[] = [];
  readonly #listeners = new Set<(event: ChatEvent) => void>();

  constructor(id: string) {
    this.id = id;
  }

  subscribe(listener: (event: ChatEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async start(): Promise<void> {
    if (this.fails) throw this.fails;
  }

  async stop(): Promise<void> {
    this.stopped = true;
  }

  async perform(command: ChatCommand): Promise<unknown> {
    this.asked.push(command);
    if (command.do === 'reconnect' && this.fails) throw this.fails;
    return command.do;
  }

  emit(...events: ChatEvent[]): void {
    for (const each of events) {
      this.conversation = applyAll(this.conversation, [each]);
      for (const listener of this.#listeners) listener(each);
    }
  }
}

/** What a panel makes of what it is told. */
class Panel implements Viewer {
  keepsUp = true;
  readonly heard: PanelTell[] = [];
  readonly #known = new Map<string, { seq: number; conversation: Conversation }>();

  tell(message: PanelTell): void {
    const copy: PanelTell = JSON.parse(JSON.stringify(message));
    this.heard.push(copy);
    if (copy.tell === 'chat') this.#known.set(copy.chat.id, copy.chat);
    if (copy.tell !== 'events') return;
    const known = this.#known.get(copy.chat);
    if (!known || copy.seq <= known.seq) return;
    this.#known.set(copy.chat, { seq: copy.seq, conversation: applyAll(known.conversation, copy.events) });
  }

  text(chat: string): string {
    const items = this.#known.get(chat)?.conversation.items ?? [];
    return items.map((item) => (item.type === 'message' ? item.text : '')).join('');
  }
}

function hubOf(before: readonly KeptChat[] = []): { hub: ChatHub; talks: Talk[]; changes: () => number } {
  const talks: Talk[] = [];
  let changes = 0;
  const hub = new ChatHub({
    agents: async () => [{ id: 'a', name: 'A', command: 'a', installed: true }],
    connect: async (agent, kept) => {
      if (agent === 'gone') throw new Error('it is not installed');
      const talk = new Talk(kept?.id ?? `talk${talks.length}`);
      if (kept) talk.emit({ type: 'kept', items: kept.items });
      talks.push(talk);
      return { chat: talk, capabilities: () => CAPABILITIES };
    },
    kept: async () => before,
    changed: () => (changes += 1),
  });
  return { hub, talks, changes: () => changes };
}

const say = (words: string): ChatEvent => ({ type: 'message', role: 'agent', text: words });
const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function heard(panel: Panel, chat: string, wanted: string): Promise<void> {
  for (let i = 0; i < 400 && panel.text(chat) !== wanted; i += 1) await pass(5);
  assert.equal(panel.text(chat), wanted);
}

test('panels that come at any time hear everything once', async () => {
  const { hub, talks } = hubOf();
  const [early, late] = [new Panel(), new Panel()];
  await hub.ask(early, { do: 'attach' });
  const { chat } = await hub.ask(early, { do: 'start', agent: 'a' });
  let expected = '';
  for (let i = 0; i < 60; i += 1) {
    talks[0]?.emit(say(`${i} `));
    expected += `${i} `;
    if (i === 30) {
      const { chats } = await hub.ask(late, { do: 'attach' });
      for (const snapshot of chats) late.tell({ tell: 'chat', chat: snapshot });
    }
    if (i % 7 === 0) await pass(1);
  }
  await heard(early, chat, expected);
  await heard(late, chat, expected);
  assert.ok(early.heard.length < 60, 'a rush goes together');
  await hub.stop();
  assert.ok(talks[0]?.stopped);
});

test('who cannot keep up is told nothing for a while, and then the whole', async () => {
  const { hub, talks } = hubOf();
  const panel = new Panel();
  await hub.ask(panel, { do: 'attach' });
  const { chat } = await hub.ask(panel, { do: 'start', agent: 'a' });
  panel.keepsUp = false;
  const before = panel.heard.length;
  for (let i = 0; i < 20; i += 1) {
    talks[0]?.emit(say(`${i} `));
    await pass(5);
  }
  assert.equal(panel.heard.length, before);
  panel.keepsUp = true;
  talks[0]?.emit(say('end'));
  await heard(panel, chat, `${Array.from({ length: 20 }, (_, i) => `${i} `).join('')}end`);
  await hub.stop();
});

test('what is asked of nobody is refused; summaries say who waits for an answer', async () => {
  const { hub, talks, changes } = hubOf();
  const panel = new Panel();
  await assert.rejects(hub.ask(panel, { do: 'start', agent: 'b' }), /no agent b/);
  await assert.rejects(hub.ask(panel, { do: 'perform', chat: 'x', command: { do: 'cancel' } }), /closed/);
  const { chat } = await hub.ask(panel, { do: 'start', agent: 'a' });
  assert.deepEqual(await hub.ask(panel, { do: 'perform', chat, command: { do: 'cancel' } }), { result: 'cancel' });
  const before = changes();
  talks[0]?.emit({ type: 'question', request: { id: 'q', toolCallId: 't', questions: [] } });
  assert.ok(changes() > before);
  assert.deepEqual(hub.summaries, [{ id: chat, agentName: 'A', running: false, asks: 1 }]);
  await hub.ask(panel, { do: 'close', chat });
  assert.deepEqual(hub.summaries, []);
});

const earlier = (id: string, at: number, agent = 'a'): KeptChat => ({
  id,
  agent: { id: agent, name: agent.toUpperCase() },
  at,
  session: { id: `s-${id}`, cwd: '/w' },
  items: [{ key: '1', type: 'message', role: 'user', text: id }],
});
const session = (id: string): ChatEvent => ({
  type: 'session',
  session: { id, cwd: '/w', agent: { id: 'a', name: 'A', via: 'acp' } },
});

test('what was open before is shown, and goes on when somebody looks at it; what is older waits for a click', async () => {
  const { hub, talks } = hubOf([earlier('new', Date.now()), earlier('old', Date.now() - 3_600_000)]);
  const panel = new Panel();
  const { chats } = await hub.ask(panel, { do: 'attach' });
  assert.deepEqual(
    chats.map(({ id, conversation }) => [id, conversation.items.length]),
    [
      ['new', 1],
      ['old', 1],
    ],
  );
  assert.deepEqual(
    talks.flatMap(({ asked }) => asked),
    [],
    'nothing runs yet',
  );
  await hub.ask(panel, { do: 'look', chat: 'new' });
  await hub.ask(panel, { do: 'look', chat: 'old' });
  assert.deepEqual(
    talks.map(({ asked }) => asked.map((command) => command.do)),
    [['reconnect'], []],
  );
  await hub.ask(panel, { do: 'attach' });
  assert.equal(talks.length, 2, 'they come once');
  await hub.stop();
});

test('what the next host can take up: what is open, what sleeps, and what has no agent at the moment', async () => {
  const before = [earlier('asleep', Date.now()), earlier('lost', Date.now(), 'gone')];
  const { hub, talks } = hubOf(before);
  const panel = new Panel();
  const { chat } = await hub.ask(panel, { do: 'start', agent: 'a' });
  assert.deepEqual(hub.kept.map(({ id }) => id).sort(), ['asleep', 'lost'], 'nothing was said in the new one');
  const talk = talks.find(({ id }) => id === chat);
  talk?.emit(session('s-new'), say('hello'));
  const kept = hub.kept.find(({ id }) => id === chat);
  assert.deepEqual([kept?.session.id, kept?.agent.name, kept?.items.length], ['s-new', 'A', 1]);
  assert.deepEqual(hub.kept.find(({ id }) => id === 'asleep')?.session.id, 's-asleep');
  await hub.close('asleep');
  assert.deepEqual(hub.kept.map(({ id }) => id).sort(), ['lost', chat].sort(), 'what the user closes is closed');
  await hub.stop();
});

test('an earlier conversation that cannot be taken up says why', async () => {
  const { hub, talks } = hubOf([earlier('x', Date.now())]);
  const panel = new Panel();
  const { chats } = await hub.ask(panel, { do: 'attach' });
  for (const snapshot of chats) panel.tell({ tell: 'chat', chat: snapshot });
  const [talk] = talks;
  if (talk) talk.fails = new Error('it is broken');
  await hub.ask(panel, { do: 'look', chat: 'x' });
  for (let i = 0; i < 400 && !panel.heard.some(({ tell }) => tell === 'events'); i += 1) await pass(5);
  assert.match(JSON.stringify(panel.heard.at(-1)), /"status":"died","reason":"it is broken"/);
  await hub.stop();
});
