// The contract's user: mouse and keyboard at the page, asked over HTTP by the extension host.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator } from 'playwright-core';
import { waitFor } from '../../agents/wait.ts';
import type { SeenReview } from './contract-host.ts';
import { nameOf, type Window } from './window.ts';

interface Position {
  readonly line: number;
  readonly character: number;
}

export class ContractUser {
  window: Window | undefined;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async listen(): Promise<ContractUser> {
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { what, args } = JSON.parse(body) as { what: string; args: never[] };
      const answer = await user.#do(what, args).then(
        (value) => ({ value }),
        (error: Error) => ({ error: error.message }),
      );
      response.end(JSON.stringify(answer));
    });
    const user = new ContractUser(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return user;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  get #window(): Window {
    if (this.window === undefined) throw new Error('there is no window');
    return this.window;
  }

  #do(what: string, args: never[]): Promise<unknown> {
    const actions: Record<string, (...given: never[]) => Promise<unknown>> = {
      open: (path: string) => this.#window.openFile(path),
      focus: (path: string) => this.#focus(path),
      select: (path: string, range: { start: Position; end: Position }) => this.#select(path, range),
      type: (path: string, text: string) => this.#type(path, text),
      close: (path: string) => this.#window.closeTab(nameOf(path)),
      addFolder: (path: string) => this.#window.addFolder(path),
      sees: async (review: SeenReview) => (await this.#tab(review)) !== undefined,
      amend: (review: SeenReview, text: string) => this.#amend(review, text),
      accept: (review: SeenReview) => this.#press(review, 'Accept'),
      reject: (review: SeenReview) => this.#press(review, 'Reject'),
    };
    const action = actions[what];
    return action ? action(...args) : Promise.reject(new Error(`nobody can ${what}`));
  }

  async #focus(path: string): Promise<void> {
    await this.#window.tab(nameOf(path)).first().click();
    await waitFor(`${path} in front`, async () => (await this.#window.activePath()) === path);
    await this.#window.focusEditor();
  }

  async #select(path: string, { start, end }: { start: Position; end: Position }): Promise<void> {
    await this.#focus(path);
    const lines = (await this.#window.textOf(path)).split('\n');
    // One press for each character, which may be two units.
    const steps = ({ line, character }: Position) => [...(lines[line] ?? '').slice(0, character)].length;
    await this.#walk('Control+Home', start.line, 'ArrowDown');
    await this.#walk('Home', steps(start), 'ArrowRight');
    await this.#walk('Shift+Home', 0, '');
    await this.#walk('Home', steps(start), 'ArrowRight');
    for (let i = start.line; i < end.line; i++) await this.#window.press('Shift+ArrowDown');
    await this.#walk('Shift+Home', steps(end), 'Shift+ArrowRight');
  }

  async #walk(first: string, times: number, key: string): Promise<void> {
    await this.#window.press(first, ...Array.from({ length: times }, () => key));
  }

  async #type(path: string, text: string): Promise<void> {
    await this.#focus(path);
    await this.#window.press('Control+a');
    await this.#window.page.keyboard.insertText(text);
  }

  async #amend(review: SeenReview, text: string): Promise<void> {
    await this.#show(review);
    const right = this.#window.page.locator('.editor-group-container.active .monaco-diff-editor .editor.modified');
    await right.click({ position: { x: 120, y: 30 } });
    await right.locator('.monaco-editor.focused').waitFor();
    await this.#window.press('Control+a');
    await this.#window.page.keyboard.insertText(text);
  }

  async #press(review: SeenReview, button: string): Promise<void> {
    await this.#show(review);
    await this.#window.titleButton(button).click();
  }

  async #show(review: SeenReview): Promise<void> {
    const inFront = async () => {
      // Tabs move while others close.
      await (await this.#tab(review))?.click({ timeout: 1000 });
      return this.#window.inHost((api, id) => {
        const input = api.window.tabGroups.activeTabGroup.activeTab?.input;
        return input instanceof api.TabInputTextDiff && input.modified.query.endsWith(`.${id}`);
      }, review.id);
    };
    await waitFor('the review in front', inFront);
    await this.#window.page.locator('.editor-group-container.active .monaco-diff-editor .view-line').first().waitFor();
  }

  /** Two reviews of one file look alike in the tabs; VS Code knows which is which. */
  async #tab({ id }: SeenReview): Promise<Locator | undefined> {
    const place = await this.#window.inHost((api, wanted) => {
      for (const [group, { tabs }] of api.window.tabGroups.all.entries()) {
        const index = tabs.findIndex(
          ({ input }) => input instanceof api.TabInputTextDiff && input.modified.query.endsWith(`.${wanted}`),
        );
        if (index >= 0) return { group, index };
      }
      return undefined;
    }, id);
    if (place === undefined) return undefined;
    const tab = this.#window.page.locator('.editor-group-container').nth(place.group).locator('.tab').nth(place.index);
    return (await tab.count()) > 0 ? tab : undefined;
  }
}
