import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../support/world.ts';
import { Bench } from './support/bench.ts';
import { content, gone, isFocused, openFile, press, row, shows, tab, textOf, tree } from './support/steps.ts';

const FILES = {
  '.gitignore': 'build/\n*.log\n!keep.log\n',
  'README.md': '# hello\n',
  'build/out.js': 'x\n',
  'a.log': 'log\n',
  'keep.log': 'kept\n',
  'src/main.ts': 'export const main = 1;\n',
  'src/deep/inner.ts': 'inner\n',
  'src/.gitignore': 'local.txt\n',
  'src/local.txt': 'local\n',
};

test('a file that is made while the folder is read shows up', async (t) => {
  const bench = await Bench.start(t, { files: { 'a.txt': '' } });
  const { files } = bench.editor;
  const list = files.list.bind(files);
  let read = 0;
  files.list = async (path, all) => {
    const entries = await list(path, all);
    read += 1;
    if (read === 1) bench.world.file('late.txt', '');
    return entries;
  };
  await row(await bench.page(), 'late.txt').waitFor();
});

test('the tree leaves out what git ignores, and shows it on demand', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  mkdirSync(bench.path('.git'));
  const page = await bench.page();
  await row(page, 'README.md').waitFor();
  await row(page, 'src').click();
  await row(page, 'main.ts').waitFor();
  for (const name of ['build', 'a.log', '.git', 'local.txt']) assert.equal(await row(page, name).count(), 0, name);
  assert.equal(await row(page, 'keep.log').count(), 1);
  await page.getByLabel('Show ignored files').check();
  for (const name of ['build', 'a.log', '.git', 'local.txt']) await row(page, name).waitFor();
  await page.getByLabel('Show ignored files').uncheck();
  await gone(row(page, 'build'));
});

test('the tree follows the disk', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  await row(page, 'README.md').waitFor();
  bench.world.file('later.txt', 'later');
  await row(page, 'later.txt').waitFor();
});

test('files and folders are made in the tree, by name', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  await row(page, 'src').focus();
  await page.getByRole('button', { name: 'New folder', exact: true }).click();
  await page.getByLabel('Name of the new folder').fill('made');
  await press(page, 'Enter');
  await row(page, 'made').waitFor();
  assert.ok(statSync(bench.path('src/made')).isDirectory());
  await row(page, 'made').focus();
  await page.getByRole('button', { name: 'New file', exact: true }).click();
  await page.getByLabel('Name of the new file').fill('new.ts');
  await press(page, 'Enter');
  await tab(page, 'new.ts').waitFor();
  assert.equal(bench.read('src/made/new.ts'), '');
  await until('the caret is in the new file', () => isFocused(content(page)));
  await page.keyboard.type('hello');
  await until('what was typed', () => bench.text('src/made/new.ts') === 'hello');
});

test('a name that is taken, or leads out of the workspace, is refused and the field stays', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  for (const name of ['README.md', '../outside.txt', '../../tmp/x']) {
    await row(page, 'src').waitFor();
    await page.getByRole('button', { name: 'New file', exact: true }).click();
    const field = page.getByLabel('Name of the new file');
    await field.fill(name);
    await press(page, 'Enter');
    await page.locator('.toast.error').last().waitFor();
    assert.equal(await field.inputValue(), name);
    await press(page, 'Escape');
    await gone(field);
  }
  assert.equal(bench.read('README.md'), '# hello\n');
  assert.deepEqual(readdirSync(bench.world.root).sort(), ['home', 'tmp', 'ws']);
});

test('renaming keeps the tab, its unsaved text and its place', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  await openFile(page, 'README.md');
  await press(page, 'Control+End');
  await page.keyboard.type('unsaved');
  await row(page, 'README.md').focus();
  await press(page, 'F2');
  const field = page.getByLabel('New name of README.md');
  await field.fill('READ.md');
  await press(page, 'Enter');
  await tab(page, 'READ.md').waitFor();
  await gone(tab(page, 'README.md'));
  assert.ok(!existsSync(bench.path('README.md')));
  assert.equal(await textOf(content(page)), '# hello\nunsaved');
  await shows('it is still unsaved', tab(page, 'READ.md'), 'unsaved');
  await content(page).click();
  await press(page, 'Control+s');
  await until('the text under the new name', () => bench.read('READ.md') === '# hello\nunsaved');
});

