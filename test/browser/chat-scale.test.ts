import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/world.ts';
import { field, log, panel, scriptedBench, talk } from './support/scripted-chat.ts';
import { inPage, press, shows } from './support/steps.ts';

const COUNT = 5000;
const ANSWER = 'An answer with **bold**, `code` and a list:\n\n- one\n- two\n\n```ts\nconst x = 1;\n```\n';

test('ten thousand messages: only those near the eye are in the page, and all can be reached', async (t) => {
  const { bench, chats } = await scriptedBench(t);
  const page = await bench.page();
  const chat = await talk(page, chats);
  chat.emit({ type: 'history', phase: 'begin' });
  for (let i = 0; i < COUNT; i += 1)
    chat.emit(
      { type: 'message', role: 'user', text: `question ${i}`, promptId: `p${i}` },
      { type: 'message', role: 'agent', text: `answer ${i}. ${ANSWER}` },
    );
  chat.emit({ type: 'history', phase: 'end' });
  await shows('the end', log(page), `answer ${COUNT - 1}.`);
  const drawn = () => log(page).getByRole('article').count();
  assert.ok((await drawn()) < 200, `${await drawn()} are drawn`);
  await log(page).focus();
  await press(page, 'Home');
  await shows('the beginning', log(page), 'question 0\n');
  assert.ok((await drawn()) < 200, `${await drawn()} are drawn`);
  await log(page).evaluate(inPage('element.scrollTop = element.scrollHeight / 2'));
  await until('the middle', async () => {
    const seen = (await log(page).innerText()).match(/question (\d+)/g) ?? [];
    return seen.some((each) => Math.abs(Number(each.slice(9)) - COUNT / 2) < 500);
  });
  // What comes while one reads further up does not pull the page away.
  const place = () => log(page).evaluate(inPage<number>('element.scrollTop'));
  await page.waitForFunction(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))',
  );
  const before = await place();
  chat.emit({ type: 'thought', text: 'hm' }, { type: 'message', role: 'agent', text: 'the newest' });
  await until('it has come', async () => (await panel(page).getByRole('button', { name: 'To the end' }).count()) > 0);
  assert.ok(Math.abs((await place()) - before) < 4, `${before} → ${await place()}`);
  await panel(page).getByRole('button', { name: 'To the end' }).click();
  await shows('the end again', log(page), 'the newest');
  await page.reload();
  await shows('also after a reload', log(page), 'the newest');
});

test('a megabyte of output: its end is shown at once, all of it on request, and typing goes on', async (t) => {
  const { bench, chats } = await scriptedBench(t);
  const page = await bench.page();
  const chat = await talk(page, chats);
  const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i} ${'x'.repeat(42)}\n`);
  const call = { id: '1', title: 'make', kind: 'execute', status: 'running' } as const;
  let output = '';
  chat.emit({ type: 'tool', call });
  for (let at = 0; at < lines.length; at += 500) {
    output += lines.slice(at, at + 500).join('');
    chat.emit({ type: 'tool', call: { id: '1', shell: { output } } });
  }
  assert.ok(output.length > 1_000_000);
  chat.emit({ type: 'tool', call: { id: '1', status: 'completed', shell: { output, exitCode: 0 } } });
  const card = log(page).getByRole('button', { name: /make/ });
  await shows('it is done', card, 'done');
  if ((await card.getAttribute('aria-expanded')) === 'false') await card.click();
  const shown = log(page).getByRole('region', { name: 'Output' });
  await shows('its end', shown, 'line 19999');
  assert.ok((await shown.innerText()).length < 10_000);
  await log(page).getByRole('button', { name: 'Show all (1.1 MB)' }).click();
  await until('its beginning', async () => (await shown.innerText()).startsWith('line 0 '));
  await field(page).click();
  await page.keyboard.type('still quick');
  await until('the field', async () => (await field(page).inputValue()) === 'still quick');
});

test('a page that cannot keep up is told the whole at once, later', async (t) => {
  const { bench, chats } = await scriptedBench(t);
  const page = await bench.page();
  const chat = await talk(page, chats);
  const text = `${'word '.repeat(2000)}\n\n`;
  for (let i = 0; i < 400; i += 1) {
    chat.emit({
      type: 'tool',
      call: {
        id: String(i % 3),
        title: `t${i}`,
        kind: 'other',
        status: 'running',
        content: [{ type: 'text', text: text + i }],
      },
    });
    chat.emit({ type: 'message', role: 'agent', text: `${i}.` });
    if (i % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await shows(
    'all of it',
    log(page),
    Array.from({ length: 400 }, (_, i) => `${i}.`)
      .slice(-20)
      .join(''),
  );
});
