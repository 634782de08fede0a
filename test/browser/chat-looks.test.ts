import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../support/world.ts';
import { colours, contrast } from './support/looks.ts';
import { asks, field, log, panel, type ScriptedChat, scriptedBench, talk } from './support/scripted-chat.ts';
import { isFocused, press, shows } from './support/steps.ts';

const ANSWER = `# Title\n\nText, \`code\`, [link](https://x.y), [file](a.ts).\n\n> quote\n\n| a | b |\n|---|---|\n| 1 | 2 |\n
\`\`\`ts\nconst long: string = "${'0123456789'.repeat(20)}"; // comment\nfunction f(x: number) { return x + 1; }\n\`\`\`\n`;

/** One of everything. */
function everything(chat: ScriptedChat, path: string): void {
  const choices = [
    { id: 'a', name: 'A rather long name of a choice' },
    { id: 'b', name: 'B' },
  ];
  chat.emit(
    { type: 'mode', current: 'a', available: choices },
    { type: 'model', current: 'a', available: choices },
    { type: 'usage', usage: { used: 190_000, size: 200_000 } },
    {
      type: 'message',
      role: 'user',
      text: `question ${'without-a-break'.repeat(12)}`,
      promptId: 'p',
      attachments: [{ type: 'file', path }],
    },
    { type: 'turn-start', promptId: 'p' },
    { type: 'thought', text: 'a thought' },
    { type: 'message', role: 'agent', text: ANSWER },
    {
      type: 'tool',
      call: {
        id: '1',
        title: 'Edit a.ts',
        kind: 'edit',
        status: 'completed',
        locations: [{ path }],
        content: [{ type: 'diff', path, oldText: 'a\n', newText: 'b\n' }],
      },
    },
    {
      type: 'tool',
      call: {
        id: '2',
        title: `make ${'x'.repeat(200)}`,
        kind: 'execute',
        status: 'failed',
        shell: { output: 'y'.repeat(300), exitCode: 2 },
      },
    },
    {
      type: 'plan',
      entries: [
        { content: 'do it', priority: 'high', status: 'in_progress' },
        { content: 'did it', priority: 'low', status: 'completed' },
      ],
    },
    { type: 'notice', notice: { level: 'warning', message: 'beware' } },
    { type: 'queue', waiting: [{ promptId: 'q', text: 'next one', own: true }] },
    {
      type: 'permission',
      request: {
        id: 'e',
        call: {
          id: '3',
          title: `Run ${'z'.repeat(80)}`,
          kind: 'execute',
          status: 'pending',
          locations: [],
          content: [],
          input: { command: 'ls '.repeat(80) },
        },
        options: [
          { id: 'y', name: 'Yes', kind: 'allow_once' },
          { id: 'n', name: 'No', kind: 'reject_once' },
        ],
      },
    },
  );
}

async function showAll(page: Page): Promise<void> {
  await shows('the card', asks(page), 'asks for permission');
  await log(page).locator('.code-keyword').first().waitFor();
  await log(page)
    .getByRole('button', { name: /Edit a\.ts/ })
    .click();
  await asks(page).locator('[aria-disabled=false]').first().waitFor();
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`${colorScheme}: every text of the chat has enough contrast`, async (t) => {
    const { bench, chats } = await scriptedBench(t, { files: { 'a.ts': 'a\n' } });
    const page = await bench.page({ colorScheme });
    const check = async (where: string) => {
      const low = (await colours(page)).filter(({ colour, behind }) => contrast(colour, behind) < 4.5);
      assert.deepEqual(low, [], where);
    };
    await press(page, 'Alt+6');
    await panel(page).getByRole('button', { name: 'Start Alpha' }).waitFor();
    await check('start');
    const chat = await talk(page, chats);
    everything(chat, bench.path('a.ts'));
    await showAll(page);
    await check('conversation');
    chat.emit({ type: 'connection', state: { status: 'died', reason: 'gone', canReconnect: true, canContinue: true } });
    await panel(page).getByRole('button', { name: 'Reconnect' }).waitFor();
    await panel(page).getByRole('button', { name: 'More' }).click();
    await check('banner and menu');
  });
}

