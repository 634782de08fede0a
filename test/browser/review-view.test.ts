import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { type Harness, startHarness } from './support/review-harness.ts';

let harness: Harness;
before(async () => {
  harness = await startHarness();
});
after(() => harness?.stop());

const OLD = [
  "import { join } from 'node:path';",
  '',
  'const LIMIT = 10;',
  ...Array.from({ length: 60 }, (_, at) => `export const value${at} = compute(${at});`),
  'function unused() {',
  '  return 1;',
  '}',
  'function compute(index) {',
  '  return index * LIMIT;',
  '}',
  '',
].join('\n');
const NEW = OLD.replace('LIMIT = 10', 'LIMIT = 100')
  .replace('value30 = compute(30)', 'value30 = compute(31)')
  .replace('function unused() {\n  return 1;\n}\n', '')
  .replace('  return index', '  check(index);\n  return index');

interface Options {
  readonly before?: string;
  readonly proposed?: string;
  readonly text?: string;
  readonly mode?: 'split' | 'inline';
  readonly readOnly?: boolean;
  readonly plain?: boolean;
  readonly worker?: boolean;
}

/** A page with a review open in it. It ends with a check that nothing broke the policy or threw. */
async function open(t: TestContext, options: Options = {}, context: BrowserContextOptions = {}): Promise<Page> {
  const page = await harness.page(context);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error.stack)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  t.after(async () => {
    const violations = await page.evaluate('review.violations');
    await page.context().close();
    assert.deepEqual(violations, []);
    assert.deepEqual(errors, []);
  });
  await reopen(page, options);
  return page;
}

/** Milliseconds until the finished comparison was painted. */
const reopen = (page: Page, options: Options = {}) =>
  page.evaluate(`review.open(${JSON.stringify({ before: OLD, proposed: NEW, ...options })})`) as Promise<number>;

const told = (page: Page) =>
  page.evaluate('review.position()') as Promise<{ current: number; total: number; done: number; pending: boolean }>;
const text = (page: Page) => page.evaluate('review.view.text') as Promise<string>;

/** Asked from here, since the page's policy allows no evaluation inside it. */
async function until(page: Page, condition: string): Promise<void> {
  const end = Date.now() + 10_000;
  while (!(await page.evaluate(condition))) {
    if (Date.now() > end) throw new Error(`still not so after ten seconds: ${condition}`);
    await page.waitForTimeout(20);
  }
}

/** Where the lines are that both panes show now, as [text, top on the left, top on the right]. */
const tops = (page: Page) =>
  page.evaluate(`(() => {
    const rows = (side) => new Map([...document.querySelectorAll('.tandem-review-' + side + ' .cm-line:not(.tandem-review-added, .tandem-review-removed)')]
      .map((line) => [line.textContent, Math.round(line.getBoundingClientRect().top)]).filter(([, top]) => top > 0 && top < innerHeight));
    const [left, right] = [rows('left'), rows('right')];
    return [...left].filter(([text]) => text !== '' && right.has(text)).map(([text, top]) => [text, top, right.get(text)]);
  })()`) as Promise<[string, number, number][]>;

/** The lines of the two panes that are not level, once they have had the time. */
async function uneven(page: Page): Promise<[string, number, number][]> {
  let rows: [string, number, number][] = [];
  for (let tries = 0; tries < 20; tries++) {
    await page.waitForTimeout(30);
    rows = await tops(page);
    rows = rows.filter(([, left, right]) => Math.abs(left - right) > 1);
    if (rows.length === 0) break;
  }
  return rows;
}

const right = (page: Page) => page.locator('.tandem-review-right .cm-content');
const words = (page: Page, side: string) => page.locator(`.tandem-review-${side} .tandem-review-word`);

