import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/world.ts';
import { Bench, newContext } from './support/bench.ts';
import {
  caretsOf,
  content,
  gone,
  messages,
  nextReview,
  openFile,
  panelButton,
  press,
  proposed,
  review,
  row,
  shows,
  tab,
  textOf,
} from './support/steps.ts';

const FILES = { 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n' };

test('two windows: both edit at once, see each other, and end with the same text', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const one = await bench.page();
  const two = await bench.window(one.context());
  await openFile(one, 'a.txt');
  await openFile(two, 'a.txt');
  await shows('both are counted', one.getByRole('contentinfo'), '2 windows');
  await press(one, 'Control+Home');
  await press(two, 'Control+End');
  await Promise.all([
    one.keyboard.type('first window ', { delay: 5 }),
    two.keyboard.type('second window', { delay: 5 }),
  ]);
  const both = 'first window one\ntwo\nsecond window';
  for (const page of [one, two]) await until('both texts', async () => (await textOf(content(page))) === both);
  assert.equal(bench.text('a.txt'), both);
  assert.deepEqual(await caretsOf(content(two)), [[both.length, both.length]], 'each caret stays at its own text');
  await press(two, 'Control+s');
  await until('saved', () => bench.read('a.txt') === both);
  for (const page of [one, two])
    await until('no mark in either', async () => !(await tab(page, 'a.txt').innerText()).includes('unsaved'));
});

test('undo in one window takes back its own typing only', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const one = await bench.page();
  const two = await bench.page(); // another browser
  await openFile(one, 'a.txt');
  await openFile(two, 'a.txt');
  await one.keyboard.type('mine ');
  await until('it is here', async () => (await textOf(content(two))).startsWith('mine '));
  await press(two, 'Control+End');
  await two.keyboard.type('theirs');
  await until('it is here', async () => (await textOf(content(one))).endsWith('theirs'));
  await press(one, 'Control+z');
  await until('only mine is gone', () => bench.text('a.txt') === 'one\ntwo\ntheirs');
});

test('tabs, reviews and the switch are the same in both windows; a decision in one closes it in the other', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const one = await bench.page();
  const two = await bench.window(one.context());
  await openFile(one, 'a.txt');
  await tab(two, 'a.txt').waitFor();
  const agent = await bench.agent();
  await agent.call('openDiff', { filePath: bench.path('b.txt'), newContent: 'new\n' });
  for (const page of [one, two]) await nextReview(page);
  for (const page of [one, two]) await until('it is shown', async () => (await proposed(page).count()) > 0);
  await proposed(one).click();
  await press(one, 'Control+Home');
  await one.keyboard.type('amended ');
  await until('the other follows', async () => (await textOf(proposed(two))) === 'amended new\n');
  await review(two).getByRole('button', { name: 'Accept', disabled: false }).click();
  await until('the answer', () => agent.notified('ide/diffAccepted')[0]?.content === 'amended new\n');
  for (const page of [one, two]) await gone(review(page));
  await panelButton(one, 'Context').click();
  await one.getByText('Explicit').click();
  await shows('the other shows it', two.getByRole('contentinfo'), 'sharing: explicit');
});

test('closing the only window leaves reviews and unsaved text; the next one comes to the same state', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  await openFile(page, 'b.txt');
  await openFile(page, 'a.txt');
  await press(page, 'Control+Home', 'ArrowDown');
  await page.keyboard.type('unsaved ');
  const agent = await bench.agent();
  await agent.call('openDiff', { filePath: bench.path('b.txt'), newContent: 'new\n' });
  await until('it is with the workbench', () => bench.text('a.txt') === 'one\nunsaved two\n');
  await until('the caret too', () => bench.companion.workspace.selections(bench.path('a.txt'))[0]?.end.character === 8);
  await page.close();
  await until('nobody is there', () => bench.companion.workspace.active === undefined);
  assert.equal(bench.editor.reviews.length, 1);
  const again = await bench.page(); // another browser, which remembers nothing
  await shows('the review', panelButton(again, 'Reviews'), '1');
  await until(
    'the text',
    async () => (await content(again).count()) > 0 && (await textOf(content(again))) === 'one\nunsaved two\n',
  );
  assert.equal(await tab(again, 'a.txt').getAttribute('aria-selected'), 'true');
  assert.deepEqual(await caretsOf(content(again)), [[12, 12]]);
  await tab(again, 'b.txt').waitFor();
});

