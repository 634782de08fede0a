import type { Locator, Page } from 'playwright-core';
import { until } from '../../support/world.ts';

/** What a person does at the page, in few words. */

export const tree = (page: Page) => page.getByRole('tree', { name: 'Files' });
export const row = (page: Page, name: string) => tree(page).getByRole('treeitem', { name, exact: true });
export const tab = (page: Page, name: string) =>
  page.getByRole('tablist', { name: 'Open files' }).getByRole('tab', { name });
export const panelButton = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name });
export const messages = (page: Page) => page.getByRole('status', { name: 'Messages' });
export const review = (page: Page) => page.getByRole('region', { name: /^Review of / }).first();
export const reviews = (page: Page) => page.getByRole('list', { name: 'Waiting reviews' }).getByRole('listitem');

/** The text area of the file in front. */
export const content = (page: Page) => page.getByRole('tabpanel').locator('.cm-content');
/** The right side of the review that is shown. */
export const proposed = (page: Page) => review(page).getByRole('textbox', { name: /^Proposed by / });

/** Opens a file by its row; folders on the way must be open. */
export async function openFile(page: Page, name: string): Promise<void> {
  await row(page, name).dblclick();
  await tab(page, name).waitFor();
  await until(`${name} in front`, async () => (await tab(page, name).getAttribute('aria-selected')) === 'true');
  await content(page).waitFor();
  // The caret follows a frame later; what is typed before that goes elsewhere.
  await until(`the caret in ${name}`, () => isFocused(content(page)));
}

/** Ctrl+Home and so on, in the text in front. */
export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Shows the next review by keyboard, once there is one, and has the keyboard in it. */
export async function nextReview(page: Page): Promise<void> {
  await panelButton(page, 'Reviews').locator('.badge').waitFor();
  await press(page, 'Alt+.');
  await until(
    'the review has the keyboard',
    async () => (await proposed(page).count()) > 0 && isFocused(proposed(page)),
  );
}

/** Runs in the browser, whose types this side does not have. */
export function inPage<T>(expression: string): (element: unknown) => T {
  return new Function('element', `return ${expression}`) as (element: unknown) => T;
}

/** The whole text that an editor holds, also what is scrolled away. */
export function textOf(editor: Locator): Promise<string> {
  return editor.evaluate(inPage<string>('element.cmTile.root.view.state.doc.toString()'));
}

/** Anchor and head of each caret. */
export function caretsOf(editor: Locator): Promise<[number, number][]> {
  const ranges = 'element.cmTile.root.view.state.selection.ranges';
  return editor.evaluate(inPage<[number, number][]>(`${ranges}.map((range) => [range.anchor, range.head])`));
}

export function isFocused(locator: Locator): Promise<boolean> {
  return locator.evaluate(inPage<boolean>('element.contains(document.activeElement)'));
}

export async function shows(what: string, locator: Locator, text: string | RegExp): Promise<void> {
  await until(what, async () => {
    const shown = (await locator.allInnerTexts()).join('\n');
    return typeof text === 'string' ? shown.includes(text) : text.test(shown);
  });
}

export async function gone(locator: Locator): Promise<void> {
  await locator.waitFor({ state: 'detached' });
}
