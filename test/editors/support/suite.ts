// One VS Code window for all tests of a file: each begins with no tab, no agent, no setting of the one before.
import { after, before, describe, test } from 'node:test';
import { waitFor } from '../../agents/wait.ts';
import { type HttpAgent, send } from '../../support/http-agent.ts';
import type { SocketAgent } from '../../support/socket-agent.ts';
import type { EditorCompanion } from './companion.ts';
import { Diff } from './diff.ts';
import { Studio, type StudioOptions } from './studio.ts';
import { withEvidence } from './testing.ts';
import type { VsCode, Window } from './window.ts';

export class Suite {
  #studio: Studio | undefined;
  #window: Window | undefined;
  #companion: EditorCompanion | undefined;
  readonly #agents: (() => unknown)[] = [];
  readonly #set = new Set<string>();

  get studio(): Studio {
    return there(this.#studio);
  }

  get window(): Window {
    return there(this.#window);
  }

  get companion(): EditorCompanion {
    return there(this.#companion);
  }

  async start(options: StudioOptions): Promise<void> {
    this.#studio = await Studio.start(options);
    this.#window = await this.#studio.window();
    this.#companion = await this.#studio.companion(this.#window);
  }

  test(title: string, work: () => Promise<void>): void {
    test(title, async () => {
      try {
        await withEvidence(() => this.studio, title, work);
      } finally {
        await Promise.all(this.#agents.splice(0).map((leave) => leave()));
        await this.#tidy();
      }
    });
  }

  write(name: string, text: string): string {
    return this.studio.sandbox.write(name, text);
  }

  /** User settings for the rest of the test. */
  async set(settings: Record<string, unknown>): Promise<void> {
    for (const name of Object.keys(settings)) this.#set.add(name);
    await this.window.inHost(configure, settings);
  }

  /** A raw client that speaks as Gemini CLI or Qwen Code does, until the end of the test. */
  async agent(dialect: 'gemini' | 'qwen' = 'gemini'): Promise<HttpAgent> {
    const agent = await this.companion.agent(dialect);
    this.#agents.push(() => leave(agent));
    return agent;
  }

  /** A raw client that speaks as Claude Code does, until the end of the test. */
  async claude(): Promise<SocketAgent> {
    const agent = await this.companion.claude();
    this.#agents.push(() => agent.socket.terminate());
    return agent;
  }

  diff(path: string, agent?: string): Diff {
    return new Diff(this.window, path, agent);
  }

  /** Has an agent of the Gemini kind propose a text; the diff's tab is there. */
  async propose(agent: HttpAgent, path: string, proposed: string, name = 'gemini'): Promise<Diff> {
    await agent.call('openDiff', { filePath: path, newContent: proposed });
    return this.diff(path, name).opened();
  }

  async end(): Promise<void> {
    await this.#studio?.discard();
  }

  async #tidy(): Promise<void> {
    const alone = async () => (await this.companion.links()).length === 0;
    await waitFor('the agents to be gone', alone);
    await this.companion.noReviews();
    await this.window.press('Escape');
    await this.window.closeAll();
    await this.window.inHost((api) => api.commands.executeCommand('notifications.clearAll'));
    const none = Object.fromEntries([...this.#set].map((name) => [name, null]));
    this.#set.clear();
    await this.window.inHost(configure, none);
  }
}

export function suite(title: string, options: StudioOptions, define: (suite: Suite) => void): void {
  describe(title, { concurrency: 1 }, () => {
    const shared = new Suite();
    before(() => shared.start(options));
    after(() => shared.end());
    define(shared);
    test(`[ALL-5] ${title}: nothing is left`, () => shared.studio.end());
  });
}

/** Runs in the extension host; null takes a setting back. */
async function configure(api: VsCode, settings: Record<string, unknown>): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    await api.workspace.getConfiguration().update(name, value ?? undefined, api.ConfigurationTarget.Global);
  }
}

/** Says goodbye: one that just drops is waited for. */
async function leave(agent: HttpAgent): Promise<void> {
  await send(agent.port, { method: 'DELETE', headers: agent.headers }).catch(() => undefined);
  agent.drop();
}

function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('VS Code did not start');
  return value;
}