test('every control of the chat has a name and can be reached with the Tab key', async (t) => {
  const { bench, chats } = await scriptedBench(t, { files: { 'a.ts': 'a\n' } });
  const page = await bench.page();
  const chat = await talk(page, chats);
  everything(chat, bench.path('a.ts'));
  await showAll(page);
  const nameless =
    await page.evaluate(`[...document.querySelectorAll('#chat :is(button, input, select, textarea, [role], section, progress)')]
    .filter((each) => each.checkVisibility() && each.type !== 'file' && !['none', 'presentation'].includes(each.getAttribute('role')))
    .filter((each) => !(each.getAttribute('aria-label') || each.innerText?.trim() || each.labels?.length || each.title))
    .map((each) => each.outerHTML.slice(0, 120))`);
  assert.deepEqual(nameless, []);
  await panel(page).getByRole('button', { name: 'New conversation' }).focus();
  const seen: string[] = [];
  for (let i = 0; i < 60 && !(await isFocused(panel(page).getByRole('button', { name: 'Queue' }))); i += 1) {
    await press(page, 'Tab');
    seen.push(
      (await page.evaluate(
        `document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText`,
      )) as string,
    );
  }
  for (const wanted of [
    'More',
    'Messages of the conversation',
    'file',
    'Code, ts',
    'Table',
    'Message to Alpha',
    'Mode',
    'Model',
    'Stop',
    'Take back: next one',
  ])
    assert.ok(
      seen.some((label) => label.trim() === wanted),
      `${wanted} in ${seen.join(' | ')}`,
    );
  assert.ok(
    seen.some((label) => /^1\s*Yes/.test(label)),
    seen.join(' | '),
  );
});

for (const width of [1024, 480, 360]) {
  test(`${width} px wide: nothing of the chat is cut off`, async (t) => {
    const { bench, chats } = await scriptedBench(t, { files: { 'a.ts': 'a\n' } });
    const page = await bench.page({ viewport: { width, height: 720 } });
    const chat = await talk(page, chats);
    everything(chat, bench.path('a.ts'));
    await showAll(page);
    await field(page).fill('a text that is quite long, so that the field has to grow a little '.repeat(3));
    const cut = await page.evaluate(`(() => {
      const side = document.getElementById('chat').getBoundingClientRect();
      return [...document.querySelectorAll('#chat *')]
        .filter((each) => each.checkVisibility() && !each.closest('.visually-hidden, svg'))
        // What scrolls or ends in dots is not cut off.
        .filter((each) => !each.parentElement.closest('.code-text, .diff-text, .output-text, .table, .path, .ask-detail'))
        .filter((each) => { const box = each.getBoundingClientRect(); return box.right > side.right + 1 || box.left < side.left - 1; })
        .map((each) => each.outerHTML.slice(0, 100));
    })()`);
    assert.deepEqual(cut, []);
    assert.equal(await page.evaluate('document.scrollingElement.scrollWidth'), width);
    await until('the field is in sight', async () => {
      const box = await field(page).boundingBox();
      return box !== null && box.y + box.height <= 720 && box.y > 100;
    });
    const room = await log(page).boundingBox();
    assert.ok((room?.height ?? 0) > 80, `the messages have ${room?.height} px`);
  });
}

test('a screen reader hears paragraphs, not letters, and what is asked', async (t) => {
  const { bench, chats } = await scriptedBench(t);
  const page = await bench.page();
  const chat = await talk(page, chats);
  const said = panel(page).getByRole('status', { name: 'The agent says' });
  const heard: string[] = [];
  await page.exposeFunction('heard', (text: string) => heard.push(text));
  await said.evaluate(
    new Function(
      'element',
      `new MutationObserver(() => heard(element.textContent)).observe(element, { childList: true, characterData: true, subtree: true })`,
    ) as never,
  );
  assert.equal(await said.getAttribute('aria-live'), 'polite');
  chat.emit({ type: 'message', role: 'user', text: 'go', promptId: 'p' }, { type: 'turn-start', promptId: 'p' });
  for (const text of ['First ', 'paragraph', ' here.', '\n\n', 'Second ', 'one.']) {
    chat.emit({ type: 'message', role: 'agent', text });
    await shows('it is drawn', log(page), text.trim());
  }
  await until('the first paragraph', () => heard.length > 0);
  assert.deepEqual(heard, ['First paragraph here.']);
  chat.emit({ type: 'turn-end', promptId: 'p', reason: 'end_turn' });
  await until('the rest', () => heard.length === 2);
  assert.equal(heard[1], 'Second one.');
  const call = { id: '1', title: 'Run ls', kind: 'execute', status: 'pending', locations: [], content: [] } as const;
  chat.emit({ type: 'permission', request: { id: 'x', call, options: [] } });
  await until('the question', () => heard.at(-1) === 'Asks for permission: Run ls');
});
