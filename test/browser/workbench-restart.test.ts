import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { HttpAgent } from '../support/http-agent.ts';
import { createWorld, until } from '../support/world.ts';
import { Bench, newContext, watch } from './support/bench.ts';
import { connected } from './support/browser.ts';
import { serveWorkbench } from './support/process.ts';
import {
  content,
  gone,
  isFocused,
  nextReview,
  openFile,
  panelButton,
  press,
  proposed,
  review,
  shows,
  tab,
  textOf,
} from './support/steps.ts';

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  test(`${signal} and a new start in the same folder: the page comes back by itself with everything`, async (t) => {
    const world = createWorld(t);
    const [a, b] = [world.file('a.txt', 'one\n'), world.file('b.txt', 'b\n')];
    world.file('c.txt', 'c\n');
    const first = await serveWorkbench(t, world);
    const page = await (await newContext(t)).newPage();
    watch(t, page, new URL(first.url).host);
    await page.goto(first.url);
    await connected(page);
    await openFile(page, 'c.txt');
    await typeInto(page, 'b.txt', 'hidden ', 'b\n');
    await typeInto(page, 'a.txt', 'unsaved ', 'one\n');
    await page.reload(); // the texts are with the workbench alone now, but for what the page fetches
    await connected(page);
    await until(
      'the text',
      async () => (await content(page).count()) > 0 && (await textOf(content(page))) === 'unsaved one\n',
    );
    const agent = await new HttpAgent(first.port, first.token('gemini')).connect();
    t.after(() => agent.drop());
    await agent.call('openDiff', { filePath: a, newContent: 'proposed\n' });
    await nextReview(page);
    first.child.kill(signal);
    await first.ended;
    await shows('the page says so', page.getByRole('status', { name: 'Connection' }), /reconnecting|connecting/);
    const second = await serveWorkbench(t, world);
    assert.equal(new URL(second.url).host, new URL(first.url).host, 'the same port');
    await connected(page);
    await gone(review(page)); // it went with the workbench; the agent asks again
    await until(
      'the unsaved text',
      async () => (await content(page).count()) > 0 && (await textOf(content(page))) === 'unsaved one\n',
    );
    await shows('it is marked', tab(page, 'a.txt'), 'unsaved');
    await shows('so is the other', tab(page, 'b.txt'), 'unsaved');
    await tab(page, 'c.txt').waitFor();
    await tab(page, 'b.txt').click();
    await until('the other text', async () => (await textOf(content(page))) === 'hidden b\n');
    await content(page).click();
    await press(page, 'Control+s');
    await until('it can be saved', () => readFileSync(b, 'utf8') === 'hidden b\n');
    assert.equal(readFileSync(a, 'utf8'), 'one\n');
    const again = await new HttpAgent(second.port, second.token('gemini')).connect();
    t.after(() => again.drop());
    await again.call('openDiff', { filePath: b, newContent: 'again\n' });
    await nextReview(page);
    assert.equal(await textOf(proposed(page)), 'again\n');
  });
}

