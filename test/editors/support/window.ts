// One window of VS Code in a real browser, as a person sees it.
import type { Locator, Page } from 'playwright-core';
import type * as vscode from 'vscode';
import { waitFor } from '../../agents/wait.ts';
import type { CodeServer } from './code-server.ts';
import { Surroundings } from './surroundings.ts';

export type VsCode = typeof vscode;

export interface Tab {
  readonly label: string;
  readonly active: boolean;
  readonly dirty: boolean;
}

/** Runs in the page, and as text, because it is written for another world than this file. */
const NEXT_DIFF = `new Promise((resolve) => {
  const look = () => {
    if (document.querySelector('.monaco-diff-editor .line-insert') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(Date.now())));
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  look();
})`;

const TABS = `[...document.querySelectorAll('.tabs-container .tab')].map((tab) => ({
  label: tab.querySelector('.label-name')?.textContent ?? '',
  active: tab.getAttribute('aria-selected') === 'true',
  dirty: tab.classList.contains('dirty'),
}))`;

export class Window extends Surroundings {
  readonly server: CodeServer;
  #probe = 0;

  private constructor(page: Page, server: CodeServer) {
    super(page);
    this.server = server;
  }

  static async open(page: Page, server: CodeServer, folder = server.sandbox.workspace): Promise<Window> {
    const window = new Window(page, server);
    const kind = folder.endsWith('.code-workspace') ? 'workspace' : 'folder';
    await page.goto(`${server.origin}/?${kind}=${encodeURIComponent(folder)}`, { waitUntil: 'domcontentloaded' });
    await window.#ready();
    return window;
  }

  /** "Developer: Reload Window". */
  async reload(): Promise<void> {
    this.#probe = 0;
    await this.page.reload({ waitUntil: 'domcontentloaded' });
    await this.#ready();
  }

  /** Calls a function in the extension host. Its source travels: it sees the vscode API and its arguments, no more. */
  async inHost<T, A extends readonly unknown[]>(
    work: (api: VsCode, ...args: A) => T | Promise<T>,
    ...args: A
  ): Promise<T> {
    const body = JSON.stringify({ source: work.toString(), args });
    const response = await fetch(`http://127.0.0.1:${this.#probe}/`, { method: 'POST', body });
    const answer = (await response.json()) as { value: T; error?: string };
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value;
  }

  /** For pictures. */
  async hideProbe(): Promise<void> {
    await this.inHost(() => (globalThis as { probe?: vscode.StatusBarItem }).probe?.hide());
    await this.page
      .locator('.statusbar-item')
      .filter({ hasText: /^probe:/ })
      .waitFor({ state: 'hidden' });
  }

  /** The process of this window's extension host. */
  hostPid(): Promise<number> {
    return this.inHost(() => process.pid);
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async type(text: string, delay?: number): Promise<void> {
    await this.page.keyboard.type(text, delay === undefined ? {} : { delay });
  }

  /** Runs a command by its title. */
  async command(title: string): Promise<void> {
    await this.#pick('F1', `>${title}`, title);
  }

  /** The titles that the palette offers for these words. */
  async commandsFor(words: string): Promise<string[]> {
    await this.press('F1');
    await this.#input.fill(`>${words}`);
    const rows = this.page.locator('.quick-input-list .monaco-list-row .label-name');
    await waitFor('the palette to answer', async () => (await rows.count()) > 0);
    const titles = await rows.allTextContents();
    await this.press('Escape');
    return titles;
  }

  /** Opens a file of the workspace and has the caret in it. */
  async openFile(path: string): Promise<void> {
    const name = nameOf(path);
    await this.press('Control+p');
    await this.#input.waitFor();
    await this.#input.fill(path);
    await this.#row(name).first().waitFor();
    await this.press('Enter');
    await this.#input.waitFor({ state: 'hidden' });
    await waitFor(`${name} in front`, async () => (await this.activePath()) === path);
    await this.focusEditor();
  }

  /** Has the caret in the editor in front. */
  async focusEditor(): Promise<void> {
    const focused = '.editor-instance .monaco-editor.focused';
    if ((await this.page.locator(focused).count()) > 0) return;
    await this.command('View: Focus Active Editor Group');
    await this.page.locator(focused).first().waitFor();
  }

  /** The document of the active editor. */
  activePath(): Promise<string | undefined> {
    return this.inHost((api) => api.window.activeTextEditor?.document.uri.fsPath);
  }

  /** What VS Code has of a document, saved or not. */
  async textOf(path: string): Promise<string> {
    const find = (api: VsCode, wanted: string) =>
      api.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === wanted)?.getText();
    const text = await this.inHost(find, path);
    if (text === undefined) throw new Error(`${path} is not open`);
    return text;
  }

