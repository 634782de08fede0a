import type { ChatAgent, ChatEvent, Choice, ConnectionState, SessionInfo } from './events.ts';

/**
 * One conversation with one agent, however it is reached. Everything that happens comes as a `ChatEvent`; the promises
 * say only whether the request was taken. Arguments and answers are plain JSON, so a socket can stand in between.
 */
export interface AgentConnection {
  readonly agent: ChatAgent;
  readonly state: ConnectionState;
  /** Known once `state` is `connected`. */
  readonly capabilities: ConnectionCapabilities;
  readonly session: SessionInfo | undefined;

  /** Returns the function that ends the subscription. Nothing is repeated: subscribe before `start`. */
  subscribe(listener: (event: ChatEvent) => void): () => void;

  /** Reaches the agent; no session yet. Failures are told as a state, and thrown. */
  start(): Promise<void>;
  /** Leaves the session and ends what was started for it. Idempotent. */
  stop(): Promise<void>;
  /** After `died`: reaches the agent anew and loads the session again. */
  reconnect(): Promise<void>;

  newSession(options?: SessionOptions): Promise<SessionInfo>;
  listSessions(cursor?: string): Promise<SessionPage>;
  /** Shows an earlier session: its history comes as events between `history` begin and end. */
  loadSession(id: string, options?: SessionOptions): Promise<SessionInfo>;
  /** Takes an earlier session up without its history. */
  resumeSession(id: string, options?: SessionOptions): Promise<SessionInfo>;
  renameSession(title: string, id?: string): Promise<void>;

  /** Runs it, or queues it behind the running one. Resolves when it is taken, not when it is done. */
  prompt(blocks: readonly PromptBlock[]): Promise<PromptTaken>;
  /** Takes a waiting prompt back; `false` when it is too late. */
  takeBack(promptId: string): Promise<boolean>;
  /** Stops the running turn. The waiting prompts go on. */
  cancel(): Promise<void>;
  /** Takes up the turn that was cut off; `false` when there is none. */
  continueTurn(): Promise<boolean>;

  setModel(id: string): Promise<void>;
  setMode(id: string): Promise<void>;
  setOption(id: string, value: string): Promise<void>;

  /** `late`: somebody else was first. That is no error; `answered` was or will be told. */
  respondToPermission(id: string, answer: PermissionAnswer): Promise<Vote>;
  /** `undefined` declines. Answers stand under each question's key. */
  answerQuestion(id: string, answers: Readonly<Record<string, string>> | undefined): Promise<Vote>;

  /** Where things run and whose they are. */
  locality(): Promise<Locality>;

  /** What the agent reads files through, where it can read through us. */
  useFiles?(files: AgentFiles): void;
}

export interface AgentFiles {
  /** `undefined`: there is no such file. Throws when it must not be read. */
  read(path: string): Promise<string | undefined>;
}

export interface ConnectionCapabilities {
  readonly load: boolean;
  readonly resume: boolean;
  readonly list: boolean;
  readonly rename: boolean;
  readonly images: boolean;
  /** Text of files may travel inside a prompt. */
  readonly embedded: boolean;
  readonly models: boolean;
  readonly modes: boolean;
  readonly continueTurn: boolean;
  /** Other clients may share the session. */
  readonly shared: boolean;
}

export interface SessionOptions {
  /** The approval mode. Asking is the rule: without it the agent's asking mode is set. */
  readonly mode?: string;
  readonly model?: string;
}

export interface SessionPage {
  readonly sessions: readonly SessionSummary[];
  readonly next?: string;
}

export interface SessionSummary {
  readonly id: string;
  readonly title: string;
  readonly cwd: string;
  /** ISO 8601. */
  readonly updatedAt?: string;
  readonly running?: boolean;
  /** It waits for somebody's answer. */
  readonly waiting?: boolean;
}

/** What can be said to an agent; as ACP has it. */
export type PromptBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mimeType: string; readonly data: string }
  | { readonly type: 'resource_link'; readonly uri: string; readonly name: string }
  | {
      readonly type: 'resource';
      readonly resource: { readonly uri: string; readonly text: string; readonly mimeType?: string };
    };

export interface PromptTaken {
  readonly promptId: string;
  readonly queued: boolean;
}

export type PermissionAnswer = { readonly optionId: string } | { readonly cancelled: true };
export type Vote = 'counted' | 'late';

/** For "where does this run?". Names only; no values of anything secret. */
export interface Locality {
  readonly kind: 'child' | 'daemon';
  /** One line for a person. */
  readonly summary: string;
  readonly workspace: string;
  readonly facts: readonly LocalityFact[];
  readonly warnings: readonly string[];
}

export interface LocalityFact {
  readonly what: 'process' | 'files' | 'mcp' | 'skills' | 'credentials' | 'models' | 'check';
  readonly label: string;
  readonly where: string;
  readonly status?: 'ok' | 'warning' | 'error';
  readonly detail?: string;
}

export type { Choice, SessionInfo };

/** A refusal in plain words; `code` for the machine. */
export class ChatError extends Error {
  readonly code: ChatErrorCode;

  constructor(code: ChatErrorCode, message: string) {
    super(message);
    this.name = 'ChatError';
    this.code = code;
  }
}

export type ChatErrorCode =
  | 'not-connected'
  | 'no-session'
  | 'unauthorised'
  | 'workspace-mismatch'
  | 'queue-full'
  | 'not-found'
  | 'unsupported'
  | 'authentication'
  | 'refused'
  | 'failed';
