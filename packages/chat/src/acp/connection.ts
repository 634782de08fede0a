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
import { AgentProcess, inWords } from './agent-process.ts';
import type { AcpAgent, Environment } from './agents.ts';
import { Asks } from './asks.ts';
import { Choices } from './choices.ts';
import { formContent, questionEvent } from './elicitation.ts';
import { AllowedWrites, diskFiles, readForAgent } from './files.ts';
import { childLocality } from './locality.ts';
import { News } from './news.ts';
import { type Initialized, NewSession, PromptDone, SessionsPage } from './replies.ts';
import { SessionState } from './schema.ts';
import { titleOf } from './titles.ts';
import { type Ended, Turns } from './turns.ts';
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
  readonly #writes = new AllowedWrites();
  readonly #asks: Asks;
  readonly #turns: Turns;
  readonly #choices: Choices;
  readonly #news: News;
  #files: AgentFiles;
  #process: AgentProcess | undefined;
  #initialized: Initialized | undefined;
  #info: SessionInfo | undefined;

  constructor(options: AcpConnectionOptions) {
    this.#options = options;
    this.#log = options.log ?? (() => {});
    this.#files = options.files ?? diskFiles;
    this.#asks = new Asks(
      (event) => this.#outlet.emit(event),
      (paths) => this.#writes.allow(paths),
    );
    const tell = (...events: readonly ChatEvent[]) => this.#outlet.emit(...events);
    const connection = this;
    this.#choices = new Choices({
      tell,
      get running() {
        return connection.#running;
      },
      get sessionId() {
        return connection.#sessionId;
      },
    });
    this.#news = new News(this.#choices, tell, this.#log);
    this.#turns = new Turns({
      tell,
      begin: () => {
        this.#writes.clear();
        this.#news.beginTurn();
      },
      run: (blocks) => this.#run(blocks),
      end: (reason) => {
        this.#asks.cancelAll();
        if (reason === 'end_turn') return;
        this.#outlet.emit(...this.#news.calls.givenUp());
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
      models: this.#choices.said.model !== undefined,
      modes: this.#choices.said.mode !== undefined,
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
    else await this.newSession(this.#choices.wantedMode === undefined ? {} : { mode: this.#choices.wantedMode });
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
    if (sessionId === this.#info?.id) this.#outlet.emit(...this.#choices.said.title(title));
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
    await this.#choices.setModel(id);
  }

  async setMode(id: string): Promise<void> {
    await this.#choices.setMode(id);
  }

  async setOption(id: string, value: string): Promise<void> {
    await this.#choices.setOption(id, value);
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
      update: (sessionId, update) => {
        if (!this.#info || sessionId === this.#info.id) this.#news.update(update);
      },
      permission: (wire, signal) => this.#asks.permission(wire, this.#news.calls.whole(wire.toolCall), signal),
      elicitation: async (form, signal) => {
        const answers = await this.#asks.question(questionEvent(form), signal);
        return answers ? { action: 'accept', content: formContent(form, answers) } : { action: 'decline' };
      },
      read: (request) => readForAgent(this.#files, request),
      write: async ({ path, content }) => {
        await this.#writes.write(path, content);
        return {};
      },
      extra: (method, params) => this.#news.extra(method, params),
      log: this.#log,
    };
  }

  async #open(id: string, method: 'session/load' | 'session/resume', options: SessionOptions = {}) {
    this.#outlet.emit({ type: 'history', phase: 'begin' });
    this.#info = { id, cwd: this.#options.cwd, agent: this.agent };
    this.#news.loading = true;
    try {
      const asked = { sessionId: id, cwd: this.#options.cwd, mcpServers: [] };
      await this.#enter(id, await this.#running.ask(method, SessionState, asked), options);
    } catch (error) {
      this.#info = undefined;
      throw error;
    } finally {
      this.#news.loading = false;
      this.#outlet.emit({ type: 'history', phase: 'end' });
    }
    this.#turns.resume();
    void this.#recallTitle(id).catch((error: Error) => this.#log('debug', `no title: ${error.message}`));
    return this.#info;
  }

  async #recallTitle(id: string): Promise<void> {
    if (!this.capabilities.list) return;
    const title = await titleOf(id, (cursor) => this.listSessions(cursor));
    if (id === this.#info?.id) this.#outlet.emit(...this.#choices.said.title(title));
  }

  async #enter(id: string, state: SessionState, options: SessionOptions): Promise<void> {
    this.#info = { id, cwd: this.#options.cwd, agent: this.agent };
    this.#outlet.emit({ type: 'session', session: this.#info });
    await this.#choices.enter(this.agent.name, state, options);
  }

  #leave({ mode }: SessionOptions): void {
    void this.cancel().catch(() => undefined);
    this.#turns.pause();
    this.#turns.clear();
    this.#info = undefined;
    this.#choices.leave(mode);
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
