// Real agents as a person starts them: by their commands on the PATH, in a plain terminal, with `tandem run` before them or not.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentProfile, agents } from './agents.ts';
import type { Link, Review } from './companion.ts';
import { assertNothingLeft } from './leftovers.ts';
import type { FakeModel } from './models/model.ts';
import { type AgentName, agentCommand, agentNames, agentsDir, tandemJs, tandemNode } from './paths.ts';
import { familyOf } from './processes.ts';
import { Sandbox } from './sandbox.ts';
import { pause, waitFor } from './wait.ts';

export class Terminal {
  readonly sandbox = new Sandbox();
  readonly profile: AgentProfile;
  readonly model: FakeModel;
  readonly #ports: number[] = [];
  #session = 0;
  #pid = 0;

  private constructor(profile: AgentProfile, model: FakeModel) {
    this.profile = profile;
    this.model = model;
    const bin = join(this.sandbox.root, 'bin');
    mkdirSync(bin);
    for (const name of agentNames) symlinkSync(programOf(name), join(bin, name));
    this.sandbox.env.PATH = `${bin}:${this.sandbox.env.PATH}`;
    profile.settle(this.sandbox);
  }

  /** In a world of its own, in which nothing may be left afterwards. */
  static async use(name: AgentName, work: (terminal: Terminal) => Promise<void>): Promise<void> {
    const terminal = new Terminal(agents[name], await agents[name].startModel());
    try {
      await work(terminal);
      await terminal.#end();
      await assertNothingLeft(terminal.sandbox, terminal.#ports);
    } catch (error) {
      const screen = await terminal.screen().catch(() => 'no screen');
      throw new Error(`${error instanceof Error ? error.message : error}\n--- ${name}'s screen\n${screen}`, {
        cause: error,
      });
    } finally {
      await terminal.#end();
      terminal.sandbox.killAll();
      terminal.sandbox.remove();
    }
  }

  get name(): AgentName {
    return this.profile.name;
  }

  /** Settings of somebody who has never used the agent with an editor. */
  unsettle(): void {
    const file = { claude: '.claude.json', gemini: '.gemini/settings.json', qwen: '.qwen/settings.json' }[this.name];
    const { ide: _ide, tools: _tools, autoConnectIde: _auto, ...rest } = this.settings(file);
    writeFileSync(
      join(this.sandbox.home, file),
      `// by hand\n${JSON.stringify(rest, null, 4)}\n`.slice(this.name === 'claude' ? 11 : 0),
    );
  }

  settings(file: string): Record<string, unknown> {
    return JSON.parse(readFileSync(join(this.sandbox.home, file), 'utf8').replace('// by hand\n', ''));
  }

  /** Types a command line into a new terminal: `tandem run …`, or the agent's own command. */
  async start(line: readonly string[], env: Record<string, string> = {}): Promise<void> {
    await this.#end(false);
    this.#session += 1;
    const [command = '', ...args] = line;
    const program = command === 'tandem' ? [tandemNode, tandemJs] : [join(this.sandbox.root, 'bin', command)];
    const { SSH_CONNECTION: _ssh, ...own } = this.profile.environment(this.model);
    this.#pid = await this.sandbox.tmux.start(
      this.#name,
      this.sandbox.workspace,
      { ...this.sandbox.env, ...own, ...env },
      [...program, ...args],
    );
  }

  screen(): Promise<string> {
    return this.sandbox.tmux.screen(this.#name, true);
  }

  async shows(pattern: RegExp, ms = 45_000): Promise<void> {
    await waitFor(`${this.name}'s terminal to show ${pattern}`, async () => pattern.test(await this.screen()), ms);
  }

  async ready(): Promise<void> {
    await this.shows(this.profile.ready);
  }

  async say(text: string): Promise<void> {
    await this.sandbox.tmux.type(this.#name, text);
    await pause('beforeEnter');
    await this.sandbox.tmux.press(this.#name, 'Enter');
  }

  /** A tandem command in another terminal. */
  tandem(
    args: readonly string[],
    env: Record<string, string> = {},
  ): Promise<{ code: number; stdout: string; stderr: string }> {
    const options = { cwd: this.sandbox.workspace, env: { ...this.sandbox.env, ...env }, timeout: 30_000 };
    return new Promise((resolve) => {
      execFile(tandemNode, [tandemJs, ...args], options, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, stdout, stderr });
      });
    });
  }

  async json<T>(args: readonly string[], env: Record<string, string> = {}): Promise<T> {
    return JSON.parse((await this.tandem([...args, '--json'], env)).stdout) as T;
  }

  /** Waits until this agent is connected to the companion on that port (or the only one), and gives the port. */
  async connected(port?: number): Promise<number> {
    const named = port === undefined ? [] : ['--port', String(port)];
    const found = await waitFor(
      `${this.name} to connect`,
      async () => {
        const status = await this.json<{ port: number; links: Link[] }>(['status', ...named]);
        return status.links.some(({ agent }) => agent === this.name) ? status.port : undefined;
      },
      30_000,
    );
    this.#ports.push(found);
    return found;
  }

  /** The model edits a file; the edit waits as a review, is accepted, and the agent writes it. */
  async acceptOne(task: string, port?: number): Promise<void> {
    const named = port === undefined ? [] : ['--port', String(port)];
    const path = this.sandbox.write(`${task}.txt`, 'one\ntwo\n');
    this.model.script(task, [
      { calls: [{ tool: 'read', path }] },
      { calls: [{ tool: 'edit', path, old: 'two', new: 'TWO' }] },
      { text: `finished with ${task}` },
    ]);
    await this.say(`please do ${task}`);
    await waitFor(
      `a review of ${path}`,
      async () => {
        return (await this.json<Review[]>(['review', 'list', ...named])).some((review) => review.path === path);
      },
      30_000,
    );
    await this.tandem(['review', 'accept', ...named]);
    await waitFor(`${path} to be written`, () => this.sandbox.read(`${task}.txt`) === 'one\nTWO\n');
  }

  /** Leaves the agent as a person does, and gives the exit code that the terminal sees. */
  async leave(): Promise<number> {
    await this.say(this.name === 'claude' ? '/exit' : '/quit');
    let code: number | undefined;
    await waitFor(
      `${this.name} to end`,
      async () => {
        code = await this.sandbox.tmux.exitCode(this.#name);
        return code !== undefined;
      },
      40_000,
    );
    return code ?? -1;
  }

  /** Ends what runs in the terminal. */
  async close(): Promise<void> {
    await this.#end(false);
    this.#session = 0;
  }

  get #name(): string {
    return `terminal${this.#session}`;
  }

  async #end(all = true): Promise<void> {
    if (this.#session > 0) {
      const family = familyOf(this.#pid);
      await this.sandbox.tmux.end(this.#name);
      this.sandbox.signal(family, 'SIGTERM');
      const alive = () => this.sandbox.processes().some(({ pid }) => family.includes(pid));
      await waitFor(`${this.name} to end`, () => !alive(), 15_000);
    }
    if (!all) return;
    await this.sandbox.tmux.endServer();
    await this.model.close();
  }
}

/** What npm puts on the PATH, as far as it was not left out. */
function programOf(name: AgentName): string {
  return name === 'claude' ? (agentCommand('claude')[0] ?? '') : join(agentsDir, 'node_modules', '.bin', name);
}
