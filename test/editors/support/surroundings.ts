// What surrounds the editors of a window: notifications, the status bar, the side bar.
import type { Locator, Page } from 'playwright-core';
import { waitFor } from '../../agents/wait.ts';

export class Surroundings {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** What the notifications say that are on the screen. */
  async notices(): Promise<string[]> {
    return this.page.locator('.notifications-toasts .notification-list-item-message').allTextContents();
  }

  notice(text: string | RegExp): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item').filter({ hasText: text });
  }

  /** Presses a button of the notification that has this text. */
  async answer(text: string | RegExp, button: string): Promise<void> {
    await this.notice(text).first().hover();
    await this.notice(text).first().locator('.monaco-button').filter({ hasText: button }).click();
  }

  /** What an item of the status bar says; empty when it is not there. */
  async status(id: string): Promise<string> {
    const item = this.statusItem(id);
    return (await item.count()) === 0 ? '' : ((await item.textContent()) ?? '').trim();
  }

  /** An item of the status bar by its extension's name for it. */
  statusItem(id: string): Locator {
    return this.page.locator(`.statusbar-item[id$="${id}"]:visible`);
  }

  /** How a status bar item is called for those who do not see it. */
  async statusLabel(id: string): Promise<string> {
    const item = this.statusItem(id);
    const inner = item.locator('[aria-label]').first();
    return `${(await item.getAttribute('aria-label')) ?? ''} ${(await inner.count()) > 0 ? await inner.getAttribute('aria-label') : ''}`;
  }

  /** Waits until the card below the pointer says this. */
  async hovered(text: RegExp): Promise<void> {
    const card = this.page.locator('.monaco-hover:visible, .workbench-hover:visible');
    const says = async () => (await card.allTextContents()).join(' ').replaceAll('\u00a0', ' ');
    await waitFor(`a card that says ${text}`, async () => text.test(await says()), 10_000, says);
  }

  /** Opens a container of views by its icon at the side. */
  async showView(name: string): Promise<void> {
    // A click on the one that is open closes it.
    const title = this.page.locator('.sidebar .composite.title').filter({ hasText: name });
    if ((await title.count()) === 0) await this.#activity(name).click();
    await title.waitFor();
  }

  /** The number on an icon at the side; empty when there is none. */
  async badge(name: string): Promise<string> {
    const badge = this.#activity(name).locator('.badge:visible .badge-content');
    return (await badge.count()) === 0 ? '' : ((await badge.textContent()) ?? '');
  }

  /** A view in the side bar. */
  view(name: string): Locator {
    const header = this.page.locator('.pane-header').filter({ hasText: name });
    return this.page.locator('.sidebar .pane').filter({ has: header });
  }

  rowTexts(view: string): Promise<string[]> {
    return this.view(view).locator('.monaco-list-row').allTextContents();
  }

  row(view: string, label: string): Locator {
    return this.view(view).locator('.monaco-list-row').filter({ hasText: label });
  }

  /** Presses a button that shows in a row. */
  async rowButton(view: string, label: string, button: string): Promise<void> {
    const row = this.row(view, label);
    await row.hover();
    await row.locator(`.action-label[aria-label^="${button}"]`).click();
  }

  #activity(name: string): Locator {
    const icon = this.page.locator(`.action-label[aria-label^="${name}"]`);
    return this.page.locator('.activitybar .action-item').filter({ has: icon });
  }
}
