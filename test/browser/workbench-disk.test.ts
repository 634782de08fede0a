import assert from 'node:assert/strict';
import { chmodSync, existsSync, lstatSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { until } from '../support/world.ts';
import { Bench } from './support/bench.ts';
import { caretsOf, content, gone, openFile, press, row, shows, tab, textOf } from './support/steps.ts';

const alert = 'This file was changed on disk, and you have unsaved changes.';

test('a clean file follows the disk, and the caret stays at its text', async (t) => {
  const bench = await Bench.start(t, { files: { 'a.txt': 'one\ntwo\nthree\n' } });
  const page = await bench.page();
  await openFile(page, 'a.txt');
  await press(page, 'Control+Home', 'ArrowDown', 'End');
  writeFileSync(bench.path('a.txt'), 'zero\none\ntwo\nthree\n');
  await until('the new text', async () => (await textOf(content(page))).startsWith('zero'));
  assert.deepEqual(await caretsOf(content(page)), [[12, 12]], 'still after "two"');
  assert.equal(await page.getByRole('alert').count(), 0);
});

test('text that was typed and not sent yet survives a change on disk', async (t) => {
  const bench = await Bench.start(t, { files: { 'a.txt': 'one\n' } });
  const page = await bench.page();
  await openFile(page, 'a.txt');
  await press(page, 'Control+End');
  // The write and the keys race: whoever is first, nothing of either is lost.
  for (let round = 0; round < 5; round++) {
    const onDisk = `${round}\n${bench.read('a.txt')}`;
    writeFileSync(bench.path('a.txt'), onDisk);
    await page.keyboard.type(`typed${round} `, { delay: 15 });
    await until('the disk’s text or the mark', async () => {
      const conflict = bench.editor.documents.get(bench.path('a.txt')).conflict;
      return conflict === 'changed' || (await textOf(content(page))).startsWith(`${round}\n`);
    });
    assert.match(await textOf(content(page)), new RegExp(`typed${round} `));
    if (bench.editor.documents.get(bench.path('a.txt')).conflict === 'changed') return;
    await press(page, 'Control+s');
    await until('saved', () => bench.read('a.txt').includes(`typed${round} `));
    assert.ok(bench.read('a.txt').startsWith(`${round}\n`), 'the other’s line is there too');
  }
});

test('a file with unsaved text is marked, is not overwritten, and "Take the disk’s" takes it', async (t) => {
  const bench = await Bench.start(t, { files: { 'a.txt': 'one\n' } });
  const page = await bench.page();
  await openFile(page, 'a.txt');
  await page.keyboard.type('mine ');
  await until('it is dirty', () => bench.editor.unsavedText(bench.path('a.txt')) === 'mine one\n');
  writeFileSync(bench.path('a.txt'), 'theirs\n');
  await shows('the mark', page.getByRole('alert'), alert);
  await content(page).click();
  await press(page, 'Control+s');
  await shows('it says so', page.locator('.toast'), 'Nothing was written');
  assert.equal(bench.read('a.txt'), 'theirs\n');
  await page.getByRole('button', { name: 'Take the disk’s' }).click();
  await until('the disk’s text', async () => (await textOf(content(page))) === 'theirs\n');
  await gone(page.getByRole('alert'));
});

test('"Overwrite with mine" overwrites, because the user says so', async (t) => {
  const bench = await Bench.start(t, { files: { 'a.txt': 'one\n' } });
  const page = await bench.page();
  await openFile(page, 'a.txt');
  await page.keyboard.type('mine ');
  await until('it is dirty', () => bench.editor.unsavedText(bench.path('a.txt')) === 'mine one\n');
  writeFileSync(bench.path('a.txt'), 'theirs\n');
  await page.getByRole('button', { name: 'Overwrite with mine' }).click();
  await until('mine', () => bench.read('a.txt') === 'mine one\n');
  await gone(page.getByRole('alert'));
});

test('a change that no watch told of is found when saving', async (t) => {
  const bench = await Bench.start(t, { files: { 'a.txt': 'one\n' } });
  const page = await bench.page();
  await openFile(page, 'a.txt');
  await page.keyboard.type('mine ');
  await until('it is dirty', () => bench.editor.unsavedText(bench.path('a.txt')) === 'mine one\n');
  await bench.editor.stop(); // no watches any more
  writeFileSync(bench.path('a.txt'), 'theirs\n');
  await press(page, 'Control+s');
  await shows('the mark', page.getByRole('alert'), alert);
  assert.equal(bench.read('a.txt'), 'theirs\n');
});

test('taking back what was typed lets the file follow the disk again', async (t) => {
  const bench = await Bench.start(t, { files: { 'a.txt': 'one\n' } });
  const page = await bench.page();
  await openFile(page, 'a.txt');
  await page.keyboard.type('x');
  await until('it is dirty', () => bench.editor.unsavedText(bench.path('a.txt')) === 'xone\n');
  writeFileSync(bench.path('a.txt'), 'theirs\n');
  await page.getByRole('alert').waitFor();
  await content(page).click();
  await press(page, 'Control+z');
  await until('the disk’s text', async () => (await textOf(content(page))) === 'theirs\n');
  await gone(page.getByRole('alert'));
});

test('a deleted file is marked and can be written again', async (t) => {
  const bench = await Bench.start(t, { files: { 'a.txt': 'one\n' } });
  const page = await bench.page();
  await openFile(page, 'a.txt');
  rmSync(bench.path('a.txt'));
  await shows('the mark', page.getByRole('alert'), 'This file was deleted on disk.');
  await page.getByRole('button', { name: 'Write it again' }).click();
  await until('it is there', () => existsSync(bench.path('a.txt')));
  assert.equal(bench.read('a.txt'), 'one\n');
  await gone(page.getByRole('alert'));
});

const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
const FORMATS: Readonly<Record<string, { before: Buffer; after: Buffer; shown: string }>> = {
  CRLF: { before: Buffer.from('a\r\nb\r\n'), after: Buffer.from('Xa\r\nb\r\n'), shown: 'a\nb\n' },
  'UTF-8 with a mark': {
    before: Buffer.from('\ufeffgrüße\r\n'),
    after: Buffer.from('\ufeffXgrüße\r\n'),
    shown: 'grüße\n',
  },
  'UTF-16': { before: utf16('a 😀\r\nb'), after: utf16('Xa 😀\r\nb'), shown: 'a 😀\nb' },
  'UTF-16, big end first': {
    before: Buffer.from(utf16('a\nb')).swap16(),
    after: Buffer.from(utf16('Xa\nb')).swap16(),
    shown: 'a\nb',
  },
  'Latin-1': {
    before: Buffer.from('gr\xfc\xdfe\n', 'latin1'),
    after: Buffer.from('Xgr\xfc\xdfe\n', 'latin1'),
    shown: 'grüße\n',
  },
  'mixed line ends': {
    before: Buffer.from('a\r\nb\nc\rd\r\n'),
    after: Buffer.from('Xa\r\nb\nc\rd\r\n'),
    shown: 'a\r\nb\nc\rd\r\n',
  },
  'no last line end': { before: Buffer.from('a\nb'), after: Buffer.from('Xa\nb'), shown: 'a\nb' },
};

for (const [name, { before, after, shown }] of Object.entries(FORMATS)) {
  test(`${name}: kept byte for byte but for what was typed`, async (t) => {
    const bench = await Bench.start(t, { files: { 'a.txt': before } });
    const page = await bench.page();
    await openFile(page, 'a.txt');
    assert.equal(await textOf(content(page)), shown);
    await press(page, 'Control+Home');
    await page.keyboard.type('X');
    await press(page, 'Control+s');
    await until('saved', () => readFileSync(bench.path('a.txt')).equals(after));
  });
}

test('a character that the old encoding has no place for makes it UTF-8, and the page says so', async (t) => {
  const bench = await Bench.start(t, { files: { 'a.txt': Buffer.from('gr\xfcn\n', 'latin1') } });
  const page = await bench.page();
  await openFile(page, 'a.txt');
  await page.keyboard.insertText('日');
  await press(page, 'Control+s');
  await until('saved', () => bench.read('a.txt') === '日grün\n');
  await shows('it says so', page.locator('.toast.warning'), 'UTF-8 now');
});

test('a link stays a link, and a write-protected file is not written', async (t) => {
  const bench = await Bench.start(t, { files: { 'real.txt': 'real\n', 'locked.txt': 'locked\n' } });
  symlinkSync('real.txt', bench.path('link.txt'));
  const page = await bench.page();
  await openFile(page, 'link.txt');
  await page.keyboard.type('X');
  await press(page, 'Control+s');
  await until('what it points to', () => bench.read('real.txt') === 'Xreal\n');
  assert.ok(lstatSync(bench.path('link.txt')).isSymbolicLink());
  chmodSync(bench.path('locked.txt'), 0o444);
  if (process.getuid?.() === 0) return; // root may write everything
  await openFile(page, 'locked.txt');
  await page.keyboard.type('X');
  await press(page, 'Control+s');
  await page.locator('.toast.error').waitFor();
  assert.equal(bench.read('locked.txt'), 'locked\n');
});

test('50 MB open read-only, and the page stays alive', async (t) => {
  const line = `${'0123456789'.repeat(10)}\n`;
  const bench = await Bench.start(t, { files: { 'big.txt': line.repeat(520_000), 'a.txt': 'small\n' } });
  assert.ok(statSync(bench.path('big.txt')).size > 50 * 1024 * 1024);
  const page = await bench.page();
  await row(page, 'big.txt').dblclick();
  await page.locator('.cm-line').first().waitFor({ timeout: 20_000 });
  await shows('why', page.locator('.note'), 'read-only');
  await content(page).click();
  await page.keyboard.type('x');
  await press(page, 'Control+End');
  await shows('the last lines', page.getByTitle('Line and column'), '520001');
  assert.equal(bench.editor.documents.get(bench.path('big.txt')).dirty, false);
  const answered = Date.now();
  await openFile(page, 'a.txt');
  assert.ok(Date.now() - answered < 5000, 'another file opens at once');
});

test('a binary file is shown as such', async (t) => {
  const bench = await Bench.start(t, { files: { 'a.png': Buffer.from([0x89, 0x50, 0, 1, 2, 0, 255]) } });
  const page = await bench.page();
  await row(page, 'a.png').dblclick();
  await tab(page, 'a.png').waitFor();
  await shows('what it is', page.getByRole('tabpanel'), 'This is a binary file.');
  assert.equal(await page.locator('.cm-content').count(), 0);
  assert.equal(bench.companion.workspace.document(bench.path('a.png')), undefined, 'agents are not told of it');
});