test('side by side: every change is counted, marked by line and word, and level with its other side', async (t) => {
  const page = await open(t);
  assert.deepEqual(await told(page), { current: 1, total: 4, done: 0, pending: false });
  assert.equal(await page.locator('.tandem-review').getAttribute('data-mode'), 'split');
  assert.deepEqual(await words(page, 'left').allTextContents(), ['10', '30']);
  assert.deepEqual(await words(page, 'right').allTextContents(), ['100', '31']);
  assert.equal(await page.locator('.tandem-review-left .cm-line.tandem-review-removed').count(), 5);
  assert.equal(await page.locator('.tandem-review-right .cm-line.tandem-review-added').count(), 3);
  assert.deepEqual(await uneven(page), []);
});

test('side by side: the panes stay level with wrapped lines, while scrolling and after jumps', async (t) => {
  const long = 'and more text that goes on and on '.repeat(9);
  const lines = Array.from({ length: 3_000 }, (_, at) => `line ${at} ${at % 11 === 0 ? long : ''}`);
  const changed = lines.flatMap((line, at) => {
    if (at % 40 === 7) return [`${line} changed ${long}`];
    if (at % 90 === 12) return [line, `added after ${at}`, `and ${long}`];
    return at % 130 === 21 || (at % 600 > 300 && at % 600 < 480) ? [] : [line];
  });
  const page = await open(t, { before: lines.join('\n'), proposed: changed.join('\n'), plain: true });
  assert.deepEqual(await uneven(page), []);
  await page.evaluate('review.view.expandAll()');
  assert.equal(await page.locator('.tandem-review-fold').count(), 0);
  for (const press of ['Control+End', 'Control+Home']) {
    await page.evaluate('review.view.focus()');
    await page.keyboard.press(press);
    assert.deepEqual(await uneven(page), [], press);
  }
  await page.mouse.move(500, 400);
  for (let step = 0; step < 25; step++) {
    await page.mouse.wheel(0, step < 15 ? 700 : -700);
    assert.deepEqual(await uneven(page), [], `after ${step + 1} steps`);
  }
  for (let step = 0; step < 6; step++) {
    await page.evaluate('review.view.previous()');
    assert.deepEqual(await uneven(page), []);
    await page.locator('.tandem-review-pill.tandem-review-active').waitFor();
  }
});

test('inline: removed lines stand above what replaced them, with the numbers of both sides', async (t) => {
  const page = await open(t, { mode: 'inline' });
  assert.equal((await told(page)).total, 4);
  assert.deepEqual(await page.locator('.tandem-review-deleted .tandem-review-old').allTextContents(), [
    'const LIMIT = 10;',
    'export const value30 = compute(30);',
    'function unused() {',
    '  return 1;',
    '}',
  ]);
  assert.deepEqual(await page.locator('.tandem-review-deleted .tandem-review-word').allTextContents(), ['10', '30']);
  assert.equal(await page.locator('.tandem-review-left .cm-editor').count(), 0);
  await page.evaluate(`review.view.setMode('split')`);
  assert.equal(await page.locator('.tandem-review-left .cm-editor').count(), 1);
  assert.equal(await page.locator('.tandem-review-deleted').count(), 0);
});

test('a narrow parent shows split as inline, and comes back when there is room', async (t) => {
  const page = await open(t, {}, { viewport: { width: 500, height: 700 } });
  assert.equal(await page.locator('.tandem-review').getAttribute('data-mode'), 'inline');
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 500);
  await page.setViewportSize({ width: 1200, height: 700 });
  await page.locator('.tandem-review[data-mode=split]').waitFor();
  await page.setViewportSize({ width: 800, height: 700 });
  await page.locator('.tandem-review[data-mode=inline]').waitFor();
  assert.deepEqual(await page.evaluate('review.modes'), ['inline', 'split', 'inline']);
});

