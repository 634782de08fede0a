// The chat panel in the workbench's page, as a person sees and uses it.
import type { Locator, Page } from 'playwright-core';
import { waitFor } from '../wait.ts';

export class Panel {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get chat(): Locator {
    return this.page.getByRole('complementary', { name: 'Chat' });
  }

  get log(): Locator {
    return this.chat.getByRole('log');
  }

  get field(): Locator {
    return this.chat.getByRole('textbox', { name: /^Message to/ });
  }

  get permission(): Locator {
    return this.chat.getByRole('region', { name: 'Permission' });
  }

  get question(): Locator {
    return this.chat.getByRole('region', { name: 'Question' });
  }

  button(name: string | RegExp): Locator {
    return this.chat.getByRole('button', { name });
  }

  /** A review on the desk. */
  review(file: string): Locator {
    return this.page.getByRole('region', { name: `Review of ${file}`, exact: true });
  }

  /** The text of an open file, or the right side of the review that is shown. */
  text(name: string | RegExp): Locator {
    return this.page.getByRole('textbox', { name });
  }

  async shows(text: string | RegExp, ms = 30_000): Promise<void> {
    const look = async () => {
      const words = await this.chat.innerText();
      return typeof text === 'string' ? words.includes(text) : text.test(words);
    };
    await waitFor(`the chat to show ${text}`, look, ms, () => this.chat.innerText());
  }

  /** From the list of agents, which is what an empty panel shows. */
  async start(name = 'Qwen Code'): Promise<void> {
    if ((await this.chat.count()) === 0) await this.page.keyboard.press('Alt+6');
    await this.button(`Start ${name}`).click();
    await this.shows(new RegExp(`${name}.* · connected`));
  }

  async say(prompt: string): Promise<void> {
    await this.field.fill(prompt);
    await this.field.press('Enter');
    await this.log.getByText(prompt, { exact: true }).last().waitFor();
  }

  /** The turn is over. */
  async idle(): Promise<void> {
    await this.button('Stop').waitFor({ state: 'detached' });
  }

  async menu(entry: string | RegExp): Promise<void> {
    await this.button('More').click();
    await this.page.getByRole('menuitem', { name: entry }).click();
  }

  /** Waits until a click or a key counts: at first it may have been meant for the card before. */
  async answers(): Promise<Locator> {
    const answers = this.permission.locator('[data-answer]');
    await answers.and(this.page.locator('[aria-disabled=false]')).first().waitFor();
    return answers;
  }

  /** Shows the change that waits, and has the keyboard in it. */
  async showChange(file: string): Promise<Locator> {
    await this.permission.getByRole('button', { name: 'Show the change' }).click();
    const review = this.review(file);
    await review.getByRole('button', { name: 'Accept', disabled: false }).waitFor();
    return review;
  }
}

/** Whether the keyboard is there. */
export function hasKeyboard(locator: Locator): Promise<boolean> {
  // Runs in the browser, whose types this side does not have.
  const look = new Function('element', 'return element.contains(document.activeElement)') as (at: unknown) => boolean;
  return locator.evaluate(look);
}
