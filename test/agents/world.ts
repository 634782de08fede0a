// A workspace with a companion and some agents, each with a scripted model of its own.
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { Agent } from './agent.ts';
import { type AgentProfile, agents } from './agents.ts';
import { Companion, type Review, type Serving } from './companion.ts';
import { assertNothingLeft } from './leftovers.ts';
import type { FakeModel, ToolCall } from './models/model.ts';
import type { AgentName } from './paths.ts';
import { Sandbox } from './sandbox.ts';
import { waitFor } from './wait.ts';

/** One agent at work: the program, its model, and the phrases they share. */
export class Seat {
  readonly profile: AgentProfile;
  readonly model: FakeModel;
  readonly #sandbox: Sandbox;
  #agent: Agent | undefined;

  constructor(profile: AgentProfile, model: FakeModel, sandbox: Sandbox) {
    this.profile = profile;
    this.model = model;
    this.#sandbox = sandbox;
  }

  get name(): AgentName {
    return this.profile.name;
  }

  get agent(): Agent {
    if (this.#agent === undefined) throw new Error(`${this.name} has not been started`);
    return this.#agent;
  }

  async start(): Promise<void> {
    this.#agent = await Agent.start(this.profile, this.#sandbox, this.model);
  }

  async quit(): Promise<void> {
    await this.#agent?.quit();
    this.#agent = undefined;
  }

  /** Has the user ask for something and the model answer with these calls, in one message. */
  async task(keyword: string, calls: ToolCall[]): Promise<void> {
    // The agents refuse to edit a file they have not read.
    const paths = calls.flatMap((call) => (call.tool !== 'named' && existsSync(call.path) ? [call.path] : []));
    const reads = paths.map((path) => ({ tool: 'read' as const, path }));
    const steps = [...(reads.length > 0 ? [{ calls: reads }] : []), { calls }, { text: this.#closing(keyword) }];
    this.model.script(keyword, steps);
    await this.agent.waitForVisible(this.profile.ready);
    await this.agent.say(`please do ${keyword}`);
  }

  /** Waits until the agent shows that it knows the selected lines and the open files. */
  async knowsContext(): Promise<void> {
    const { ask, pattern } = this.profile.contextShown;
    if (ask !== undefined) await this.agent.say(ask);
    await this.agent.waitForScreen(pattern);
  }

  /** A prompt without any tool call; gives the text that reached the model with it. */
  async ask(keyword: string): Promise<string> {
    this.model.script(keyword, [{ text: this.#closing(keyword) }]);
    await this.agent.waitForVisible(this.profile.ready);
    await this.agent.say(`please do ${keyword}`);
    await this.finished(keyword);
    return this.model.mainRequests(keyword)[0]?.fresh ?? '';
  }

  /** Waits for the model's closing words on the screen. */
  async finished(keyword: string): Promise<void> {
    await this.agent.waitForScreen(new RegExp(this.#closing(keyword)));
  }

  /** Waits until the terminal says that the edit of this file was refused. */
  async sawRejection(path: string): Promise<void> {
    await this.agent.waitForScreen(this.profile.rejected(basename(path).replaceAll('.', '\\.')));
  }

  /** What the model was told about its last tool calls of a task. */
  verdict(keyword: string): string {
    return this.model.mainRequests(keyword).at(-1)?.results ?? '';
  }

  #closing(keyword: string): string {
    return `finished with ${keyword}`;
  }
}

export class World {
  readonly sandbox = new Sandbox();
  readonly seats: Seat[] = [];
  readonly #ports: number[] = [];
  protected readonly serving: Serving = 'serve';
  protected readonly servingArgs: readonly string[] = [];
  #companion: Companion | undefined;

  static async start<W extends World>(this: new () => W, ...names: AgentName[]): Promise<W> {
    const world = new this();
    try {
      await world.startCompanion();
      await Promise.all(names.map((name) => world.seatAgent(name)));
      return world;
    } catch (error) {
      await world.discard();
      throw error;
    }
  }

  get companion(): Companion {
    if (this.#companion === undefined) throw new Error('no companion is running');
    return this.#companion;
  }

  /** The seat of the only agent, or of the one named. */
  seat(name?: AgentName): Seat {
    const seat = this.seats.find((candidate) => (name ?? candidate.name) === candidate.name);
    if (seat === undefined) throw new Error(`no ${name} in this world`);
    return seat;
  }

  async startCompanion(env: Record<string, string> = {}): Promise<Companion> {
    this.#companion = await Companion.start(this.sandbox, env, this.serving, this.servingArgs);
    this.#ports.push(...this.#companion.ports);
    return this.#companion;
  }

  /** Gives an agent a model of its own and starts it. */
  async seatAgent(name: AgentName): Promise<Seat> {
    const profile = agents[name];
    const seat = new Seat(profile, await profile.startModel(), this.sandbox);
    this.seats.push(seat);
    await this.startAgent(seat);
    return seat;
  }

  /** Starts an agent and waits until it has found the companion by itself. */
  async startAgent(seat: Seat): Promise<void> {
    const before = this.companion.connections(seat.name);
    await seat.start();
    const more = () => this.companion.connections(seat.name) > before;
    await this.until(`${seat.name} to connect by itself`, more, 30_000);
  }

  /** Waits until the companion's own list has no such review any more. */
  async unlisted(review: Review): Promise<void> {
    const missing = async () => !(await this.companion.reviews()).some(({ id }) => id === review.id);
    await this.until(`review ${review.id} to leave the list`, missing, 10_000);
  }

  /** Waits for a text on disk. The agents write it, in their own time. */
  async onDisk(path: string, text: string): Promise<void> {
    const name = path.slice(this.sandbox.workspace.length + 1);
    try {
      await this.until(`${name} to be written`, () => this.sandbox.read(name) === text);
    } catch (error) {
      const got = JSON.stringify(this.sandbox.read(name));
      throw new Error(`${name} holds ${got} instead of ${JSON.stringify(text)}`, { cause: error });
    }
  }

  until<T>(what: string, look: () => T | Promise<T>, ms?: number): Promise<NonNullable<T>> {
    return waitFor(what, look, ms, () => this.evidence());
  }

  async evidence(): Promise<string> {
    const parts = this.seats.map(async (seat) => {
      const requests = seat.model.requests.map(({ keyword, step }) => (keyword ? `${keyword}/${step}` : 'side call'));
      return `${await seat.agent.evidence()}\n--- ${seat.name}'s model was asked: ${requests.join(', ')}`;
    });
    return [...(await Promise.all(parts)), this.#companion?.evidence() ?? ''].join('\n');
  }

  /** Waits until the companion has seen that the agents are gone. Stopped before, it leaves a note for a successor. */
  async settle(): Promise<void> {
    const alone = async () => (await this.#companion?.links())?.length === 0;
    await waitFor('the companion to see that the agents are gone', alone, 20_000);
  }

  /** Ends everything, the agents first, and proves that nothing is left. */
  async end(): Promise<void> {
    await this.#quitAgents();
    await this.settle();
    await this.#stop();
    await assertNothingLeft(this.sandbox, this.#ports);
    this.sandbox.remove();
  }

  /** Ends everything after a failure, without further questions. */
  async discard(): Promise<void> {
    await this.#quitAgents().catch(() => undefined);
    await this.#stop();
    this.sandbox.killAll();
    this.sandbox.remove();
  }

  async #quitAgents(): Promise<void> {
    await Promise.all(this.seats.map((seat) => seat.quit()));
  }

  async #stop(): Promise<void> {
    await this.#companion?.stop();
    await this.sandbox.tmux.endServer();
    await Promise.all(this.seats.map((seat) => seat.model.close()));
  }
}
