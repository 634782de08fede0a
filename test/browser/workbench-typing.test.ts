import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../support/world.ts';
import { Bench } from './support/bench.ts';
import {
  caretsOf,
  content,
  isFocused,
  messages,
  openFile,
  panelButton,
  press,
  row,
  shows,
  tab,
  textOf,
} from './support/steps.ts';

const SENTENCE = 'The caret stays where the hand put it, whatever the agents have to say.';

async function type(page: Page, halfway: () => Promise<unknown>): Promise<void> {
  const half = Math.floor(SENTENCE.length / 2);
  const interruptions = halfway();
  await page.keyboard.type(SENTENCE.slice(0, half), { delay: 8 });
  await interruptions;
  await page.keyboard.type(SENTENCE.slice(half), { delay: 8 });
}

test('three reviews arrive while a sentence is typed: every letter and the caret are where they belong', async (t) => {
  const bench = await Bench.start(t, { files: { 'a.txt': 'end\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'd.txt': 'd\n' } });
  const page = await bench.page();
  const [one, two, claude] = [await bench.agent('gemini'), await bench.agent('qwen'), await bench.claude()];
  await openFile(page, 'a.txt');
  await press(page, 'Control+Home');
  await type(page, async () => {
    await one.call('openDiff', { filePath: bench.path('b.txt'), newContent: 'new\n' });
    await two.call('openDiff', { filePath: bench.path('c.txt'), newContent: 'new\n' });
    const file = bench.path('d.txt');
    const args = { old_file_path: file, new_file_path: file, new_file_contents: 'new\n', tab_name: 'd' };
    claude.ask('tools/call', { name: 'openDiff', arguments: args });
    await until('all three', () => bench.editor.reviews.length === 3);
  });
  await shows('they are announced', panelButton(page, 'Reviews'), '3');
  assert.equal(await textOf(content(page)), `${SENTENCE}end\n`);
  assert.deepEqual(await caretsOf(content(page)), [[SENTENCE.length, SENTENCE.length]]);
  assert.ok(await isFocused(content(page)));
  assert.equal(bench.companion.workspace.active?.path, bench.path('a.txt'));
});

test('the same in the field for a new name, in an empty window', async (t) => {
  const bench = await Bench.start(t, { files: { 'b.txt': 'b\n' } });
  const page = await bench.page();
  const agent = await bench.agent();
  await row(page, 'b.txt').focus();
  await press(page, 'F2');
  const field = page.getByLabel('New name of b.txt');
  await field.fill('');
  await type(page, () => agent.call('openDiff', { filePath: bench.path('b.txt'), newContent: 'new\n' }));
  await shows('it is announced', panelButton(page, 'Reviews'), '1');
  assert.equal(await field.inputValue(), SENTENCE);
  assert.ok(await isFocused(field));
});

test('an agent that opens a file while somebody types opens it beside; the text in front stays', async (t) => {
  const bench = await Bench.start(t, { files: { 'a.txt': 'end\n', 'b.txt': 'one\ntwo\n' } });
  const page = await bench.page();
  const claude = await bench.claude();
  await openFile(page, 'a.txt');
  await press(page, 'Control+Home');
  await type(page, () =>
    claude.call('openFile', { filePath: bench.path('b.txt'), startText: 'two', endText: 'two', makeFrontmost: true }),
  );
  await tab(page, 'b.txt').waitFor();
  assert.equal(await textOf(content(page)), `${SENTENCE}end\n`);
  assert.ok(await isFocused(content(page)));
  await until('agents know where the user is', () => bench.companion.workspace.active?.path === bench.path('a.txt'));
  await messages(page).getByRole('button', { name: 'Show' }).click();
  await until('it is in front', async () => (await tab(page, 'b.txt').getAttribute('aria-selected')) === 'true');
  assert.deepEqual(await caretsOf(content(page)), [[4, 7]]);
});

test('an agent that opens a file while nobody types brings it to the front, with its selection', async (t) => {
  const bench = await Bench.start(t, { files: { 'a.txt': 'end\n', 'b.txt': 'one\ntwo\n' } });
  const page = await bench.page();
  const claude = await bench.claude();
  await claude.call('openFile', {
    filePath: bench.path('b.txt'),
    startText: 'two',
    endText: 'two',
    makeFrontmost: true,
  });
  await until('it is in front', async () => (await tab(page, 'b.txt').getAttribute('aria-selected')) === 'true');
  await until('its selection', async () => JSON.stringify(await caretsOf(content(page))) === '[[4,7]]');
});
