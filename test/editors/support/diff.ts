// A review in VS Code's diff editor, as a person sees and uses it.
import type { Locator } from 'playwright-core';
import { waitFor } from '../../agents/wait.ts';
import { nameOf, type Window } from './window.ts';

export const AGENTS: Readonly<Record<string, string>> = {
  claude: 'Claude Code',
  gemini: 'Gemini CLI',
  qwen: 'Qwen Code',
};

export class Diff {
  readonly #window: Window;
  readonly #path: string;
  readonly #label: RegExp;

  /** The review of a file by an agent, as the tab names it. */
  constructor(window: Window, path: string, agent = 'gemini') {
    this.#window = window;
    this.#path = path;
    this.#label = new RegExp(`^${nameOf(path).replaceAll('.', '\\.')} ← ${AGENTS[agent] ?? agent}`);
  }

  get tab(): Locator {
    return this.#window.tab(this.#label);
  }

  /** Waits until there is a tab for it. */
  async opened(): Promise<this> {
    await this.tab.first().waitFor({ timeout: 20_000 });
    return this;
  }

  async closed(): Promise<void> {
    await this.tab.waitFor({ state: 'detached' });
  }

  /** Brings it to the front, with its changes marked. */
  async show(): Promise<this> {
    await this.tab.first().click();
    await waitFor('the diff in front', async () => (await this.tab.first().getAttribute('aria-selected')) === 'true');
    await this.#window.page.locator('.editor-group-container.active .monaco-diff-editor .view-line').first().waitFor();
    return this;
  }

  async accept(): Promise<void> {
    await this.show();
    await this.#window.titleButton('Accept').click();
  }

  async reject(): Promise<void> {
    await this.show();
    await this.#window.titleButton('Reject').click();
  }

  /** Puts the caret at the end of a line of the right side (the first is 1) and types. */
  async typeAtEnd(line: number, text: string): Promise<void> {
    await this.show();
    await this.focusRight();
    await this.#window.press('Control+Home', ...Array.from({ length: line - 1 }, () => 'ArrowDown'), 'End');
    await this.#window.type(text);
  }

  async focusRight(): Promise<void> {
    await this.right.click({ position: { x: 120, y: 30 } });
    await this.right.locator('.monaco-editor.focused').waitFor();
  }

  /** Puts a change back (the first is 0) with the arrow between the sides. */
  async revert(change: number): Promise<void> {
    const arrows = this.#window.page.locator('.editor-group-container.active .monaco-diff-editor .gutter .gutterItem');
    await arrows.nth(change).hover();
    await arrows.nth(change).locator('.action-label').first().click();
  }

  get right(): Locator {
    return this.#window.page.locator('.editor-group-container.active .monaco-diff-editor .editor.modified');
  }

  get left(): Locator {
    return this.#window.page.locator('.editor-group-container.active .monaco-diff-editor .editor.original');
  }

  /** What the visible part of the left side says. */
  async leftText(): Promise<string> {
    return ((await this.left.locator('.view-lines').textContent()) ?? '').replaceAll('\u00a0', ' ');
  }

  /** The whole text of the right side, from VS Code itself. */
  text(): Promise<string | undefined> {
    return this.#window.inHost((api, path) => {
      const tabs = api.window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => tab.isActive);
      for (const { input } of tabs) {
        if (!(input instanceof api.TabInputTextDiff) || input.modified.path !== path) continue;
        const uri = input.modified.toString();
        return api.workspace.textDocuments.find((document) => document.uri.toString() === uri)?.getText();
      }
      return undefined;
    }, this.#path);
  }
}
