// The real agents in VS Code's own terminals, each with a scripted model.
import { agents } from '../../agents/agents.ts';
import type { FakeModel } from '../../agents/models/model.ts';
import { type AgentName, agentNames } from '../../agents/paths.ts';
import { Seat } from '../../agents/world.ts';
import type { EditorSandbox } from './terminals.ts';
import type { Window } from './window.ts';

export class Seats {
  readonly #models: ReadonlyMap<AgentName, FakeModel>;

  private constructor(models: ReadonlyMap<AgentName, FakeModel>) {
    this.#models = models;
  }

  static async prepare(): Promise<Seats> {
    const started = agentNames.map(async (name) => [name, await agents[name].startModel()] as const);
    return new Seats(new Map(await Promise.all(started)));
  }

  /** What the agents need to find their models; VS Code is started with it, and adds what leads to the companion. */
  get env(): Record<string, string> {
    return Object.assign({}, ...[...this.#models].map(([name, model]) => agents[name].environment(model)));
  }

  model(name: AgentName): FakeModel {
    const model = this.#models.get(name);
    if (model === undefined) throw new Error(`${name} has no model`);
    return model;
  }

  /** Starts an agent in a new terminal of a window. */
  async start(name: AgentName, sandbox: EditorSandbox, window: Window): Promise<Seat> {
    sandbox.tmux.window = window;
    // In VS Code it would ask, once, whether it may add keys to VS Code's settings.
    if (name === 'gemini') sandbox.writeHome('.gemini/state.json', { terminalSetupPromptShown: true });
    const seat = new Seat(agents[name], this.model(name), sandbox);
    await seat.start();
    return seat;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#models.values()].map((model) => model.close()));
  }
}
