import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Chats } from '../../../packages/cli/src/workbench/chats.ts';
import { Workbench } from '../../../packages/cli/src/workbench/workbench.ts';
import { WorkbenchEditor } from '../../../packages/cli/src/workbench/workbench-editor.ts';
import { Companion, Policy } from '../../../packages/core/src/index.ts';
import { HttpAgent } from '../../support/http-agent.ts';
import { SocketAgent } from '../../support/socket-agent.ts';
import { createWorld, type World } from '../../support/world.ts';
import { ASSETS, connected, launch } from './browser.ts';

let launched: Promise<Browser> | undefined;
after(async () => (await launched)?.close());

/** One browser for all tests of a file. */
export function browser(): Promise<Browser> {
  launched ??= launch();
  return launched;
}

export interface BenchOptions {
  readonly deny?: readonly string[];
  /** One that was there before; without it a new one. */
  readonly world?: World;
  /** Written before anything starts. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
  /** Conversations of the test's own making. */
  readonly chats?: (companion: Companion, world: World) => Chats;
}

/** A companion with the workbench as its editor, in this process, serving the built page. */
export class Bench {
  readonly world: World;
  readonly editor: WorkbenchEditor;
  readonly companion: Companion;
  readonly workbench: Workbench;
  readonly #t: TestContext;

  private constructor(t: TestContext, world: World, options: BenchOptions) {
    this.#t = t;
    this.world = world;
    this.editor = new WorkbenchEditor('Tandem', [world.workspace]);
    this.companion = new Companion({
      editor: this.editor,
      places: { home: world.home, tmp: world.tmp, env: {} },
      policy: new Policy({ deny: options.deny ?? [] }),
    });
    this.workbench = new Workbench(
      this.companion,
      this.editor,
      undefined,
      ASSETS,
      options.chats?.(this.companion, world),
    );
  }

  static async start(t: TestContext, options: BenchOptions = {}): Promise<Bench> {
    let bench: Bench | undefined;
    t.after(() => bench?.stop()); // before the world, whose own hook comes next, goes
    const world = options.world ?? createWorld(t);
    for (const [name, content] of Object.entries(options.files ?? {})) world.file(name, content as string);
    bench = new Bench(t, world, options);
    await bench.companion.start();
    await bench.workbench.start();
    return bench;
  }

  async stop(): Promise<void> {
    await this.workbench.stop();
    await this.companion.stop();
  }

  path(name: string): string {
    return join(this.world.workspace, name);
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  /** The text that the workbench has for an open file. */
  text(name: string): string {
    return this.editor.documents.get(this.path(name)).text;
  }

  /** A browser of its own that was let in. */
  async page(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await newContext(this.#t, options);
    return this.window(context, this.workbench.invite());
  }

  /** Another window of the same browser. */
  async window(context: BrowserContext, url = this.workbench.origin): Promise<Page> {
    const page = await context.newPage();
    watch(this.#t, page, new URL(this.workbench.origin).host);
    await page.goto(url);
    await connected(page);
    return page;
  }

  token(dialect: string): string {
    const file = this.companion.published.find((each) => each.dialect.id === dialect)?.files[0] ?? '';
    return JSON.parse(readFileSync(file, 'utf8')).authToken;
  }

  /** A raw client that speaks as Gemini CLI or Qwen Code does. */
  async agent(dialect: 'gemini' | 'qwen' = 'gemini'): Promise<HttpAgent> {
    const agent = new HttpAgent(this.companion.port, this.token(dialect));
    this.#t.after(() => agent.drop());
    return agent.connect();
  }

  /** A raw client that speaks as Claude Code does. */
  async claude(): Promise<SocketAgent> {
    const agent = new SocketAgent(this.companion.port, this.token('claude'));
    this.#t.after(() => agent.socket.terminate());
    return agent.connect();
  }
}

export async function newContext(t: TestContext, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await (await browser()).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(15_000);
  t.after(() => context.close());
  return context;
}

/** Every page of every test: nothing from elsewhere, no error, nothing that the policy had to stop. */
export function watch(t: TestContext, page: Page, host: string): void {
  const wrong: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.host !== host && !['data:', 'blob:'].includes(url.protocol)) wrong.push(`request to ${url.host}`);
  });
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).host !== host) wrong.push(`socket to ${socket.url()}`);
  });
  page.on('pageerror', (error) => wrong.push(`error: ${error.name} ${error.message} ${error.stack}`));
  page.on('console', (message) => {
    if (/Content Security Policy|violates/i.test(message.text())) wrong.push(message.text());
  });
  t.after(() => assert.deepEqual(wrong, []));
}
