import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/world.ts';
import { Bench } from './support/bench.ts';
import { colours, contrast, luminance } from './support/looks.ts';
import {
  content,
  gone,
  isFocused,
  messages,
  nextReview,
  openFile,
  panelButton,
  press,
  proposed,
  review,
  row,
  shows,
} from './support/steps.ts';

const FILES = {
  'src/a-file-with-a-rather-long-name-that-has-to-fit.ts': 'x\n',
  'a.ts': `${'const long = "0123456789";'.repeat(12)}\nconst b = 1;\n`,
};

for (const colorScheme of ['light', 'dark'] as const) {
  test(`${colorScheme}: as the system wants it, and every text has enough contrast`, async (t) => {
    const bench = await Bench.start(t, { files: FILES });
    const page = await bench.page({ colorScheme });
    await bench.claude();
    await openFile(page, 'a.ts');
    const back = (await page.evaluate('getComputedStyle(document.body).backgroundColor')) as string;
    assert.ok(colorScheme === 'light' ? luminance(back) > 0.8 : luminance(back) < 0.1, back);
    for (const panel of ['Files', 'Reviews', 'Agents', 'Context']) {
      if ((await panelButton(page, panel).getAttribute('aria-pressed')) !== 'true')
        await panelButton(page, panel).click();
      await page.getByRole('complementary', { name: panel }).waitFor();
      for (const { text, colour, behind } of await colours(page)) {
        assert.ok(contrast(colour, behind) >= 4.5, `${panel}: "${text}" is ${colour} on ${behind}`);
      }
    }
  });
}

test('everything can be reached with the Tab key, in order, and one sees where one is', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  await bench.claude();
  await openFile(page, 'a.ts');
  await press(page, 'Escape', 'Tab');
  const seen: string[] = [];
  for (let i = 0; i < 40; i++) {
    const stop = (await page.evaluate(`(() => {
      const element = document.activeElement;
      const style = getComputedStyle(element);
      const marked = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
      const label = element.getAttribute('aria-label') ?? element.innerText;
      const visible = marked || element.matches('.cm-content, body, .splitter') || element.closest('label');
      return { label: label.trim(), visible: Boolean(visible) };
    })()`)) as { label: string; visible: boolean };
    assert.ok(stop.visible, `no sign of the focus at "${stop.label}"`);
    seen.push(stop.label);
    if (await isFocused(content(page))) await press(page, 'Escape');
    await press(page, 'Tab');
  }
  for (const wanted of [
    'Files',
    'Reviews',
    'Keyboard help',
    'New file',
    'Width of the sidebar',
    /^a\.ts/,
    'sharing: auto',
  ]) {
    assert.ok(
      seen.some((label) => (typeof wanted === 'string' ? label.includes(wanted) : wanted.test(label))),
      `${wanted} in ${seen.join(' | ')}`,
    );
  }
});

test('every control has a name, and the landmarks are there', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  const agent = await bench.agent();
  await openFile(page, 'a.ts');
  await agent.call('openDiff', { filePath: bench.path('a.ts'), newContent: 'new\n' });
  await nextReview(page);
  for (const panel of ['Files', 'Reviews', 'Agents', 'Context']) {
    if ((await panelButton(page, panel).getAttribute('aria-pressed')) !== 'true')
      await panelButton(page, panel).click();
    const nameless =
      await page.evaluate(`[...document.querySelectorAll('button, input, textarea, [role], [contenteditable=true]')]
      .filter((each) => each.checkVisibility() && !['none', 'presentation'].includes(each.getAttribute('role')))
      .filter((each) => !(each.getAttribute('aria-label') || each.innerText?.trim() || each.labels?.length || each.title))
      .map((each) => each.outerHTML.slice(0, 120))`);
    assert.deepEqual(nameless, []);
  }
  for (const role of ['banner', 'navigation', 'main', 'complementary', 'contentinfo'] as const) {
    assert.equal(await page.getByRole(role).count(), 1, role);
  }
  assert.equal(await page.getByRole('region', { name: 'Review of a.ts' }).count(), 1);
  await proposed(page).waitFor();
});

test('F1 shows the keys, and Escape gives the keyboard back', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  await openFile(page, 'a.ts');
  await press(page, 'F1');
  const dialog = page.getByRole('dialog', { name: 'Keyboard' });
  await shows('the keys', dialog, 'Ctrl P');
  await press(page, 'Escape');
  await gone(dialog);
  await until('the text has the keyboard', () => isFocused(content(page)));
});

for (const width of [1024, 480]) {
  test(`${width} px wide: nothing is cut off, and a review can be done`, async (t) => {
    const bench = await Bench.start(t, { files: FILES });
    const page = await bench.page({ viewport: { width, height: 720 } });
    const agent = await bench.agent();
    const narrow = width < 720;
    if (narrow) await panelButton(page, 'Files').click();
    await openFile(page, 'a.ts');
    const fits = async (where: string) => {
      const cut = await page.evaluate(`[...document.querySelectorAll('header *, .pane-head *, footer *, .toast *')]
        .filter((each) => each.checkVisibility() && !each.closest('.visually-hidden'))
        .filter((each) => { const box = each.getBoundingClientRect(); return box.right > innerWidth + 1 || box.left < -1; })
        .map((each) => each.outerHTML.slice(0, 100))`);
      assert.deepEqual(cut, [], where);
      assert.equal(await page.evaluate('document.scrollingElement.scrollWidth'), width, where);
    };
    await fits('text');
    await agent.call('openDiff', { filePath: bench.path('a.ts'), newContent: 'const c = 1;\nconst b = 2;\n' });
    await shows('it is announced', messages(page), 'proposes a change');
    await fits('announced');
    await nextReview(page);
    await fits('review');
    assert.equal(await review(page).locator('.cm-editor').count(), narrow || width < 1200 ? 1 : 2);
    for (const panel of ['Files', 'Reviews', 'Agents', 'Context']) {
      if ((await panelButton(page, panel).getAttribute('aria-pressed')) !== 'true')
        await panelButton(page, panel).click();
      await page.getByRole('complementary', { name: panel }).waitFor();
      await fits(panel);
    }
    if (narrow) {
      assert.equal(await review(page).isVisible(), false, 'the panel covers it');
      await panelButton(page, 'Context').click();
    }
    await review(page).getByRole('button', { name: 'Accept', disabled: false }).click();
    await until('the answer', () => agent.notified('ide/diffAccepted').length === 1);
    await panelButton(page, 'Files').click();
    await row(page, 'a.ts').waitFor();
  });
}
