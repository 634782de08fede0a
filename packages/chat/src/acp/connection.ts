import type { Log } from '@tandem/core';
import * as z from 'zod';
import {
  type AgentConnection,
  type AgentFiles,
  ChatError,
  type ConnectionCapabilities,
  type Locality,
  type PermissionAnswer,
  type PromptBlock,
  type PromptTaken,
  type SessionOptions,
  type SessionPage,
  type Vote,
} from '../connection.ts';
import type { ChatAgent, ChatEvent, ConnectionState, SessionInfo } from '../events.ts';
import { Outlet } from '../outlet.ts';
import { Said } from '../said.ts';
import { AgentProcess, inWords } from './agent-process.ts';
import type { AcpAgent, Environment } from './agents.ts';
import { Asks } from './asks.ts';
import { Calls } from './calls.ts';
import { formContent, questionEvent } from './elicitation.ts';
import { AllowedWrites, diskFiles, readForAgent } from './files.ts';
import { childLocality } from './locality.ts';
import { Paragraphs } from './paragraphs.ts';
import { type Initialized, NewSession, PromptDone, SessionsPage } from './replies.ts';
import { type ConfigOption, SessionState, SessionUpdate } from './schema.ts';
import { askingMode, modelOption, optionEvents, stateEvents } from './state.ts';
import { titleOf } from './titles.ts';
import { type Ended, Turns } from './turns.ts';
import { eventsOf } from './updates.ts';
import type { WireHost } from './wire.ts';

export interface AcpConnectionOptions {
  readonly agent: AcpAgent;
  readonly cwd: string;
  readonly env?: Environment;
  readonly files?: AgentFiles;
  readonly log?: Log;
}

/** A conversation with an agent that runs as our child and speaks ACP. */
export class AcpConnection implements AgentConnection {
  readonly #options: AcpConnectionOptions;
  readonly #outlet = new Outlet();
  readonly #log: Log;
  readonly #said = new Said();
  readonly #writes = new AllowedWrites();
  readonly #asks: Asks;
  readonly #turns: Turns;
  readonly #calls = new Calls();
  readonly #paragraphs = new Paragraphs();
  #files: AgentFiles;
  #process: AgentProcess | undefined;
  #initialized: Initialized | undefined;
  #info: SessionInfo | undefined;
  #configOptions: readonly ConfigOption[] = [];
  /** `undefined`: the one in which the agent asks. */
  #wantedMode: string | undefined;
  /** A history is being told: what the user said is then news. */
  #loading = false;

