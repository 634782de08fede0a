// The workbench's page in a real browser, as a person sees it: roles, labels and texts, no classes.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import type { AgentName } from './paths.ts';
import type { Sandbox } from './sandbox.ts';

const browser = '/usr/bin/chromium';

/** Nothing that asks the network or needs a screen. */
const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

/** What the page calls the agents. */
export const shownNames: Record<AgentName, string> = { claude: 'Claude Code', gemini: 'Gemini CLI', qwen: 'Qwen Code' };

export class WorkbenchPage {
  /** Exceptions in the page and what its own policy forbade it; a lost connection is no fault. */
  readonly faults: string[] = [];
  readonly #context: BrowserContext;
  readonly #page: Page;

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.#page = page;
    page.on('pageerror', (error) => this.faults.push(error.stack ?? error.message));
    page.on('console', (message) => {
      const forbidden = message.text().includes('Content Security Policy');
      // Chromium itself tries to style what is typed over a selection.
      if (forbidden && !message.text().startsWith('Applying inline style')) this.faults.push(message.text());
    });
  }

  /** A browser of its own with a profile in the sandbox: it carries the sandbox's mark and goes with it. */
  static async open(sandbox: Sandbox, url: string): Promise<WorkbenchPage> {
    if (!existsSync(browser)) throw new Error(`${browser} is missing. Install it with: apt-get install -y chromium`);
    const context = await chromium.launchPersistentContext(join(sandbox.root, 'browser'), {
      executablePath: browser,
      headless: true,
      args,
      env: sandbox.env,
      artifactsDir: join(sandbox.root, 'browser-artifacts'),
      viewport: { width: 1400, height: 900 },
    });
    context.setDefaultTimeout(10_000);
    const page = new WorkbenchPage(context, context.pages()[0] ?? (await context.newPage()));
    try {
      await page.#page.goto(url);
      await page.#connection.filter({ hasText: /^connected$/ }).waitFor();
      return page;
    } catch (error) {
      const evidence = await page.evidence().catch(() => '');
      await page.close();
      throw new Error(`the page did not open: ${(error as Error).message}\n${evidence}`, { cause: error });
    }
  }

  close(): Promise<void> {
    return this.#context.close();
  }

  async evidence(): Promise<string> {
    const shown = await this.#page.locator('body').ariaSnapshot({ timeout: 2000 });
    return ['--- the page', shown, ...this.faults].join('\n');
  }

  /** Clicks a file in the tree; a second click keeps its tab when the next file is opened. */
  async openFile(path: string, keep = false): Promise<void> {
    await this.#openPanel('Files');
    const item = this.#panel('Files').getByRole('treeitem', { name: nameOf(path), exact: true });
    await item.click({ clickCount: keep ? 2 : 1 });
    await this.#editor(path).waitFor();
    await this.#page.locator(':focus').and(this.#editor(path)).waitFor();
  }

  /** What the editor of an open file shows; files of a few lines only. */
  async text(path: string): Promise<string> {
    return (await this.#editor(path).locator('> *').allTextContents()).join('\n');
  }

  /** Whether the keys go to the editor of this file. */
  async hasCaret(path: string): Promise<boolean> {
    return (await this.#page.locator(':focus').and(this.#editor(path)).count()) === 1;
  }

  async isUnsaved(path: string): Promise<boolean> {
    const tab = this.#page.getByRole('tab', { name: nameOf(path) });
    return (await tab.filter({ hasText: 'unsaved' }).count()) === 1;
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  /** How many reviews wait, as the badge and the window's title say. */
  async waiting(): Promise<{ badge: number; title: number }> {
    const badge = /\d+/.exec((await this.#panelButton('Reviews').textContent()) ?? '')?.[0] ?? '0';
    const title = /^\((\d+)\)/.exec(await this.#page.title())?.[1] ?? '0';
    return { badge: Number(badge), title: Number(title) };
  }

  /** What the page has just said to the user. */
  async said(): Promise<string> {
    return (await this.#page.getByRole('status').allTextContents()).join('\n');
  }

  /** Picks a review from the list and puts the caret in the proposed text. */
  async showReview(path: string, agent: AgentName): Promise<void> {
    await this.#openPanel('Reviews');
    const items = this.#panel('Reviews').getByRole('button').filter({ hasText: shownNames[agent] });
    await items.filter({ hasText: nameOf(path) }).click();
    await this.#review(path).getByText(shownNames[agent], { exact: true }).waitFor();
    // For a moment nothing decides it: a key may have been meant for the review before.
    const accept = this.#review(path).getByRole('button', { name: 'Accept', exact: true });
    await accept.and(this.#page.locator(':enabled')).waitFor();
    await this.#nextFrame();
    await this.#proposed(agent).focus();
  }

  async showsReview(path: string): Promise<boolean> {
    return (await this.#review(path).count()) > 0;
  }

  /** What the main part of the page says, whatever it shows. */
  async shown(): Promise<string> {
    return (await this.#page.getByRole('main').textContent()) ?? '';
  }

  /** Waits until the language servers have found this many errors. */
  async showsErrors(count: number): Promise<void> {
    const counted = this.#page
      .getByRole('contentinfo')
      .getByRole('button', { name: new RegExp(`^${count} errors?\\b`) });
    await counted.waitFor({ timeout: 20_000 });
  }

  async isConnected(): Promise<boolean> {
    return (await this.#connection.textContent()) === 'connected';
  }

  /** Another number means that the page was loaded anew. */
  loadedAt(): Promise<number> {
    return this.#page.evaluate<number>('performance.timeOrigin');
  }

  /** The first status of the bar at the bottom. */
  get #connection(): Locator {
    return this.#page.getByRole('contentinfo').getByRole('status').first();
  }

  /** A person cannot see a button before it is painted; what the page does after that is done as well. */
  async #nextFrame(): Promise<void> {
    const frame = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done)))';
    await this.#page.evaluate(`${frame}.then(() => ${frame})`);
  }

  #editor(path: string): Locator {
    return this.#page.getByRole('textbox', { name: path, exact: true });
  }

  #review(path: string): Locator {
    return this.#page.getByRole('region', { name: `Review of ${nameOf(path)}`, exact: true });
  }

  #proposed(agent: AgentName): Locator {
    return this.#page.getByRole('textbox', { name: `Proposed by ${shownNames[agent]}` });
  }

  #panel(name: string): Locator {
    return this.#page.getByRole('complementary', { name, exact: true });
  }

  #panelButton(name: string): Locator {
    return this.#page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name });
  }

  /** Its button closes a panel that is open. */
  async #openPanel(name: string): Promise<void> {
    if ((await this.#panel(name).count()) === 0) await this.#panelButton(name).click();
    await this.#panel(name).waitFor();
  }
}

function nameOf(path: string): string {
  return path.split('/').at(-1) ?? path;
}