test('a window that goes right after a key leaves text and caret', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  await openFile(page, 'a.txt');
  await press(page, 'Control+Home', 'ArrowDown');
  await page.keyboard.type('last ');
  await page.reload();
  await until('the text', async () => (await textOf(content(page))) === 'one\nlast two\n');
  assert.deepEqual(await caretsOf(content(page)), [[9, 9]]);
});

test('what a window could not send before it went is sent by the next one, or by another that is open', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const one = await bench.page();
  const two = await bench.window(one.context());
  for (const page of [one, two]) await openFile(page, 'a.txt');
  const typesUnheard = async (words: string) => {
    await press(one, 'Control+Home');
    await until('it is told', () => bench.companion.workspace.selections(bench.path('a.txt'))[0]?.end.character === 0);
    await one.evaluate('WebSocket.prototype.send = () => {}');
    await one.keyboard.type(words);
  };
  await typesUnheard('first ');
  await one.reload();
  await until('the text, by the other', async () => (await textOf(content(two))) === 'first one\ntwo\n');
  await until('and after the reload', async () => (await textOf(content(one))) === 'first one\ntwo\n');
  await two.close();
  await typesUnheard('second ');
  await one.reload();
  await until('the text, by itself', async () => (await textOf(content(one))) === 'second first one\ntwo\n');
  assert.equal(bench.text('a.txt'), 'second first one\ntwo\n');
  assert.deepEqual(await caretsOf(content(one)), [[7, 7]]);
});

test('what was typed into a review just before a reload is there after it', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  const agent = await bench.agent();
  await agent.call('openDiff', { filePath: bench.path('a.txt'), newContent: 'one\nTWO\n' });
  await nextReview(page);
  await press(page, 'Control+Home');
  await page.evaluate('WebSocket.prototype.send = () => {}');
  await page.keyboard.type('mine ');
  await page.reload();
  await until('the text', async () => {
    return (await proposed(page).count()) > 0 && (await textOf(proposed(page))) === 'mine one\nTWO\n';
  });
  await until('the workbench has it', () => bench.editor.reviews[0]?.text === 'mine one\nTWO\n');
});

test('a reload in the middle of a review loses nothing: edits, notes, place', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  const agent = await bench.agent();
  await agent.call('openDiff', { filePath: bench.path('a.txt'), newContent: 'one\nTWO\n' });
  await nextReview(page);
  await press(page, 'Control+Home');
  await page.keyboard.type('mine ');
  await press(page, 'Control+Alt+m');
  const field = review(page).getByRole('textbox', { name: /^Note on line/ });
  await field.fill('a note');
  await until('the edit is with the workbench', () => bench.editor.reviews[0]?.text === 'mine one\nTWO\n');
  await page.reload();
  await until('the review is shown again', async () => (await proposed(page).count()) > 0);
  assert.equal(await textOf(proposed(page)), 'mine one\nTWO\n');
  await shows('the note', review(page), 'a note');
  await proposed(page).click();
  await review(page).getByRole('button', { name: 'Accept', disabled: false }).waitFor();
  await press(page, 'Control+Enter');
  await until('the answer', () => agent.notified('ide/diffAccepted')[0]?.content === 'mine one\nTWO\n');
});

test('the panel, its width, and the open folders are remembered', async (t) => {
  const bench = await Bench.start(t, { files: { 'src/deep.txt': 'x\n' } });
  const page = await bench.page();
  await row(page, 'src').click();
  await row(page, 'deep.txt').waitFor();
  const edge = page.getByRole('separator', { name: 'Width of the sidebar' });
  const box = await edge.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 3, 300);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) + 103, 300, { steps: 4 });
  await page.mouse.up();
  await until('it is wider', async () => (await edge.getAttribute('aria-valuenow')) === '360');
  await edge.focus();
  await press(page, 'ArrowLeft');
  assert.equal(await edge.getAttribute('aria-valuenow'), '344');
  await page.reload();
  await row(page, 'deep.txt').waitFor();
  assert.equal(await edge.getAttribute('aria-valuenow'), '344');
  await panelButton(page, 'Agents').click();
  await page.reload();
  await page.getByRole('complementary', { name: 'Agents' }).waitFor();
});

test('a window that is told why it was not let in', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  const stranger = await newContext(t);
  const window = await stranger.newPage();
  await window.goto(bench.workbench.origin);
  await shows('why', window.getByRole('alert'), 'This page needs an address with a code.');
  await shows('what to do', window.getByRole('alert'), 'tandem workbench --url');
  assert.equal(await messages(page).innerText(), '');
});