test('typing on the right is told once the typing pauses, and the changes follow', async (t) => {
  const page = await open(t);
  await page.evaluate('review.view.focus()');
  await page.keyboard.press('End');
  await page.keyboard.type(' // more', { delay: 5 });
  assert.match(await text(page), /const LIMIT = 100; \/\/ more\n/);
  await until(page, 'review.amended.length > 0');
  assert.deepEqual(await page.evaluate('review.amended'), [await text(page)]);
  await page.keyboard.press('Enter');
  await page.evaluate('review.view.flush()');
  assert.equal(await page.evaluate('review.amended.length'), 2);
  assert.equal((await told(page)).total, 4);
  await page.keyboard.press('Control+End');
  await page.keyboard.type('end');
  assert.equal((await told(page)).total, 5);
  await page.evaluate('review.view.flush()');
});

test('the left side cannot be changed, nor the right one when the review is read-only', async (t) => {
  const page = await open(t);
  await page.locator('.tandem-review-left .cm-line').first().click();
  await page.keyboard.type('x');
  assert.equal(await text(page), NEW);
  assert.equal(await page.locator('.tandem-review-left .cm-line').first().textContent(), OLD.split('\n')[0]);
  await reopen(page, { readOnly: true });
  await right(page).locator('.cm-line').first().click();
  await page.keyboard.type('x');
  await page.keyboard.press('Shift+Alt+Enter');
  assert.equal(await text(page), NEW);
  assert.equal(await page.locator('.tandem-review-pill').count(), 0);
});

for (const mode of ['split', 'inline'] as const) {
  test(`${mode}: next, previous, keep and put back by key`, async (t) => {
    const page = await open(t, { mode });
    await page.evaluate('review.view.focus()');
    const current = async () => (await told(page)).current;
    await page.keyboard.press('F7');
    assert.equal(await current(), 2);
    await page.keyboard.press('Alt+ArrowDown');
    assert.equal(await current(), 3);
    await page.keyboard.press('Shift+F7');
    await page.keyboard.press('Alt+ArrowUp');
    assert.equal(await current(), 1);
    await page.keyboard.press('Shift+F7');
    assert.equal(await current(), 4, 'round from the first to the last');
    await page.keyboard.press('F7');
    await page.keyboard.press('Alt+Enter');
    assert.deepEqual(await told(page), { current: 2, total: 4, done: 1, pending: false });
    assert.equal(await text(page), NEW);
    await page.keyboard.press('Shift+Alt+Enter');
    assert.deepEqual(await told(page), { current: 2, total: 3, done: 1, pending: false });
    assert.equal(await text(page), NEW.replace('compute(31)', 'compute(30)'));
    await page.keyboard.press('Shift+Alt+Enter');
    assert.match(await text(page), /function unused\(\) \{\n {2}return 1;\n\}\nfunction compute/);
    await page.keyboard.press('Control+z');
    assert.doesNotMatch(await text(page), /unused/);
    assert.match((await page.locator('.tandem-review-voice').textContent()) ?? '', /Change \d of \d: /);
  });

  test(`${mode}: keep and put back by button, also for a removal`, async (t) => {
    const page = await open(t, { mode });
    const pills = page.locator('.tandem-review-pill');
    assert.equal(await pills.count(), 4);
    await pills
      .nth(2)
      .getByRole('button', { name: /Put the old lines back/ })
      .click();
    assert.match(await text(page), /function unused/);
    assert.equal((await told(page)).total, 3);
    await pills
      .nth(0)
      .getByRole('button', { name: /Keep this change/ })
      .click();
    assert.equal((await told(page)).done, 1);
    await pills
      .nth(0)
      .getByRole('button', { name: /look at this change again/ })
      .click();
    assert.deepEqual(await told(page), { current: 1, total: 3, done: 0, pending: false });
    assert.equal(await pills.nth(0).getByRole('button').first().getAttribute('tabindex'), '0');
    assert.equal(await pills.nth(1).getByRole('button').first().getAttribute('tabindex'), '-1');
  });
}

test('unchanged lines are folded, come back by key, and the caret steps over those that do not', async (t) => {
  const page = await open(t, { mode: 'inline' });
  const folds = page.locator('.tandem-review-fold');
  assert.equal(await folds.count(), 2);
  await folds.first().getByRole('button', { name: 'Show 24 unchanged lines' }).focus();
  await page.keyboard.press('Enter');
  assert.equal(await folds.count(), 1);
  await page.evaluate('review.view.focus()');
  await page.keyboard.press('F7');
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowDown');
  assert.equal(await folds.count(), 1);
  await page.keyboard.type('!');
  await right(page).locator('.cm-line', { hasText: '!' }).waitFor();
});

