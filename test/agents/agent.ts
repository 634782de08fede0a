// One real agent in a terminal of its own.
import type { AgentProfile } from './agents.ts';
import type { FakeModel } from './models/model.ts';
import { agentCommand } from './paths.ts';
import { familyOf, isAlive } from './processes.ts';
import type { Sandbox } from './sandbox.ts';
import { pause, waitFor } from './wait.ts';

export class Agent {
  readonly profile: AgentProfile;
  /** The program in the terminal; the process that talks to us may be its child. */
  readonly pid: number;
  readonly #sandbox: Sandbox;

  private constructor(profile: AgentProfile, sandbox: Sandbox, pid: number) {
    this.profile = profile;
    this.#sandbox = sandbox;
    this.pid = pid;
  }

  static async start(profile: AgentProfile, sandbox: Sandbox, model: FakeModel): Promise<Agent> {
    profile.settle(sandbox);
    const env = { ...sandbox.env, ...profile.environment(model) };
    const command = [...agentCommand(profile.name), ...profile.args];
    const agent = new Agent(profile, sandbox, await sandbox.tmux.start(profile.name, sandbox.workspace, env, command));
    await agent.waitForVisible(profile.ready, 45_000);
    return agent;
  }

  /** What is on the screen and what scrolled out of it. */
  screen(): Promise<string> {
    return this.#sandbox.tmux.screen(this.profile.name, true);
  }

  waitForScreen(pattern: RegExp, ms = 20_000): Promise<void> {
    return this.#shows(pattern, true, ms);
  }

  /** Only what is visible now: a question that was answered earlier does not count. */
  waitForVisible(pattern: RegExp, ms = 20_000): Promise<void> {
    return this.#shows(pattern, false, ms);
  }

  /** Types a line and sends it. */
  async say(text: string): Promise<void> {
    await this.#sandbox.tmux.type(this.profile.name, text);
    await pause('beforeEnter');
    await this.press('Enter');
  }

  async press(key: string): Promise<void> {
    await this.#sandbox.tmux.press(this.profile.name, key);
  }

  /** Answers the terminal's own question about an edit with its first choice, "yes, once". */
  async allowInTerminal(): Promise<void> {
    await this.waitForVisible(this.profile.asks);
    await pause(this.profile.asksGuard);
    await this.press('Enter');
  }

  /** The whole program at once, without a chance to say goodbye. */
  async kill9(): Promise<void> {
    this.#sandbox.signal(familyOf(this.pid), 'SIGKILL');
    await this.#gone();
  }

  /** Ends it as closing its terminal window does. */
  async quit(): Promise<void> {
    const family = familyOf(this.pid);
    await this.#sandbox.tmux.end(this.profile.name);
    this.#sandbox.signal(family, 'SIGTERM');
    await this.#gone(family);
  }

  async evidence(): Promise<string> {
    const screen = await this.screen().catch((error: Error) => `no screen: ${error.message}`);
    return `--- ${this.profile.name}'s screen\n${screen.trimEnd()}`;
  }

  async #shows(pattern: RegExp, history: boolean, ms: number): Promise<void> {
    const seen = async () => pattern.test(await this.#sandbox.tmux.screen(this.profile.name, history));
    await waitFor(`${this.profile.name}'s screen to show ${pattern}`, seen, ms, () => this.evidence());
  }

  async #gone(family = [this.pid]): Promise<void> {
    await waitFor(`${this.profile.name} to end`, () => !family.some(isAlive), 10_000);
  }
}
