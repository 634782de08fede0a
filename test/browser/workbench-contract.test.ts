import { realpathSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { Workbench } from '../../packages/cli/src/workbench/workbench.ts';
import { WorkbenchEditor } from '../../packages/cli/src/workbench/workbench-editor.ts';
import { EDITOR_CONTRACT, type EditorUser } from '../../packages/core/src/editor/contract.ts';
import { Companion, MemoryEditor, type Review } from '../../packages/core/src/index.ts';
import { createWorld, until, type World } from '../support/world.ts';
import { newContext, watch } from './support/bench.ts';
import { ASSETS, connected } from './support/browser.ts';
import { content, panelButton, press, proposed, reviews, row, review as shown, textOf } from './support/steps.ts';

/** A person at the page: everything goes through the mouse and the keyboard. */
class PageUser implements EditorUser {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async open(path: string): Promise<void> {
    const name = nameOf(path);
    await this.#panel('Files');
    await row(this.#page, name).dblclick();
    await this.#tab(path).waitFor();
    await this.focus(path);
  }

  async focus(path: string): Promise<void> {
    await this.#tab(path).click();
    await until(`${path} in front`, async () => (await this.#tab(path).getAttribute('aria-selected')) === 'true');
    await content(this.#page).click();
  }

  async select(path: string, { start, end }: Parameters<EditorUser['select']>[1]): Promise<void> {
    await this.focus(path);
    await press(this.#page, 'Control+Home');
    await this.#walk(start.line, 'ArrowDown');
    await press(this.#page, 'Home');
    await this.#walk(await this.#steps(start), 'ArrowRight');
    await this.#walk(end.line - start.line, 'Shift+ArrowDown');
    await press(this.#page, 'Shift+Home');
    await this.#walk(await this.#steps(end), 'Shift+ArrowRight');
  }

  async type(path: string, text: string): Promise<void> {
    await this.focus(path);
    await press(this.#page, 'Control+a');
    await this.#page.keyboard.insertText(text);
  }

  async close(path: string): Promise<void> {
    await this.#page.getByRole('button', { name: `Close ${nameOf(path)}` }).click();
    await this.#tab(path).waitFor({ state: 'detached' });
  }

  async addFolder(path: string): Promise<void> {
    await this.#panel('Files');
    await this.#page.getByRole('button', { name: 'Add a folder to the workspace' }).click();
    await this.#page.getByLabel('Whole path of the folder to add').fill(realpathSync(path));
    await press(this.#page, 'Enter');
  }

  async sees(review: Review): Promise<boolean> {
    await this.#panel('Reviews');
    return (await this.#card(review).count()) > 0;
  }

  async amend(review: Review, text: string): Promise<void> {
    await this.#show(review);
    await proposed(this.#page).click();
    await press(this.#page, 'Control+a');
    await this.#page.keyboard.insertText(text);
  }

  async accept(review: Review): Promise<void> {
    await this.#show(review);
    await shown(this.#page).getByRole('button', { name: 'Accept', disabled: false }).waitFor();
    await press(this.#page, 'Control+Enter');
  }

  async reject(review: Review): Promise<void> {
    await this.#show(review);
    await shown(this.#page).getByRole('button', { name: 'Reject', disabled: false }).click();
  }

  async #show(review: Review): Promise<void> {
    await this.#panel('Reviews');
    await this.#card(review).getByRole('button').click();
    await until('its text', async () => (await proposed(this.#page).count()) > 0);
    await proposed(this.#page).focus();
  }

  #card(review: Review) {
    return reviews(this.#page).and(this.#page.locator(`[data-review="${review.id}"]`));
  }

  #tab(path: string) {
    return this.#page.getByRole('tablist').locator(`[data-path="${path}"]`);
  }

  async #panel(name: string): Promise<void> {
    const button = panelButton(this.#page, name);
    if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click();
  }

  /** Arrow presses to a column: one for each character, which may be two units. */
  async #steps({ line, character }: { line: number; character: number }): Promise<number> {
    const text = (await textOf(content(this.#page))).split('\n')[line] ?? '';
    return [...text.slice(0, character)].length;
  }

  async #walk(times: number, key: string): Promise<void> {
    for (let i = 0; i < times; i++) await press(this.#page, key);
  }
}

const nameOf = (path: string) => path.split('/').at(-1) ?? path;

/** Links, policy and ledger for the page; the desk and the workspace are the contract's own. */
async function surroundings(world: World): Promise<Companion> {
  const companion = new Companion({
    editor: new MemoryEditor({ folders: [world.workspace] }),
    places: { home: world.home, tmp: world.tmp, env: {} },
  });
  await companion.start();
  return companion;
}

for (const contract of EDITOR_CONTRACT) {
  test(`the editor contract, at the page: ${contract.name}`, async (t) => {
    let stop: () => Promise<void> = async () => {};
    t.after(() => stop());
    const world = createWorld(t);
    const companion = await surroundings(world);
    const editor = new WorkbenchEditor('Tandem', [world.workspace]);
    const workbench = new Workbench(companion, editor, undefined, ASSETS);
    await workbench.start();
    stop = async () => {
      await workbench.stop();
      await companion.stop();
    };
    const page = await (await newContext(t)).newPage();
    watch(t, page, new URL(workbench.origin).host);
    await page.goto(workbench.invite());
    await connected(page);
    await contract.run({ editor, user: new PageUser(page), workspace: world.workspace });
  });
}
