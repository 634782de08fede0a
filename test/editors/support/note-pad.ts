// Notes on lines of a review, as a person writes them with VS Code's comments.
import type { Locator } from 'playwright-core';
import { waitFor } from '../../agents/wait.ts';
import type { Diff } from './diff.ts';
import type { VsCode, Window } from './window.ts';

export class NotePad {
  readonly #window: Window;
  readonly #diff: Diff;

  constructor(window: Window, diff: Diff) {
    this.#window = window;
    this.#diff = diff;
  }

  /** The boxes below lines, with a note or a field for one. */
  get boxes(): Locator {
    return this.#diff.right.locator('.review-widget');
  }

  /** Writes one with the plus beside a line of the right side (the first is 1). */
  async write(line: number, text: string): Promise<void> {
    await this.open(line);
    await this.#typed(text);
  }

  /** Opens a field with the plus beside a line. */
  async open(line: number): Promise<void> {
    const number = this.#window.page.locator('.line-numbers').filter({ hasText: new RegExp(`^${line}$`) });
    const margin = this.#diff.right.locator('.margin-view-overlays > div').filter({ has: number });
    await margin.locator('.comment-range-glyph').click();
    await this.#field.waitFor();
  }

  /** Writes one on the line with the caret, by keyboard alone. */
  async writeByKey(text: string): Promise<void> {
    await this.openByKey();
    await this.#typed(text);
  }

  async openByKey(): Promise<void> {
    await this.#window.press('Control+Alt+m');
    await this.#field.waitFor();
  }

  /** Types into the field that is open, and goes no further. */
  async begin(text: string): Promise<void> {
    await this.#window.type(text);
    const known = (api: VsCode, wanted: string) =>
      api.workspace.textDocuments.some(({ uri, getText }) => uri.scheme === 'comment' && getText().includes(wanted));
    await waitFor('VS Code to have it', () => this.#window.inHost(known, text));
  }

  /** Puts another text in place of a note's. */
  async change(note: string, text: string): Promise<void> {
    await this.press(note, 'Edit Note');
    await this.#field.waitFor();
    await this.#window.press('Control+a');
    await this.#typed(text);
  }

  /** Presses a button of a note. */
  async press(note: string, button: string): Promise<void> {
    const box = this.boxes.filter({ hasText: note });
    await box.locator('.review-comment').hover();
    await box.getByRole('button', { name: button }).click();
  }

  async shows(text: string): Promise<void> {
    const words = async () => (await this.boxes.allTextContents()).join('\n').replaceAll('\u00a0', ' ');
    await waitFor(`a note that says ${text}`, async () => (await words()).includes(text), 10_000, words);
  }

  get #field(): Locator {
    return this.boxes.locator('.monaco-editor.focused');
  }

  /** Into the field that is open; the key ends the note and has the caret back in the text. */
  async #typed(text: string): Promise<void> {
    await this.#window.type(text);
    await this.#window.press('Control+Enter');
    await this.#field.waitFor({ state: 'detached' });
    await this.shows(text);
    await this.#diff.right.locator('> .monaco-editor.focused').waitFor();
  }
}
