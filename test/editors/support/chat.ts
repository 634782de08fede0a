// The chat panel in VS Code, with the real Qwen Code and a scripted model behind it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator, Locator, Page, Request } from 'playwright-core';
import { ChatModel } from '../../agents/chat/model.ts';
import { type Program, programsIn } from '../../agents/chat/programs.ts';
import { settleQwen } from '../../agents/chat/qwen-home.ts';
import { waitFor } from '../../agents/wait.ts';
import { Studio, type StudioOptions } from './studio.ts';
import type { EditorSandbox } from './terminals.ts';
import type { Window } from './window.ts';

/** Runs before a frame's own code, in those of webviews: what one is told passes through its window's postMessage. */
const LISTEN = `(() => {
  // A webview is a frame in a frame.
  if (window === window.top || window.parent === window.top || window.told) return;
  const real = window.postMessage.bind(window);
  window.told = [];
  window.postMessage = (message, ...rest) => {
    window.told.push(JSON.stringify(message));
    return real(message, ...rest);
  };
})()`;

export interface ChatStudio {
  readonly studio: Studio;
  readonly model: ChatModel;
}

export interface ChatStudioOptions extends Pick<StudioOptions, 'settings' | 'trust' | 'env'> {
  readonly programs?: readonly Program[];
  readonly prepare?: (sandbox: EditorSandbox) => void;
}

/** A VS Code that finds `qwen` on its PATH, or other agents. */
export async function startChatStudio(given: ChatStudioOptions = {}): Promise<ChatStudio> {
  const { programs = ['qwen'], ...options } = given;
  const model = await ChatModel.start();
  const prepare = (sandbox: EditorSandbox) => {
    settleQwen(sandbox, model);
    const bin = programsIn(sandbox, programs);
    // The extension host has the PATH of a login shell.
    for (const file of ['.profile', '.bash_profile']) {
      writeFileSync(join(sandbox.home, file), `export PATH='${bin}':"$PATH"\n`);
    }
    options.prepare?.(sandbox);
  };
  try {
    return { model, studio: await Studio.start({ ...options, prepare }) };
  } catch (error) {
    await model.close();
    throw error;
  }
}

/** The panel as a person sees it, and what its page is told and asks for. */
export class ChatPage {
  readonly requests: string[] = [];
  readonly faults: string[] = [];
  readonly #window: Window;

  private constructor(window: Window) {
    this.#window = window;
  }

  /** Watches from the next load of the window on. */
  static async watch(window: Window): Promise<ChatPage> {
    const chat = new ChatPage(window);
    const { page } = window;
    await page.addInitScript(LISTEN);
    page.on('request', (request) => chat.#requested(page, request));
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text()) && /dist\/webview/.test(message.location().url))
        chat.faults.push(message.text());
    });
    await window.reload();
    return chat;
  }

  get frame(): FrameLocator {
    return this.#window.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  }

  get body(): Locator {
    return this.frame.locator('body');
  }

  get log(): Locator {
    return this.frame.getByRole('log');
  }

  get field(): Locator {
    return this.frame.getByRole('textbox', { name: /^Message to/ });
  }

  get asks(): Locator {
    return this.frame.getByRole('region', { name: 'Permission' });
  }

  button(name: string | RegExp): Locator {
    return this.frame.getByRole('button', { name });
  }

  async shows(text: string | RegExp): Promise<void> {
    const words = () => this.body.innerText({ timeout: 2000 });
    const look = async () => {
      const now = await words();
      return typeof text === 'string' ? now.includes(text) : text.test(now);
    };
    await waitFor(`the chat to show ${text}`, look, 30_000, words);
  }

  async start(): Promise<void> {
    await this.button('Start Qwen Code').click();
    await this.shows(/Qwen Code.* · connected/);
  }

  async say(prompt: string): Promise<void> {
    await this.field.fill(prompt);
    await this.field.press('Enter');
    await this.log.getByText(prompt, { exact: true }).last().waitFor();
  }

  /** All that the page now open was ever told. */
  told(): Promise<string[]> {
    return this.body.evaluate('window.told');
  }

  async assertNoSecret(secrets: readonly string[]): Promise<void> {
    const told = await this.told();
    assert.ok(
      told.some((message) => message.includes('"conversation"')),
      'what the page was told was seen',
    );
    for (const secret of secrets) {
      const with_ = told.filter((message) => message.includes(secret)).map((message) => message.slice(0, 300));
      assert.deepEqual(with_, [], `${secret} reached the webview`);
    }
  }

  /** Its own code, and VS Code's page around it: nothing else was asked for. */
  assertNoConnection(): void {
    const { origin } = this.#window.server;
    const own = this.requests.filter((url) => /\/dist\/webview\/[\w./-]+\.(js|css)$/.test(url));
    assert.ok(
      own.some((url) => url.endsWith('/webview.js')),
      this.requests.join('\n'),
    );
    const frames = (url: string) => url.startsWith(`${origin}/`) && /\/webview\/browser\/pre\//.test(url);
    const others = this.requests.filter((url) => !own.includes(url) && !frames(url));
    assert.deepEqual(others, []);
    assert.deepEqual(this.faults, []);
  }

  #requested(page: Page, request: Request): void {
    if (request.serviceWorker() !== null || request.frame() === page.mainFrame()) return;
    // Another frame of VS Code, in which extensions for browsers run.
    const worker = [request.url(), request.frame().url()].some((url) => url.includes('webWorkerExtensionHostIframe'));
    if (!worker) this.requests.push(request.url());
  }
}
