import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/world.ts';
import { Bench } from './support/bench.ts';
import { caretsOf, content, gone, isFocused, openFile, press, row, shows, tab, textOf } from './support/steps.ts';

const FILES = { 'a.ts': 'const a = 1;\nconst b = a;\n', 'b.txt': 'bbb\n', 'c.txt': 'ccc\n' };

test('one click previews, the next preview takes its place, a double click or an edit keeps', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  await row(page, 'b.txt').click();
  await shows('a preview', tab(page, 'b.txt'), 'preview');
  await row(page, 'c.txt').click();
  await tab(page, 'c.txt').waitFor();
  await gone(tab(page, 'b.txt'));
  await content(page).click();
  await page.keyboard.type('x');
  await until('it is kept', async () => !(await tab(page, 'c.txt').innerText()).includes('preview'));
  await row(page, 'b.txt').dblclick();
  await tab(page, 'b.txt').waitFor();
  await row(page, 'a.ts').click();
  await tab(page, 'a.ts').waitFor();
  assert.equal(await page.getByRole('tab').count(), 3);
});

test('Ctrl+S saves, in the text and beside it; the mark of unsaved text comes and goes', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  await openFile(page, 'b.txt');
  await press(page, 'Control+End');
  await page.keyboard.type('more');
  await shows('the mark', tab(page, 'b.txt'), 'unsaved');
  assert.equal(bench.read('b.txt'), 'bbb\n');
  await press(page, 'Control+s');
  await until('it is on disk', () => bench.read('b.txt') === 'bbb\nmore');
  await until('no mark', async () => !(await tab(page, 'b.txt').innerText()).includes('unsaved'));
  await page.keyboard.type('!');
  await row(page, 'c.txt').focus();
  await press(page, 'Control+s');
  await until('it is on disk', () => bench.read('b.txt') === 'bbb\nmore!');
});

test('closing unsaved text asks, and each answer does what it says', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  await openFile(page, 'b.txt');
  await page.keyboard.type('1');
  const dialog = page.getByRole('dialog', { name: 'Save b.txt?' });
  await page.getByRole('button', { name: 'Close b.txt' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await gone(dialog);
  assert.equal(bench.text('b.txt'), '1bbb\n');
  await press(page, 'Alt+w');
  await dialog.waitFor();
  await press(page, 'Escape');
  await gone(dialog);
  await press(page, 'Alt+w');
  await dialog.getByRole('button', { name: 'Don’t save' }).click();
  await gone(tab(page, 'b.txt'));
  assert.equal(bench.read('b.txt'), 'bbb\n');
  await openFile(page, 'b.txt');
  assert.equal(await textOf(content(page)), 'bbb\n');
  await page.keyboard.type('2');
  await press(page, 'Alt+w');
  await until('the answer that keeps has the keyboard', () =>
    isFocused(dialog.getByRole('button', { name: 'Save', exact: true })),
  );
  await press(page, 'Enter');
  await gone(tab(page, 'b.txt'));
  assert.equal(bench.read('b.txt'), '2bbb\n');
});

test('tabs are walked with the arrows, opened with Enter, closed with Delete', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  for (const name of ['a.ts', 'b.txt', 'c.txt']) await openFile(page, name);
  await tab(page, 'c.txt').focus();
  await press(page, 'ArrowLeft');
  assert.ok(await isFocused(tab(page, 'b.txt')));
  await press(page, 'Enter');
  await until('b is in front', async () => (await tab(page, 'b.txt').getAttribute('aria-selected')) === 'true');
  await until('its text has the keyboard', () => isFocused(content(page)));
  assert.equal(await textOf(content(page)), 'bbb\n');
  await press(page, 'Alt+PageDown');
  await until('c is in front', async () => (await tab(page, 'c.txt').getAttribute('aria-selected')) === 'true');
  await tab(page, 'c.txt').focus();
  await press(page, 'Delete');
  await gone(tab(page, 'c.txt'));
  await until('another is in front', async () => (await page.getByRole('tab', { selected: true }).count()) === 1);
});

test('search and replace, multiple cursors, undo and redo, indent', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  await openFile(page, 'a.ts');
  await press(page, 'Control+Home', 'Control+f');
  await page.getByRole('textbox', { name: 'Find' }).fill('const');
  await page.getByRole('textbox', { name: 'Replace' }).fill('let');
  await page.getByRole('button', { name: 'replace all' }).click();
  await until('replaced', () => bench.text('a.ts') === 'let a = 1;\nlet b = a;\n');
  await press(page, 'Escape', 'Control+Home');
  await press(page, 'Control+Alt+ArrowDown');
  assert.deepEqual(await caretsOf(content(page)), [
    [0, 0],
    [11, 11],
  ]);
  await page.keyboard.type('// ');
  await until('in both lines', () => bench.text('a.ts') === '// let a = 1;\n// let b = a;\n');
  await press(page, 'Control+z');
  await until('undone', () => bench.text('a.ts') === 'let a = 1;\nlet b = a;\n');
  await press(page, 'Control+y');
  await until('redone', () => bench.text('a.ts') === '// let a = 1;\n// let b = a;\n');
  await press(page, 'Escape', 'Control+Home', 'Tab');
  await until('indented', () => bench.text('a.ts').startsWith('  // let'));
  await page.locator('.cm-content .ͼb, .cm-content span[class]').first().waitFor(); // it has colours
});

test('Escape and then Tab leave the text, so the keyboard is never caught', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  await openFile(page, 'b.txt');
  await press(page, 'Escape', 'Tab');
  await until('the keyboard is elsewhere', async () => !(await isFocused(content(page))));
  assert.equal(bench.text('b.txt'), 'bbb\n');
});

test('what is selected is told to agents from the moment the file is in front', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  const agent = await bench.agent();
  await openFile(page, 'a.ts');
  await until('the caret', () => agent.openFiles[0]?.cursor?.line === 1);
  assert.equal(agent.openFiles[0].path, bench.path('a.ts'));
  await press(page, 'Control+Home', 'Shift+End');
  await until('the selection', () => agent.openFiles[0]?.selectedText === 'const a = 1;');
  await openFile(page, 'b.txt');
  await until('the other file', () => agent.openFiles[0]?.path === bench.path('b.txt'));
});
