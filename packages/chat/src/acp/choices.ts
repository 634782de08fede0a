import * as z from 'zod';
import { ChatError, type SessionOptions } from '../connection.ts';
import type { ChatEvent } from '../events.ts';
import { Said } from '../said.ts';
import type { AgentProcess } from './agent-process.ts';
import { type ConfigOption, SessionState } from './schema.ts';
import { askingMode, modelOption, optionEvents, stateEvents } from './state.ts';

export interface ChoicesHost {
  tell(...events: readonly ChatEvent[]): void;
  readonly running: AgentProcess;
  readonly sessionId: string;
}

/** Mode, model and further options of a session: what the agent offers, and what is chosen. */
export class Choices {
  readonly said = new Said();
  readonly #host: ChoicesHost;
  #options: readonly ConfigOption[] = [];
  /** `undefined`: the one in which the agent asks. */
  #wantedMode: string | undefined;

  constructor(host: ChoicesHost) {
    this.#host = host;
  }

  get wantedMode(): string | undefined {
    return this.#wantedMode;
  }

  /** Another session is about to begin. */
  leave(mode: string | undefined): void {
    this.said.forget();
    this.#wantedMode = mode;
  }

  /** Puts the session into the mode in which it asks, also where the agent says that it is in it already; then tells. */
  async enter(agent: string, state: SessionState, options: SessionOptions): Promise<void> {
    this.#options = state.configOptions ?? [];
    const events = stateEvents(state);
    const mode = events.find((event) => event.type === 'mode');
    const modeId = askingMode(mode?.available ?? [], this.#wantedMode);
    if (options.mode !== undefined && modeId === undefined) {
      throw new ChatError('refused', `${agent} has no mode ${options.mode}`);
    }
    const told = events.map((event) =>
      event.type === 'mode' && modeId !== undefined ? { ...event, current: modeId } : event,
    );
    this.said.know(...told);
    if (modeId !== undefined) await this.#ask('session/set_mode', { modeId });
    this.#host.tell(...told);
    if (options.model !== undefined) await this.setModel(options.model);
  }

  async setModel(id: string): Promise<void> {
    const option = modelOption(this.#options, id);
    if (option) await this.setOption(option.id, id);
    else await this.#ask('session/set_model', { modelId: id });
    this.#host.tell(...this.said.choice('model', id));
  }

  async setMode(id: string): Promise<void> {
    await this.#ask('session/set_mode', { modeId: id });
    this.#wantedMode = id;
    this.#host.tell(...this.said.choice('mode', id));
  }

  async setOption(id: string, value: string): Promise<void> {
    const asked = { sessionId: this.#host.sessionId, configId: id, value };
    const { configOptions } = await this.#host.running.ask('session/set_config_option', SessionState, asked);
    if (!configOptions) return;
    const told = (wire: readonly ConfigOption[]) => optionEvents(wire, { mode: false, model: false });
    const [before, after] = [told(this.#options), told(configOptions)];
    this.#options = configOptions;
    if (JSON.stringify(before) !== JSON.stringify(after)) this.#host.tell(...after);
  }

  /** The agent itself has changed them. */
  changed(options: readonly ConfigOption[]): void {
    this.#options = options;
  }

  #ask(method: string, params: object): Promise<unknown> {
    return this.#host.running.ask(method, z.unknown(), { sessionId: this.#host.sessionId, ...params });
  }
}