test('a text that was changed elsewhere comes in without moving the caret, and is not told back', async (t) => {
  const page = await open(t);
  await page.evaluate('review.view.focus()');
  await page.keyboard.press('F7');
  const changed = NEW.replace('LIMIT = 100', 'LIMIT = 1000').replace('import {', '// new\nimport {');
  await page.evaluate(`review.view.setText(${JSON.stringify(changed)})`);
  assert.equal(await text(page), changed);
  assert.deepEqual(await told(page), { current: 3, total: 5, done: 0, pending: false });
  await page.keyboard.type('!');
  assert.match(await text(page), /\n!export const value30 = compute\(31\)/);
  await page.evaluate(`review.view.setText(${JSON.stringify(changed)})`);
  await page.evaluate('review.view.flush()');
  assert.deepEqual(await page.evaluate('review.amended'), [], 'the later text from elsewhere wins');
});

test('notes on lines of either side', async (t) => {
  const page = await open(t);
  await page.evaluate('review.view.focus()');
  await page.keyboard.press('Control+Alt+m');
  await page.getByRole('textbox', { name: 'Note on line 3' }).fill('Why <b>100</b>?');
  await page.keyboard.press('Control+Enter');
  assert.equal(await page.locator('.tandem-review-note-text').textContent(), 'Why <b>100</b>?');
  await page.locator('.tandem-review-left .cm-gutter.tandem-review-old .cm-gutterElement', { hasText: /^1$/ }).click();
  await page.getByRole('textbox', { name: 'Note on old line 1' }).fill('Keep this.');
  await page.keyboard.press('Escape');
  const notes = [
    { line: 1, text: 'Keep this.', side: 'before' },
    { line: 3, text: 'Why <b>100</b>?', side: 'proposed' },
  ];
  assert.deepEqual(await page.evaluate('review.view.notes'), notes);
  assert.deepEqual(await page.evaluate('review.notes.at(-1)'), notes);
  await page.evaluate(`review.view.setMode('inline')`);
  assert.equal(await page.locator('.tandem-review-note').count(), 2);
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('first\n');
  assert.equal(await page.evaluate('review.view.notes.at(-1).line'), 4, 'a note moves with its line');
  await page.getByRole('group', { name: 'Note on line 4' }).getByRole('button', { name: 'Delete' }).click();
  assert.equal(await page.evaluate('review.view.notes.length'), 1);
});

test('text is only ever text, and line ends are line feeds', async (t) => {
  const hostile = '<img src=x onerror=alert(1)>\n</script><style>*{display:none}</style>\n\u202eevil\r\nlast';
  const page = await open(t, { before: `${hostile}\n<i>old</i>`, proposed: `${hostile}!\n<i>new</i>`, mode: 'inline' });
  assert.equal(await page.locator('.tandem-review :is(img:not(.cm-widgetBuffer), i, style, script)').count(), 0);
  assert.equal(await text(page), `${hostile}!\n<i>new</i>`, 'nothing was changed by showing it');
  assert.equal((await page.locator('.cm-specialChar').count()) > 0, true, 'characters that hide are shown');
  await page.evaluate(`
    review.view.focus();
    const data = new DataTransfer();
    data.setData('text/plain', 'one\\r\\ntwo');
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  `);
  assert.match(await text(page), /one\ntwo/);
});

for (const [name, old, next, total] of [
  ['a new file', '', 'a\nb\n', 1],
  ['a file emptied', 'a\nb\n', '', 1],
  ['no difference', 'a\n', 'a\n', 0],
  ['a final newline added', 'a', 'a\n', 1],
  ['a final newline taken away', 'a\n', 'a', 1],
] as const) {
  test(`${name}: put back gives the old text`, async (t) => {
    for (const mode of ['split', 'inline'] as const) {
      const page = await open(t, { before: old, proposed: next, mode });
      assert.equal((await told(page)).total, total);
      await page.evaluate('review.view.rejectHunk()');
      assert.equal(await text(page), old);
      assert.equal((await told(page)).total, 0);
    }
  });
}