test('what is typed while the workbench is away is kept, also against a change on disk and a deleted file', async (t) => {
  const world = createWorld(t);
  const [a, b] = [world.file('a.txt', 'one\n'), world.file('b.txt', 'b\n')];
  const first = await serveWorkbench(t, world);
  const page = await (await newContext(t)).newPage();
  watch(t, page, new URL(first.url).host);
  await page.goto(first.url);
  await connected(page);
  await openFile(page, 'b.txt');
  await page.keyboard.type('x ');
  await openFile(page, 'a.txt');
  await page.keyboard.type('before ');
  await shows('it is with the workbench', tab(page, 'a.txt'), 'unsaved');
  first.child.kill('SIGKILL');
  await first.ended;
  await shows('the page says so', page.getByRole('main'), 'The workbench is away.');
  await page.keyboard.type('during ');
  assert.ok(await isFocused(content(page)), 'typing goes on');
  writeFileSync(a, 'changed by another\n');
  rmSync(b);
  await serveWorkbench(t, world);
  await connected(page);
  await until('all of it', async () => (await textOf(content(page))) === 'before during one\n');
  assert.ok(await isFocused(content(page)), 'the keyboard stays where it was');
  await shows('the change on disk is not overwritten silently', page.getByRole('alert'), 'changed on disk');
  await press(page, 'Control+s');
  await shows('it says so', page.locator('.toast'), 'Nothing was written');
  assert.equal(readFileSync(a, 'utf8'), 'changed by another\n');
  await tab(page, 'b.txt').click();
  await until('the text of the deleted one', async () => (await textOf(content(page))) === 'x b\n');
  await shows('it is marked', page.getByRole('alert'), 'deleted on disk');
  await page.getByRole('button', { name: 'Write it again' }).click();
  await until('it is written', () => {
    try {
      return readFileSync(b, 'utf8') === 'x b\n';
    } catch {
      return false;
    }
  });
});

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  test(`no page is open and the workbench ends by ${signal}: unsaved text and edits in a review are there at the next start`, async (t) => {
    const world = createWorld(t);
    const [a, b, c] = [world.file('a.txt', 'one\n'), world.file('b.txt', 'b\n'), world.file('c.txt', 'c\n')];
    const first = await serveWorkbench(t, world);
    const context = await newContext(t);
    const page = await context.newPage();
    await page.goto(first.url);
    await connected(page);
    await typeInto(page, 'a.txt', 'unsaved ', 'one\n');
    await typeInto(page, 'b.txt', 'saved ', 'b\n');
    await press(page, 'Control+s');
    await until('it is saved', () => readFileSync(b, 'utf8') === 'saved b\n');
    const agent = await new HttpAgent(first.port, first.token('gemini')).connect();
    t.after(() => agent.drop());
    await agent.call('openDiff', { filePath: c, newContent: 'proposed\n' });
    await nextReview(page);
    await proposed(page).click();
    await press(page, 'Control+Home');
    await page.keyboard.type('mine and ');
    await until('it is with the workbench', () =>
      drafts(world.home).some(({ text }) => text === 'mine and proposed\n'),
    );
    await until('so is the other', () => drafts(world.home).some(({ text }) => text === 'unsaved one\n'));
    await page.close();
    first.child.kill(signal);
    await first.ended;
    assert.deepEqual(
      drafts(world.home)
        .map(({ path, mode }) => [path, mode])
        .sort(),
      [
        [a, 0o600],
        [c, 0o600],
      ],
    );
    const second = await serveWorkbench(t, world);
    const other = await (await newContext(t)).newPage();
    await other.goto(second.url);
    await connected(other);
    await shows('it is marked', tab(other, 'a.txt'), 'unsaved');
    await tab(other, 'a.txt').click();
    await until('the text', async () => (await textOf(content(other))) === 'unsaved one\n');
    await tab(other, 'c.txt').click();
    await until('the text of the review', async () => (await textOf(content(other))) === 'mine and proposed\n');
    assert.equal(await other.getByRole('alert').count(), 0, 'nothing else has changed these files');
    await content(other).click();
    await press(other, 'Control+s');
    await until('it can be saved', () => readFileSync(c, 'utf8') === 'mine and proposed\n');
    await until('and is no draft then', () => drafts(world.home).every(({ path }) => path !== c));
    assert.equal(readFileSync(a, 'utf8'), 'one\n');
  });
}

