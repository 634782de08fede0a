import type { Log } from '@tandem/core';
import { allowOnce, reject } from '../acp/permissions.ts';
import type { SessionState } from '../acp/schema.ts';
import { stateEvents } from '../acp/state.ts';
import {
  type AgentConnection,
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
import { DaemonClient, WorkspaceMismatch } from './client.ts';
import { inWords } from './errors.ts';
import { historyOf } from './history.ts';
import { DaemonRefusal } from './http.ts';
import { daemonLocality, isTokenless, TOKENLESS } from './locality.ts';
import type { DaemonTarget } from './own-daemon.ts';
import { type Patience, Pump } from './pump.ts';
import { DaemonSessionClient } from './session-client.ts';
import { Translator } from './translator.ts';

export interface DaemonConnectionOptions {
  readonly target: DaemonTarget;
  readonly cwd: string;
  readonly log?: Log;
  readonly patience?: Partial<Patience>;
}

/** The mode in which Qwen asks before it writes or runs something. The daemon's own default does not. */
const ASKING = 'default';

/** A conversation with Qwen Code in a daemon (`qwen serve`). Address and token stay in here. */
export class DaemonIdeConnection implements AgentConnection {
  readonly #options: DaemonConnectionOptions;
  readonly #outlet = new Outlet();
  readonly #log: Log;
  /** Ids that this connection has had: each load gives another one. */
  readonly #ids = new Set<string>();
  #client: DaemonClient | undefined;
  #cwd: string;
  #session: DaemonSessionClient | undefined;
  #info: SessionInfo | undefined;
  #translator: Translator;
  #pump: Pump | undefined;
  /** What the user wants, not what the session happens to have. */
  #mode = ASKING;
  #model: string | undefined;
  #warned = false;
  /** Counts the sessions entered: what was asked for an earlier one is not adopted any more. */
  #entered = 0;

  constructor(options: DaemonConnectionOptions) {
    this.#options = options;
    this.#cwd = options.cwd;
    this.#log = (level, message) => options.log?.(level, this.#clean(message));
    this.#translator = this.#newTranslator();
  }

  get agent(): ChatAgent {
    const version = this.#client?.version;
    return { id: 'qwen', name: 'Qwen Code', via: 'daemon', ...(version === undefined ? {} : { version }) };
  }

  get state(): ConnectionState {
    return this.#outlet.state;
  }

  get session(): SessionInfo | undefined {
    return this.#info;
  }

  get capabilities(): ConnectionCapabilities {
    const has = (feature: string) => this.#client?.has(feature) ?? false;
    return {
      load: has('session_load'),
      resume: has('session_resume'),
      list: has('session_list'),
      rename: has('session_metadata'),
      images: true,
      embedded: true,
      models: has('session_set_model'),
      modes: has('session_approval_mode_control'),
      continueTurn: true,
      shared: true,
    };
  }

  subscribe(listener: (event: ChatEvent) => void): () => void {
    return this.#outlet.subscribe(listener);
  }

  async start(): Promise<void> {
    if (this.state.status === 'connected') return;
    this.#outlet.become({ status: 'starting' });
    try {
      await this.#reach();
    } catch (error) {
      throw this.#lost(error);
    }
    this.#outlet.become({ status: 'connected' });
  }

  async stop(): Promise<void> {
    if (this.state.status === 'stopped') return;
    await this.#leave();
    this.#outlet.become({ status: 'stopped' });
    await this.#options.target.release();
  }

  async reconnect(): Promise<void> {
    const id = this.#info?.id;
    this.#pump?.stop();
    this.#outlet.become({ status: 'starting' });
    try {
      await this.#reach();
      if (id !== undefined) await this.#load(id, 'load');
    } catch (error) {
      throw this.#lost(error);
    }
    this.#outlet.become({ status: 'connected' });
  }

  async newSession(options: SessionOptions = {}): Promise<SessionInfo> {
    return this.#try(async (client) => {
      await this.#leave();
      this.#mode = options.mode ?? ASKING;
      const session = await this.#create(client);
      if (options.model !== undefined) await session.setModel(options.model);
      return this.#info ?? this.#describe(session);
    });
  }

  async listSessions(cursor?: string): Promise<SessionPage> {
    return this.#try((client) => client.sessions(this.#cwd, cursor));
  }

  async loadSession(id: string, options: SessionOptions = {}): Promise<SessionInfo> {
    return this.#enter(id, 'load', options);
  }

  async resumeSession(id: string, options: SessionOptions = {}): Promise<SessionInfo> {
    return this.#enter(id, 'resume', options);
  }

  async renameSession(title: string, id?: string): Promise<void> {
    await this.#try((client) => client.rename(id ?? this.#live.id, title));
  }

  async prompt(blocks: readonly PromptBlock[]): Promise<PromptTaken> {
    const queued = this.#translator.running !== undefined;
    const promptId = await this.#try(async () => {
      try {
        return await this.#live.prompt(blocks);
      } catch (error) {
        if (!isStale(error)) throw error;
        // The session died or was loaded anew behind our back. Refused before it was taken: asking again is safe.
        await this.#load(this.#live.id, 'load');
        return this.#live.prompt(blocks);
      }
    });
    if (this.#info?.interrupted) this.#interrupted(false);
    return { promptId, queued };
  }

  async takeBack(promptId: string): Promise<boolean> {
    return this.#try(() => this.#live.removePending(promptId));
  }

  async cancel(): Promise<void> {
    await this.#try(() => this.#live.cancel());
  }

  async continueTurn(): Promise<boolean> {
    const promptId = await this.#try(() => this.#live.continueTurn());
    if (promptId === undefined) return false;
    this.#interrupted(false);
    this.#outlet.emit(...this.#translator.begin(promptId));
    return true;
  }

  async setModel(id: string): Promise<void> {
    await this.#try(() => this.#live.setModel(id));
    this.#model = id;
  }

  async setMode(id: string): Promise<void> {
    await this.#try(() => this.#live.setMode(id));
    this.#mode = id;
  }

  async setOption(id: string, value: string): Promise<void> {
    await this.#try(() => this.#live.setOption(id, value));
    const { state } = await this.#try(() => this.#live.context());
    this.#outlet.emit(...stateEvents(state).filter(({ type }) => type === 'options'));
  }

  async respondToPermission(id: string, answer: PermissionAnswer): Promise<Vote> {
    return this.#vote(id, answer);
  }

  async answerQuestion(id: string, answers: Readonly<Record<string, string>> | undefined): Promise<Vote> {
    const options = this.#translator.optionsOf(id) ?? [];
    const chosen = answers === undefined ? reject(options) : allowOnce(options);
    return this.#vote(id, chosen ? { optionId: chosen.id } : { cancelled: true }, answers);
  }

  async locality(): Promise<Locality> {
    return this.#try((client) => daemonLocality(client, this.#cwd, this.#options.target.own));
  }

  async #vote(id: string, answer: PermissionAnswer, answers?: Readonly<Record<string, string>>): Promise<Vote> {
    const vote = await this.#try(() => this.#live.respondToPermission(id, answer, answers));
    if (vote === 'late') this.#outlet.emit(...this.#translator.closeAsk(id, 'elsewhere'));
    return vote;
  }

  get #live(): DaemonSessionClient {
    if (!this.#session) throw new ChatError('no-session', 'there is no session yet');
    return this.#session;
  }

  /** Finds the daemon and makes sure that it is one for us. */
  async #reach(): Promise<DaemonClient> {
    const client = new DaemonClient(await this.#options.target.locate());
    this.#client = client;
    this.#cwd = await client.verify(this.#options.cwd);
    if (!this.#warned && (await isTokenless(client))) {
      this.#warned = true;
      this.#outlet.emit({ type: 'notice', notice: { level: 'warning', message: TOKENLESS, code: 'tokenless' } });
    }
    return client;
  }

  async #create(client: DaemonClient): Promise<DaemonSessionClient> {
    const session = await DaemonSessionClient.createOrAttach(client, { cwd: this.#cwd, approvalMode: this.#mode });
    const { state } = await session.context();
    this.#adopt(session);
    this.#outlet.emit({ type: 'history', phase: 'begin' }, { type: 'session', session: this.#describe(session) });
    this.#tellState(state);
    this.#outlet.emit({ type: 'history', phase: 'end' });
    this.#listen();
    return session;
  }

  async #enter(id: string, how: 'load' | 'resume', options: SessionOptions): Promise<SessionInfo> {
    return this.#try(async () => {
      if (this.#session?.id !== id) await this.#leave();
      this.#mode = options.mode ?? ASKING;
      this.#pump?.stop();
      await this.#load(id, how);
      if (options.model !== undefined) await this.#live.setModel(options.model);
      return this.#info as SessionInfo;
    });
  }

  /** Everything is asked first and told then, without a break, so that nothing can come in between. */
  async #load(id: string, how: 'load' | 'resume'): Promise<void> {
    const client = this.#client ?? (await this.#reach());
    const entered = this.#entered;
    const request = { cwd: this.#cwd, approvalMode: this.#mode };
    const [session, restored] = await DaemonSessionClient[how](client, id, request);
    const [{ state, recovery }, pendingPrompts, status] = await Promise.all([
      session.context(),
      session.pendingPrompts(),
      session.status(),
    ]);
    if (entered !== this.#entered) throw new ChatError('refused', 'another session was opened meanwhile');
    this.#adopt(session);
    const interrupted = recovery?.canContinue ?? false;
    const { displayName: title, pendingInteractions = [] } = status;
    this.#outlet.emit(
      { type: 'history', phase: 'begin' },
      { type: 'session', session: this.#describe(session, { ...(title ? { title } : {}), interrupted }) },
    );
    const isOwn = (clientId: string | undefined) => this.#isOwn(clientId);
    const past = { restored, interrupted, pendingPrompts, pendingInteractions, isOwn };
    for (const event of historyOf(past, this.#translator)) this.#outlet.emit(event);
    this.#tellState(state);
    this.#outlet.emit({ type: 'history', phase: 'end' });
    this.#listen();
  }

  #tellState(state: SessionState): void {
    const events = stateEvents(state);
    this.#translator.know(events);
    this.#outlet.emit(...events);
  }

  #adopt(session: DaemonSessionClient): void {
    this.#session = session;
    this.#ids.add(session.clientId);
    this.#translator = this.#newTranslator();
  }

  #listen(): void {
    this.#pump?.stop();
    this.#pump = new Pump(this.#live, this.#options.patience ?? {}, {
      handle: (envelope) => {
        const { events, control } = this.#translator.read(envelope);
        this.#outlet.emit(...events);
        return control;
      },
      state: (state) => this.#outlet.become(state),
      reload: () => this.#reload(),
      lost: (error) => void this.#lost(error),
      log: this.#log,
    });
  }

  /** For the pump: the same session again, on a daemon that may be another one by now. */
  async #reload(): Promise<void> {
    const { id } = this.#live;
    const client = await this.#reach();
    try {
      await this.#load(id, 'load');
    } catch (error) {
      if (!(error instanceof DaemonRefusal) || error.status !== 404) throw error;
      // Nothing was ever said in it, so the daemon did not keep it.
      await this.#create(client);
    }
    if (this.#model !== undefined) await this.#live.setModel(this.#model).catch(() => undefined);
  }

  async #leave(): Promise<void> {
    this.#entered += 1;
    this.#pump?.stop();
    this.#pump = undefined;
    const session = this.#session;
    this.#session = undefined;
    this.#info = undefined;
    await session?.detach().catch(() => undefined);
  }

  #describe(session: DaemonSessionClient, more: Partial<SessionInfo> = {}): SessionInfo {
    this.#info = { id: session.id, cwd: session.cwd, agent: this.agent, ...more };
    return this.#info;
  }

  #interrupted(interrupted: boolean): void {
    if (!this.#info || (this.#info.interrupted ?? false) === interrupted) return;
    this.#info = { ...this.#info, interrupted };
    this.#outlet.emit({ type: 'session', session: this.#info });
  }

  #newTranslator(): Translator {
    return new Translator((id) => this.#isOwn(id), this.#log);
  }

  #isOwn(clientId: string | undefined): boolean {
    return clientId !== undefined && this.#ids.has(clientId);
  }

  async #try<T>(run: (client: DaemonClient) => Promise<T>): Promise<T> {
    if (!this.#client) throw new ChatError('not-connected', 'the daemon is not connected');
    try {
      return await run(this.#client);
    } catch (error) {
      throw inWords(error, (message) => this.#clean(message));
    }
  }

  /** It does not come back by itself: the state says why. */
  #lost(error: unknown): ChatError {
    const plain = inWords(error, (message) => this.#clean(message));
    if (error instanceof WorkspaceMismatch) {
      this.#outlet.become({ status: 'workspace-mismatch', ours: error.ours, theirs: error.theirs });
    } else if (plain.code === 'unauthorised') {
      this.#outlet.become({ status: 'unauthorised', reason: plain.message });
    } else {
      this.#outlet.become({ status: 'died', reason: plain.message, canReconnect: true, canContinue: false });
    }
    return plain;
  }

  #clean(message: string): string {
    let clean = message;
    for (const secret of this.#client?.http.secrets ?? []) clean = clean.replaceAll(secret, '[daemon]');
    return clean;
  }
}

function isStale(error: unknown): boolean {
  return error instanceof DaemonRefusal && (error.code === 'invalid_client_id' || error.code === 'session_not_found');
}