  isDirty(path: string): Promise<boolean> {
    const find = (api: VsCode, wanted: string) =>
      api.workspace.textDocuments.some(({ uri, isDirty }) => uri.fsPath === wanted && uri.scheme === 'file' && isDirty);
    return this.inHost(find, path);
  }

  /** Closes every tab; what was not saved is forgotten. */
  async closeAll(): Promise<void> {
    await this.inHost(async (api) => {
      const { tabGroups } = api.window;
      for (const document of api.workspace.textDocuments) {
        if (!document.isDirty) continue;
        await api.window.showTextDocument(document);
        await api.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      }
      await tabGroups.close(tabGroups.all.flatMap((group) => group.tabs));
    });
  }

  /** By the menu's dialog, in which a path can be typed. */
  async addFolder(path: string): Promise<void> {
    await this.command('Workspaces: Add Folder to Workspace...');
    // It begins where it thinks best, and would overwrite what is typed before.
    await this.#row(/^\s*\.\.\s*$/).waitFor(); // and not a command whose name ends in dots
    await waitFor('the dialog', async () => (await this.#input.inputValue()).startsWith('/'));
    await this.#input.fill(`${path}/`);
    await this.page.locator('.quick-input-widget').getByRole('button', { name: 'Add' }).click();
    await this.#input.waitFor({ state: 'hidden' });
  }

  /** Line and column as the status bar says. */
  async caret(): Promise<string> {
    return (await this.page.locator('[id="status.editor.selection"]').textContent()) ?? '';
  }

  tabs(): Promise<Tab[]> {
    return this.page.evaluate<Tab[]>(TABS);
  }

  tab(label: string | RegExp): Locator {
    return this.page.locator('.tabs-container .tab').filter({ hasText: label });
  }

  async closeTab(label: string | RegExp): Promise<void> {
    await this.tab(label).hover();
    await this.tab(label).locator('.tab-actions a.action-label').click();
  }

  /** A button at the upper right of the editor group in front, by the beginning of its name. */
  titleButton(label: string): Locator {
    return this.page.locator(`.editor-group-container.active .editor-actions .action-label[aria-label^="${label}"]`);
  }

  /** Resolves when a diff with its changes marked is on the screen, with the time of the frame. */
  nextDiff(): Promise<number> {
    return this.page.evaluate<number>(NEXT_DIFF);
  }

  async noDiff(): Promise<void> {
    await waitFor('no diff on the screen', async () => (await this.page.locator('.monaco-diff-editor').count()) === 0);
  }

  /** How many editor groups there are. */
  groups(): Promise<number> {
    return this.page.locator('.editor-group-container').count();
  }

  /** Chooses from the menu that a right click at the caret opens. */
  async contextMenu(label: string): Promise<void> {
    await this.press('Shift+F10');
    const item = this.page.locator('.context-view .action-menu-item').filter({ hasText: label });
    await item.waitFor();
    // A menu that has just opened takes no click: it would be the one that opened it.
    await waitFor(`the menu to take ${label}`, async () => {
      if ((await item.count()) > 0) await item.click({ timeout: 1000 });
      return (await item.count()) === 0;
    });
  }

  /** What a list that is open offers. */
  async offered(): Promise<string[]> {
    const rows = this.page.locator('.quick-input-list .monaco-list-row');
    await rows.first().waitFor();
    return rows.allTextContents();
  }

  /** Picks something from a list that is open. */
  async choose(label: string | RegExp): Promise<void> {
    await this.#row(label).first().click();
  }

  get #input(): Locator {
    return this.page.locator('.quick-input-widget input.input');
  }

  #row(label: string | RegExp): Locator {
    return this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: label });
  }

  async #pick(key: string, words: string, label: string): Promise<void> {
    await this.press(key);
    await this.#input.waitFor();
    await this.#input.fill(words);
    const first = this.page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: label });
    await first.waitFor();
    await this.press('Enter');
    await this.#input.waitFor({ state: 'hidden' });
  }

  async #ready(): Promise<void> {
    await this.page.locator('.monaco-workbench').waitFor({ timeout: 60_000 });
    this.#probe = await this.#probePort();
  }

  async #probePort(): Promise<number> {
    const item = this.page.locator('.statusbar-item').filter({ hasText: /^probe:\d+$/ });
    await item.waitFor({ timeout: 60_000 });
    return Number((await item.textContent())?.slice('probe:'.length));
  }
}

export function nameOf(path: string): string {
  return path.split('/').at(-1) ?? path;
}
