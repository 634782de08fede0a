// The workbench with its chat panel in a real browser, and the real Qwen Code behind it.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { tandemJs, tandemNode } from '../paths.ts';
import { waitFor } from '../wait.ts';
import { Panel } from './panel.ts';
import { type Program, programsIn } from './programs.ts';
import { ChatWorld } from './world.ts';

const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

export interface PanelOptions {
  /** The user's own, in `~/.tandem/settings.json`. */
  readonly settings?: object;
  /** The workbench's, beside the sandbox's. */
  readonly env?: Readonly<Record<string, string>>;
  readonly programs?: readonly Program[];
}

export class PanelWorld {
  readonly talk: ChatWorld;
  /** Everything that the page was ever told, as it came over the socket. */
  readonly frames: string[] = [];
  /** Exceptions in the page, and what its own policy forbade it. */
  readonly faults: string[] = [];
  /** What the workbench printed. */
  output = '';
  readonly #bench: ChildProcess;
  #context: BrowserContext | undefined;

  private constructor(talk: ChatWorld, bench: ChildProcess) {
    this.talk = talk;
    this.#bench = bench;
    for (const stream of [bench.stdout, bench.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk.toString('utf8');
      });
  }

  static async start(talk: ChatWorld, options: PanelOptions = {}): Promise<PanelWorld> {
    const { sandbox } = talk;
    const bin = programsIn(sandbox, options.programs ?? ['qwen']);
    mkdirSync(join(sandbox.home, '.tandem'), { recursive: true, mode: 0o700 });
    sandbox.writeHome('.tandem/settings.json', options.settings ?? {});
    const env = { ...sandbox.env, ...options.env, PATH: `${bin}:${sandbox.env.PATH}` };
    const bench = spawn(tandemNode, [tandemJs, 'workbench', '--json'], { cwd: sandbox.workspace, env });
    const world = new PanelWorld(talk, bench);
    await waitFor(
      'the workbench',
      () => /"event":"ready"/.test(world.output),
      15_000,
      async () => world.output,
    );
    return world;
  }

  get #url(): string {
    return /"url":"([^"]+)"/.exec(this.output)?.[1] ?? '';
  }

  async page(): Promise<Page> {
    const { sandbox } = this.talk;
    this.#context = await chromium.launchPersistentContext(join(sandbox.root, 'browser'), {
      executablePath: '/usr/bin/chromium',
      headless: true,
      args,
      env: sandbox.env,
      artifactsDir: join(sandbox.root, 'browser-artifacts'),
      viewport: { width: 1400, height: 900 },
    });
    this.#context.setDefaultTimeout(20_000);
    await this.#context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = this.#context.pages()[0] ?? (await this.#context.newPage());
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => void this.frames.push(payload.toString())),
    );
    page.on('pageerror', (error) => this.faults.push(error.stack ?? error.message));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) this.faults.push(message.text());
    });
    await page.goto(this.#url);
    await page.getByText('connected', { exact: true }).waitFor();
    return page;
  }

  /** The page first, then the workbench; the agents it started must be gone with it. */
  async end(): Promise<void> {
    await this.#context?.close();
    const ended = new Promise((resolve) => this.#bench.once('exit', resolve));
    this.#bench.kill('SIGTERM');
    await ended;
    await this.talk.end();
  }

  async discard(): Promise<void> {
    await this.#context?.close().catch(() => undefined);
    this.#bench.kill('SIGKILL');
    await this.talk.discard();
  }
}

type Begin = (talk: ChatWorld) => PanelOptions | Promise<PanelOptions>;
type Run = (panel: Panel, world: PanelWorld) => Promise<void>;

/** A panel in a world of its own. One more try, said aloud: real programs on a loaded machine. */
export async function inPanel(begin: Begin, run: Run): Promise<void> {
  try {
    await inOnePanel(begin, run);
  } catch (error) {
    console.log(`RETRY: ${(error as Error).message}`);
    await inOnePanel(begin, run);
  }
}

/** What page and workbench said goes along with a failure. */
async function inOnePanel(begin: Begin, run: Run): Promise<void> {
  const talk = await ChatWorld.start();
  const world = await Promise.resolve(begin(talk))
    .then((options) => PanelWorld.start(talk, options))
    .catch(async (error: Error) => {
      await talk.discard();
      throw error;
    });
  let page: Page | undefined;
  try {
    page = await world.page();
    await run(new Panel(page), world);
    assert.deepEqual(world.faults, []);
  } catch (error) {
    const body = page?.locator('body');
    const seen = await body?.innerText().catch(() => '');
    await world.discard();
    const evidence = `--- the page\n${seen}\n--- the workbench\n${world.output}`;
    throw new Error(`${(error as Error).message}\n${evidence}`, { cause: error });
  }
  await world.end();
}