test('light and dark follow the system, and a data-theme attribute goes before it', async (t) => {
  const page = await open(t, {}, { colorScheme: 'dark' });
  const background = () =>
    page.evaluate(`getComputedStyle(document.querySelector('.tandem-review')).backgroundColor`) as Promise<string>;
  const dark = await background();
  await page.evaluate(`document.documentElement.dataset.theme = 'light'`);
  const light = await background();
  assert.notEqual(dark, light);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.evaluate(`delete document.documentElement.dataset.theme`);
  assert.equal(await background(), light);
  await page.evaluate(`document.documentElement.dataset.theme = 'dark'`);
  assert.equal(await background(), dark);
});

test('what people hear: names of the parts, and which text can be edited', async (t) => {
  const page = await open(t);
  await page.getByRole('region', { name: 'Review of the proposed change' }).waitFor();
  await page.getByRole('textbox', { name: 'On disk, read-only' }).waitFor();
  await page.getByRole('textbox', { name: 'Proposed by Claude Code, can be edited' }).waitFor();
  const unnamed = await page.evaluate(
    `[...document.querySelectorAll('button')].filter((b) => !(b.getAttribute('aria-label') || b.textContent).trim()).length`,
  );
  assert.equal(unnamed, 0);
});

test('without a worker the page compares by itself', async (t) => {
  const old = Array.from({ length: 5_000 }, (_, at) => `line ${at}`).join('\n');
  const page = await open(t, { before: old, proposed: old.replace('line 2500\n', 'line!\n'), worker: false });
  assert.equal((await told(page)).total, 1);
});

const LINES = Array.from({ length: 10_000 }, (_, at) => `  const value${at} = compute(${at}, 'some text');`);
const file = (change: (line: string, at: number) => string) => LINES.map(change).join('\n');
const CASES = [
  ['200 scattered changes', 200, file((line, at) => (at % 50 === 25 ? line.replace('some', 'other') : line))],
  ['5,000 changes, every second line', 5_000, file((line, at) => (at % 2 ? line.replace('some', 'other') : line))],
] as const;

for (const [name, total, proposed] of CASES) {
  for (const mode of ['split', 'inline'] as const) {
    test(`${name} in 10,000 lines, ${mode}: exact, and typing and moving go on`, async (t) => {
      const page = await open(t);
      const milliseconds = await reopen(page, { before: LINES.join('\n'), proposed, mode });
      const position = await told(page);
      assert.deepEqual({ ...position, current: 0 }, { current: 0, total, done: 0, pending: false });
      const tasks = () => page.evaluate('review.longTasks.splice(0).join(", ")');
      await page.waitForTimeout(300);
      t.diagnostic(`shown after ${milliseconds} ms; long tasks (ms): ${(await tasks()) || 'none'}`);
      await page.evaluate('review.view.previous()');
      assert.equal((await told(page)).current, total);
      await page.waitForTimeout(300);
      t.diagnostic(`to the last change; long tasks (ms): ${(await tasks()) || 'none'}`);
      await page.evaluate('review.view.focus()');
      await page.keyboard.type('abc');
      await page.keyboard.press('Shift+Alt+Enter');
      assert.equal((await told(page)).total, total - 1);
      await page.waitForTimeout(300);
      t.diagnostic(`typing and putting back; long tasks (ms): ${(await tasks()) || 'none'}`);
      await page.mouse.move(600, 400);
      for (let step = 0; step < 20; step++) await page.mouse.wheel(0, -800);
      await page.waitForTimeout(300);
      t.diagnostic(`scrolling; long tasks (ms): ${(await tasks()) || 'none'}`);
    });
  }
}