  constructor(options: AcpConnectionOptions) {
    this.#options = options;
    this.#log = options.log ?? (() => {});
    this.#files = options.files ?? diskFiles;
    this.#asks = new Asks(
      (event) => this.#outlet.emit(event),
      (paths) => this.#writes.allow(paths),
    );
    this.#turns = new Turns({
      tell: (...events) => this.#outlet.emit(...events),
      begin: () => {
        this.#writes.clear();
        this.#calls.clear();
        this.#paragraphs.begin();
      },
      run: (blocks) => this.#run(blocks),
      end: (reason) => {
        this.#asks.cancelAll();
        if (reason === 'end_turn') return;
        this.#outlet.emit(...this.#calls.givenUp());
      },
    });
  }

  get agent(): ChatAgent {
    const { id, name } = this.#options.agent;
    const version = this.#initialized?.agentInfo?.version;
    return { id, name, via: 'acp', ...(version === undefined ? {} : { version }) };
  }

  get state(): ConnectionState {
    return this.#outlet.state;
  }

  get session(): SessionInfo | undefined {
    return this.#info;
  }

  get capabilities(): ConnectionCapabilities {
    const can = this.#initialized?.agentCapabilities;
    return {
      load: can?.loadSession ?? false,
      resume: can?.sessionCapabilities?.resume !== undefined,
      list: can?.sessionCapabilities?.list !== undefined,
      rename: this.#options.agent.id === 'qwen', // an addition of its own
      images: can?.promptCapabilities?.image ?? false,
      embedded: can?.promptCapabilities?.embeddedContext ?? false,
      models: this.#said.model !== undefined,
      modes: this.#said.mode !== undefined,
      continueTurn: false,
      shared: false,
    };
  }

  /** The agent's process, while it runs. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  subscribe(listener: (event: ChatEvent) => void): () => void {
    return this.#outlet.subscribe(listener);
  }

  useFiles(files: AgentFiles): void {
    this.#files = files;
  }

  async start(): Promise<void> {
    if (this.state.status === 'connected') return;
    this.#outlet.become({ status: 'starting' });
    try {
      const { agent, cwd, env = process.env } = this.#options;
      const running = new AgentProcess(agent, cwd, env, this.#host());
      this.#process = running;
      void running.ended.then((how) => this.#gone(running, how));
      this.#initialized = await running.hello();
    } catch (error) {
      await this.#end();
      const failure = inWords(error);
      this.#died(failure.message);
      throw failure;
    }
    this.#outlet.become({ status: 'connected' });
  }

  async stop(): Promise<void> {
    if (this.state.status === 'stopped') return;
    this.#outlet.become({ status: 'stopped' });
    this.#turns.pause();
    this.#asks.cancelAll();
    this.#info = undefined;
    await this.#end();
  }

  async reconnect(): Promise<void> {
    const id = this.#info?.id;
    this.#turns.pause();
    await this.#end();
    await this.start();
    if (id === undefined) return;
    if (this.capabilities.load) await this.#open(id, 'session/load');
    else await this.newSession(this.#wantedMode === undefined ? {} : { mode: this.#wantedMode });
  }

  async newSession(options: SessionOptions = {}): Promise<SessionInfo> {
    this.#leave(options);
    const { cwd } = this.#options;
    const session = await this.#running.ask('session/new', NewSession, { cwd, mcpServers: [] });
    this.#outlet.emit({ type: 'history', phase: 'begin' });
    await this.#enter(session.sessionId, session, options);
    this.#outlet.emit({ type: 'history', phase: 'end' });
    this.#turns.resume();
    return this.#info as SessionInfo;
  }

  async listSessions(cursor?: string): Promise<SessionPage> {
    this.#require('list', this.capabilities.list);
    const { cwd } = this.#options;
    const asked = { cwd, ...(cursor === undefined ? {} : { cursor }) };
    const page = await this.#running.ask('session/list', SessionsPage, asked);
    return {
      sessions: page.sessions.map((each) => ({
        id: each.sessionId,
        title: each.title ?? '',
        cwd: each.cwd ?? cwd,
        ...(each.updatedAt === undefined ? {} : { updatedAt: each.updatedAt }),
      })),
      ...(page.nextCursor === undefined ? {} : { next: page.nextCursor }),
    };
  }

  async loadSession(id: string, options: SessionOptions = {}): Promise<SessionInfo> {
    this.#require('load', this.capabilities.load);
    this.#leave(options);
    return this.#open(id, 'session/load', options);
  }

  async resumeSession(id: string, options: SessionOptions = {}): Promise<SessionInfo> {
    this.#require('resume', this.capabilities.resume);
    this.#leave(options);
    return this.#open(id, 'session/resume', options);
  }

  async renameSession(title: string, id?: string): Promise<void> {
    this.#require('rename', this.capabilities.rename);
    const sessionId = id ?? this.#sessionId;
    await this.#running.ask('renameSession', z.unknown(), { sessionId, title, cwd: this.#options.cwd });
    if (sessionId === this.#info?.id) this.#outlet.emit(...this.#said.title(title));
  }

  async prompt(blocks: readonly PromptBlock[]): Promise<PromptTaken> {
    void this.#sessionId; // or say that there is none
    return this.#turns.add(blocks);
  }

  async takeBack(promptId: string): Promise<boolean> {
    return this.#turns.takeBack(promptId);
  }

  async cancel(): Promise<void> {
    if (!this.#turns.isRunning) return;
    this.#asks.cancelAll(); // the protocol wants them answered
    await this.#running.tell('session/cancel', { sessionId: this.#sessionId });
  }

  async continueTurn(): Promise<boolean> {
    return false;
  }

  async setModel(id: string): Promise<void> {
    const option = modelOption(this.#configOptions, id);
    const sessionId = this.#sessionId;
    if (option) await this.setOption(option.id, id);
    else await this.#running.ask('session/set_model', z.unknown(), { sessionId, modelId: id });
    this.#outlet.emit(...this.#said.choice('model', id));
  }

  async setMode(id: string): Promise<void> {
    await this.#running.ask('session/set_mode', z.unknown(), { sessionId: this.#sessionId, modeId: id });
    this.#wantedMode = id;
    this.#outlet.emit(...this.#said.choice('mode', id));
  }

  async setOption(id: string, value: string): Promise<void> {
    const asked = { sessionId: this.#sessionId, configId: id, value };
    const { configOptions } = await this.#running.ask('session/set_config_option', SessionState, asked);
    if (!configOptions) return;
    const told = (wire: readonly ConfigOption[]) => optionEvents(wire, { mode: false, model: false });
    const [before, after] = [told(this.#configOptions), told(configOptions)];
    this.#configOptions = configOptions;
    if (JSON.stringify(before) !== JSON.stringify(after)) this.#outlet.emit(...after);
  }

  async respondToPermission(id: string, answer: PermissionAnswer): Promise<Vote> {
    return this.#asks.vote(id, answer);
  }

  async answerQuestion(id: string, answers: Readonly<Record<string, string>> | undefined): Promise<Vote> {
    return this.#asks.answer(id, answers);
  }

  async locality(): Promise<Locality> {
    return childLocality(this.#options.agent, this.#options.cwd, this.pid);
  }

  #host(): WireHost {
    return {
      update: (sessionId, update) => this.#update(sessionId, update),
      permission: (wire, signal) => this.#asks.permission(wire, this.#calls.whole(wire.toolCall), signal),
      elicitation: async (form, signal) => {
        const answers = await this.#asks.question(questionEvent(form), signal);
        return answers ? { action: 'accept', content: formContent(form, answers) } : { action: 'decline' };
      },
      read: (request) => readForAgent(this.#files, request),
      write: async ({ path, content }) => {
        await this.#writes.write(path, content);
        return {};
      },
      extra: (method, params) => this.#extra(method, params),
      log: this.#log,
    };
  }

  async #open(id: string, method: 'session/load' | 'session/resume', options: SessionOptions = {}) {
    this.#outlet.emit({ type: 'history', phase: 'begin' });
    this.#info = { id, cwd: this.#options.cwd, agent: this.agent };
    this.#loading = true;
    try {
      const asked = { sessionId: id, cwd: this.#options.cwd, mcpServers: [] };
      await this.#enter(id, await this.#running.ask(method, SessionState, asked), options);
    } catch (error) {
      this.#info = undefined;
      throw error;
    } finally {
      this.#loading = false;
      this.#outlet.emit({ type: 'history', phase: 'end' });
    }
    this.#turns.resume();
    void this.#recallTitle(id).catch((error: Error) => this.#log('debug', `no title: ${error.message}`));
    return this.#info;
  }

  async #recallTitle(id: string): Promise<void> {
    if (!this.capabilities.list) return;
    const title = await titleOf(id, (cursor) => this.listSessions(cursor));
    if (id === this.#info?.id) this.#outlet.emit(...this.#said.title(title));
  }

  /** Puts the session into the mode in which it asks, also where the agent says that it is in it already; then tells. */
  async #enter(id: string, state: SessionState, options: SessionOptions): Promise<void> {
    this.#info = { id, cwd: this.#options.cwd, agent: this.agent };
    this.#configOptions = state.configOptions ?? [];
    this.#outlet.emit({ type: 'session', session: this.#info });
    const events = stateEvents(state);
    const mode = events.find((event) => event.type === 'mode');
    const modeId = askingMode(mode?.available ?? [], this.#wantedMode);
    if (options.mode !== undefined && modeId === undefined) {
      throw new ChatError('refused', `${this.agent.name} has no mode ${options.mode}`);
    }
    const told = events.map((event) =>
      event.type === 'mode' && modeId !== undefined ? { ...event, current: modeId } : event,
    );
    this.#said.know(...told);
    if (modeId !== undefined) await this.#running.ask('session/set_mode', z.unknown(), { sessionId: id, modeId });
    this.#outlet.emit(...told);
    if (options.model !== undefined) await this.setModel(options.model);
  }

  #leave({ mode }: SessionOptions): void {
    void this.cancel().catch(() => undefined);
    this.#turns.pause();
    this.#turns.clear();
    this.#info = undefined;
    this.#said.forget();
    this.#wantedMode = mode;
  }

  async #run(prompt: readonly PromptBlock[]): Promise<Ended> {
    const running = this.#process;
    try {
      const asked = { sessionId: this.#sessionId, prompt };
      const { stopReason, usage } = await this.#running.ask('session/prompt', PromptDone, asked);
      return { reason: stopReason, ...(usage ? { usage } : {}) };
    } catch (error) {
      if (!running || (await running.isGone())) return { reason: 'interrupted' };
      return { reason: 'error', message: inWords(error).message };
    }
  }

  #update(sessionId: string, wire: unknown): void {
    if (this.#info && sessionId !== this.#info.id) return;
    const update = SessionUpdate.safeParse(wire);
    if (!update.success) {
      const kind = (wire as { sessionUpdate?: unknown } | null)?.sessionUpdate;
      this.#log('debug', `update ${String(kind)} is not understood: ${update.error.issues[0]?.message}`);
      return;
    }
    switch (update.data.sessionUpdate) {
      case 'user_message_chunk':
        if (!this.#loading) return; // our own words
        break;
      case 'current_mode_update':
        return this.#outlet.emit(...this.#said.choice('mode', update.data.currentModeId));
      case 'session_info_update':
        return this.#outlet.emit(...this.#said.title(update.data.title));
      case 'config_option_update':
        this.#configOptions = update.data.configOptions;
        break;
    }
    const events = 'toolCallId' in update.data ? this.#calls.events(update.data) : eventsOf(update.data);
    this.#said.know(...events);
    this.#outlet.emit(...this.#paragraphs.separate(update.data, events));
  }

  /** Qwen tells changes of mode, model and title in its own way. */
  #extra(method: string, params: unknown): void {
    const told = z.record(z.string(), z.unknown()).safeParse(params);
    const text = (key: string) => (told.success && typeof told.data[key] === 'string' ? told.data[key] : undefined);
    const change = /^_?qwen\/notify\/session\/(mode|model|title)-update$/.exec(method)?.[1];
    if (change === 'mode') this.#outlet.emit(...this.#said.choice('mode', text('currentModeId')));
    else if (change === 'model') this.#outlet.emit(...this.#said.choice('model', text('currentModelId')));
    else if (change === 'title') this.#outlet.emit(...this.#said.title(text('title') ?? text('displayName')));
    else this.#log('debug', `the agent told ${method}, which is not used`);
  }

  #gone(ended: AgentProcess, how: string): void {
    if (ended !== this.#process || this.state.status !== 'connected') return;
    this.#turns.pause(); // what waits goes on when the agent is back
    this.#died(how);
    this.#asks.cancelAll();
  }

  #died(reason: string): void {
    this.#outlet.become({ status: 'died', reason, canReconnect: true, canContinue: false });
  }

  async #end(): Promise<void> {
    const ending = this.#process;
    this.#process = undefined;
    await ending?.end();
  }

  get #running(): AgentProcess {
    if (!this.#process) throw new ChatError('not-connected', `${this.agent.name} is not running`);
    return this.#process;
  }

  get #sessionId(): string {
    if (!this.#info) throw new ChatError('no-session', 'there is no session yet');
    return this.#info.id;
  }

  #require(what: string, can: boolean): void {
    if (!can) throw new ChatError('unsupported', `${this.agent.name} cannot ${what} sessions`);
  }
}
