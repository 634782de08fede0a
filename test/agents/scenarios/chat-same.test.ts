// The same conversation with the real Qwen Code as a child and in a daemon: what a panel is told agrees.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { applyAll, EMPTY } from '../../../packages/chat/src/conversation.ts';
import { comparable, type Difference } from '../chat/compare.ts';
import { type Chapters, converse } from '../chat/conversation.ts';
import { ChatWorld } from '../chat/world.ts';

/** All that may differ; docs/chat.md tells the same. */
const DIFFERENCES: readonly Difference[] = [
  {
    what: 'the list of commands comes when the agent has it ready, at another moment each time',
    side: 'acp',
    is: ({ type }) => type === 'commands',
  },
  {
    what: 'the list of commands comes when the agent has it ready, at another moment each time',
    side: 'daemon',
    is: ({ type }) => type === 'commands',
  },
];

/** Process and session numbers in texts of the agent itself. */
const VARIES: readonly [RegExp, string][] = [
  [/Process Group PGID: \d+/g, 'Process Group PGID: n'],
  [/Session: [0-9a-f-]{36}/g, 'Session: id'],
  [/made-[0-9a-f]{8}/g, 'made-file'],
];

let world: ChatWorld;
const chapters: Record<'acp' | 'daemon', Chapters> = { acp: {}, daemon: {} };

before(async () => {
  world = await ChatWorld.start();
});
after(() => world.end());

for (const side of ['acp', 'daemon'] as const) {
  test(`[DMN-5] [DMN-6] [DMN-7] [ACP-1] text, thoughts, read, edit, shell, question, plan, modes, cancel, queue, model, failure: ${side}`, {
    timeout: 120_000,
  }, async () => {
    const talk = side === 'acp' ? world.acp() : world.at(await world.daemon().url());
    chapters[side] = await converse(world, talk);
    // What is shown is what comes back when the conversation is opened again.
    const shown = messages(applyAll(EMPTY, Object.values(chapters[side]).flat()));
    const { id } = talk.connection.session ?? { id: '' };
    const listed = (await talk.connection.listSessions()).sessions.find((each) => each.id === id);
    assert.equal(listed?.title, 'A new name');
    await talk.connection.loadSession(id);
    assert.deepEqual(messages(talk.conversation), shown);
    assert.equal(talk.conversation.mode.current, 'default');
    await talk.connection.stop();
  });
}

test('[DMN-7] both sides told the same, but for what is written down', () => {
  const seen = new Set<Difference>();
  const acp = comparable(chapters.acp, 'acp', DIFFERENCES, seen);
  const daemon = comparable(chapters.daemon, 'daemon', DIFFERENCES, seen);
  assert.deepEqual(Object.keys(acp), Object.keys(daemon));
  for (const chapter of Object.keys(acp)) assert.deepEqual(plain(acp[chapter]), plain(daemon[chapter]), chapter);
  for (const difference of DIFFERENCES) assert.ok(seen.has(difference), `no longer different: ${difference.what}`);
  const commands = (side: Chapters) =>
    Object.values(side)
      .flat()
      .findLast((event) => event.type === 'commands');
  assert.deepEqual(commands(chapters.acp), commands(chapters.daemon), 'the lists are the same');
});

/** What was said by the user and the agent; a failed or a cancelled answer is not recorded by the agent. */
function messages({ items }: ReturnType<typeof applyAll>): string[] {
  return items.flatMap((item) =>
    item.type === 'message' && item.text.trim() !== '' ? [`${item.role}: ${item.text}`] : [],
  );
}

function plain(events: unknown): unknown {
  let text = JSON.stringify(events);
  for (const [pattern, replacement] of VARIES) text = text.replaceAll(pattern, replacement);
  return JSON.parse(text);
}