test('renaming a folder takes the open files below it along', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  await row(page, 'src').click();
  await openFile(page, 'main.ts');
  await press(page, 'Control+Home');
  await page.keyboard.type('// typed\n');
  await until('it is with the workbench', () => bench.text('src/main.ts').startsWith('// typed'));
  await row(page, 'src').focus();
  await press(page, 'F2');
  await page.getByLabel('New name of src').fill('source');
  await press(page, 'Enter');
  await row(page, 'source').waitFor();
  await until('the tab has the new path', async () =>
    (await tab(page, 'main.ts').getAttribute('title'))?.endsWith('source/main.ts'),
  );
  assert.match(bench.text('source/main.ts'), /^\/\/ typed/);
  assert.equal(bench.companion.workspace.active?.path, bench.path('source/main.ts'));
  assert.equal(bench.companion.workspace.document(bench.path('src/main.ts')), undefined);
});

test('the tree is one stop of the Tab key and is walked with the arrows', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  await row(page, 'src').waitFor();
  await press(page, 'Alt+1');
  await until('the tree has the keyboard', () => isFocused(tree(page)));
  assert.equal(await tree(page).locator('[tabindex="0"]').count(), 1);
  await press(page, 'ArrowDown'); // src
  await until('src', () => isFocused(row(page, 'src')));
  await press(page, 'ArrowRight');
  await row(page, 'deep').waitFor();
  assert.equal(await row(page, 'src').getAttribute('aria-expanded'), 'true');
  await press(page, 'ArrowRight', 'ArrowDown', 'ArrowDown'); // deep, .gitignore, main.ts
  assert.ok(await isFocused(row(page, 'main.ts')));
  await press(page, 'Enter');
  await until('the text has the keyboard', async () => (await content(page).count()) > 0 && isFocused(content(page)));
  await press(page, 'Alt+1');
  await until('the file has the keyboard', () => isFocused(row(page, 'main.ts')));
  await press(page, 'ArrowLeft');
  await until('src', () => isFocused(row(page, 'src')));
  await press(page, 'ArrowLeft');
  await gone(row(page, 'main.ts'));
  await press(page, 'Escape');
  await until('back in the text', () => isFocused(content(page)));
});

test('Ctrl+P goes to a file by a part of its name', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  await row(page, 'src').waitFor();
  await press(page, 'Control+p');
  const dialog = page.getByRole('dialog', { name: 'Go to a file' });
  const field = dialog.getByRole('combobox');
  await until('the field has the keyboard', () => isFocused(field));
  await dialog.getByRole('option', { name: /inner\.ts/ }).waitFor();
  assert.equal(await dialog.getByRole('option', { name: /out\.js/ }).count(), 0, 'ignored files are left out');
  await field.fill('inrts');
  await until('only one is left', async () => (await dialog.getByRole('option').count()) === 1);
  await press(page, 'Enter');
  await tab(page, 'inner.ts').waitFor();
  await until('its text has the keyboard', () => isFocused(content(page)));
  await press(page, 'Control+p');
  await field.fill('nothing like it');
  await shows('it says so', dialog, 'No file has such a name.');
  await press(page, 'Escape');
  await gone(dialog);
  await until('the keyboard is back in the text', () => isFocused(content(page)));
});

test('a folder can be added to the workspace while it runs', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const added = join(bench.world.root, 'added');
  mkdirSync(added);
  const page = await bench.page();
  await page.getByRole('button', { name: 'Add a folder to the workspace' }).click();
  const field = page.getByLabel('Whole path of the folder to add');
  await field.fill('/');
  await press(page, 'Enter');
  await shows('the whole disk is refused', page.locator('.toast.error'), 'not a workspace');
  await field.fill(added);
  await press(page, 'Enter');
  await row(page, 'added').waitFor();
  assert.deepEqual(bench.companion.folders, [bench.world.workspace, added]);
});