test('a page that is still open knows the text better than what was last written of it', async (t) => {
  const world = createWorld(t);
  world.file('a.txt', 'one\n');
  const first = await serveWorkbench(t, world);
  const page = await (await newContext(t)).newPage();
  await page.goto(first.url);
  await connected(page);
  await typeInto(page, 'a.txt', 'all of it ', 'one\n');
  await until('the draft', () => drafts(world.home).some(({ text }) => text === 'all of it one\n'));
  first.child.kill('SIGKILL');
  await first.ended;
  // As if it had died before the last keys were written.
  for (const { file, path, text } of drafts(world.home)) {
    writeFileSync(file, JSON.stringify({ path, text: text.replace(' of it', '') }));
  }
  await serveWorkbench(t, world);
  await connected(page);
  await until('the draft is the newer text', () => drafts(world.home).some(({ text }) => text === 'all of it one\n'));
  assert.equal(await textOf(content(page)), 'all of it one\n');
});

test('a page that sees the workbench go before its record is written is handed over all the same', async (t) => {
  const bench = await Bench.start(t);
  const page = await bench.page();
  await bench.workbench.stop();
  await shows('the page saw it', page.getByRole('status', { name: 'Connection' }), /reconnecting|connecting/);
  await bench.companion.stop();
  const folder = join(bench.world.home, '.tandem', 'run');
  const [record, ...others] = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  assert.equal(others.length, 0);
  assert.equal(record?.kept?.sessions?.length, 1);
});

test('two workbenches on one folder keep their unsaved text apart', async (t) => {
  const world = createWorld(t);
  world.file('a.txt', 'one\n');
  const first = await serveWorkbench(t, world);
  const page = await (await newContext(t)).newPage();
  await page.goto(first.url);
  await connected(page);
  await typeInto(page, 'a.txt', 'first ', 'one\n');
  await until('the draft', () => drafts(world.home).length === 1);
  const second = await serveWorkbench(t, world);
  const other = await (await newContext(t)).newPage();
  await other.goto(second.url);
  await connected(other);
  assert.equal(await tab(other, 'a.txt').count(), 0, 'it is not open here');
  await typeInto(other, 'a.txt', 'second ', 'one\n');
  await until(
    'both',
    () =>
      drafts(world.home)
        .map(({ text }) => text)
        .sort()
        .join() === 'first one\n,second one\n',
  );
});

test('a page that the new workbench does not know keeps its text, and comes back when another is let in', async (t) => {
  const world = createWorld(t);
  world.file('a.txt', 'one\n');
  const first = await serveWorkbench(t, world);
  const context = await newContext(t);
  const page = await context.newPage();
  await page.goto(first.url);
  await connected(page);
  await openFile(page, 'a.txt');
  await page.keyboard.type('unsaved ');
  await shows('the mark', tab(page, 'a.txt'), 'unsaved');
  await context.clearCookies();
  first.child.kill('SIGTERM');
  await first.ended;
  const second = await serveWorkbench(t, world);
  await shows('it says so', page.getByRole('alert'), 'not known to the workbench');
  assert.equal(await textOf(content(page)), 'unsaved one\n');
  const other = await context.newPage();
  await other.goto(second.url);
  await connected(other);
  await connected(page);
  await shows('its text is back', tab(other, 'a.txt'), 'unsaved');
  assert.equal(await panelButton(page, 'Reviews').isVisible(), true);
});

interface Draft {
  file: string;
  path: string;
  text: string;
  mode: number;
}

/** Unsaved text as it lies on disk. */
function drafts(home: string): Draft[] {
  const folder = join(home, '.tandem', 'drafts');
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const file = join(folder, name);
      return { ...JSON.parse(readFileSync(file, 'utf8')), file, mode: statSync(file).mode & 0o777 };
    });
}

/** Opens a file, types at its start once the caret is in it, and waits until the workbench has heard of it. */
async function typeInto(page: Page, name: string, text: string, rest: string): Promise<void> {
  await openFile(page, name);
  await until(
    `the caret in ${name}`,
    async () => (await textOf(content(page))) === rest && (await isFocused(content(page))),
  );
  await page.keyboard.type(text);
  await until(`the text in ${name}`, async () => (await textOf(content(page))) === text + rest);
  await shows('it is marked', tab(page, name), 'unsaved');
}
