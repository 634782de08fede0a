// A VS Code with the packed extension, a browser for its windows, and a world that is thrown away.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { waitFor } from '../../agents/wait.ts';
import { launch } from '../../browser/support/browser.ts';
import { repoRoot, vsix } from '../paths.ts';
import { CodeServer, type ServerOptions } from './code-server.ts';
import { companionOf, type EditorCompanion } from './companion.ts';
import { assertNothingLeft } from './leftovers.ts';
import { pack } from './pack.ts';
import { EditorSandbox } from './terminals.ts';
import { Window } from './window.ts';

const probeFolder = join(import.meta.dirname, 'probe-extension');
/** Where pictures of failed tests go. */
const pictures = join(repoRoot, '.cache', 'test-editors');

export interface StudioOptions extends Pick<ServerOptions, 'settings' | 'env' | 'trust' | 'installed'> {
  /** Packed ones, instead of ours; the probe always comes with them. */
  readonly extensions?: (sandbox: EditorSandbox) => Promise<string>[];
  /** Called before VS Code starts, for files and settings in its HOME. */
  readonly prepare?: (sandbox: EditorSandbox) => void;
  readonly viewport?: { width: number; height: number };
  readonly colorScheme?: 'light' | 'dark';
}

export class Studio {
  readonly sandbox: EditorSandbox;
  readonly server: CodeServer;
  readonly browser: Browser;
  readonly windows: Window[] = [];
  readonly #options: StudioOptions;
  readonly #ports = new Set<number>();
  #ended = false;

  private constructor(sandbox: EditorSandbox, server: CodeServer, browser: Browser, options: StudioOptions) {
    this.sandbox = sandbox;
    this.server = server;
    this.browser = browser;
    this.#options = options;
    this.#ports.add(server.port);
  }

  static async start(options: StudioOptions = {}): Promise<Studio> {
    const sandbox = new EditorSandbox();
    try {
      options.prepare?.(sandbox);
      const probe = await pack(probeFolder, join(sandbox.root, 'probe.vsix'));
      const extensions = await Promise.all(options.extensions?.(sandbox) ?? [vsix()]);
      const server = await CodeServer.start(sandbox, { ...options, extensions: [...extensions, probe] });
      return new Studio(sandbox, server, await launch(), options);
    } catch (error) {
      sandbox.killAll();
      sandbox.remove();
      throw error;
    }
  }

  /** Opens a window in a browser of its own, as another person at another desk would; with `zh-CN` it is in Chinese. */
  async window(folder = this.sandbox.workspace, locale = 'en-GB'): Promise<Window> {
    const { viewport = { width: 1500, height: 1100 }, colorScheme = 'dark' } = this.#options;
    const context = await this.browser.newContext({ viewport, colorScheme, locale, reducedMotion: 'reduce' });
    context.setDefaultTimeout(15_000);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: this.server.origin });
    const window = await Window.open(await context.newPage(), this.server, folder);
    this.windows.push(window);
    return window;
  }

  /** The companion that runs in this window's extension host. */
  async companion(window: Window): Promise<EditorCompanion> {
    const pid = await window.hostPid();
    const companion = await waitFor(
      'the companion to publish itself',
      () => companionOf(this.sandbox.home, pid),
      20_000,
    );
    this.#ports.add(companion.port);
    return companion;
  }

  /** Pictures of all windows and what the server said, for a failed test. */
  async evidence(title: string): Promise<string> {
    mkdirSync(pictures, { recursive: true });
    const name = title.replaceAll(/[^\w]+/g, '-').slice(0, 80);
    const files = await Promise.all(
      this.windows.map(async ({ page }, index) => {
        const path = join(pictures, `${name}-${index}.png`);
        return page.screenshot({ path }).then(
          () => path,
          (error: Error) => `no picture: ${error.message}`,
        );
      }),
    );
    return `--- pictures: ${files.join(', ')}\n${this.server.evidence()}`;
  }

  /** Ends everything and proves that nothing is left. */
  async end(): Promise<void> {
    await this.#stop();
    await assertNothingLeft(this.sandbox, this.#ports);
    this.sandbox.remove();
  }

  async discard(): Promise<void> {
    await this.#stop().catch(() => undefined);
    this.sandbox.killAll();
    this.sandbox.remove();
  }

  async #stop(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.browser.close();
    await this.server.stop();
  }
}
