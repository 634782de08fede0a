import type { Item } from './conversation.ts';

/**
 * What happens in a conversation, in neutral words: whatever the agent is and however it is reached. Plain JSON, because
 * it crosses a socket or a webview's border. No address, token or key ever stands in one of these.
 */
export type ChatEvent =
  | { readonly type: 'connection'; readonly state: ConnectionState }
  /** Which session this conversation is; also when something about it changed. */
  | { readonly type: 'session'; readonly session: SessionInfo }
  | { readonly type: 'title'; readonly title: string }
  /** `begin`: what was shown is forgotten and comes again, as the agent remembers it. */
  | { readonly type: 'history'; readonly phase: 'begin' | 'end' }
  /** Replaces what is shown by what was shown before, as we kept it: the agent does not tell it, or not yet. */
  | { readonly type: 'kept'; readonly items: readonly Item[]; readonly title?: string }
  | MessageChunk
  | { readonly type: 'thought'; readonly text: string }
  | { readonly type: 'tool'; readonly call: ToolCallPatch }
  /** Replaces the plan of this turn. */
  | { readonly type: 'plan'; readonly entries: readonly PlanEntry[] }
  | { readonly type: 'permission'; readonly request: PermissionRequest }
  | { readonly type: 'question'; readonly request: QuestionRequest }
  /** A permission or a question is over, whoever answered. */
  | { readonly type: 'answered'; readonly id: string; readonly answer: Answered }
  /** The permission's change lies on the desk as this review. */
  | { readonly type: 'review'; readonly permission: string; readonly review: string }
  | ChoiceEvent<'mode'>
  | ChoiceEvent<'model'>
  /** Further settings that the agent offers, such as the reasoning effort. */
  | { readonly type: 'options'; readonly options: readonly AgentOption[] }
  | { readonly type: 'usage'; readonly usage: Usage }
  /** The prompts that wait, oldest first; the running one is not among them. */
  | { readonly type: 'queue'; readonly waiting: readonly QueuedPrompt[] }
  | { readonly type: 'turn-start'; readonly promptId: string }
  | { readonly type: 'turn-end'; readonly promptId: string; readonly reason: TurnEnd; readonly message?: string }
  /** Slash commands of the agent, all of them each time. */
  | { readonly type: 'commands'; readonly commands: readonly AgentCommand[] }
  | { readonly type: 'notice'; readonly notice: ChatNotice };

export type ConnectionState =
  | { readonly status: 'stopped' }
  | { readonly status: 'starting' }
  | { readonly status: 'connected' }
  | { readonly status: 'reconnecting'; readonly attempt: number; readonly inMs: number; readonly reason: string }
  /** It does not come back by itself. `canContinue`: a turn was cut off that the agent can take up again. */
  | { readonly status: 'died'; readonly reason: string; readonly canReconnect: boolean; readonly canContinue: boolean }
  | { readonly status: 'workspace-mismatch'; readonly ours: string; readonly theirs: readonly string[] }
  | { readonly status: 'unauthorised'; readonly reason: string };

export interface SessionInfo {
  readonly id: string;
  readonly cwd: string;
  readonly agent: ChatAgent;
  readonly title?: string;
  /** A turn was cut off before; `continueTurn` takes it up again. */
  readonly interrupted?: boolean;
}

export interface ChatAgent {
  /** `qwen`, `gemini`, `claude`, … */
  readonly id: string;
  /** As people write it. */
  readonly name: string;
  readonly version?: string;
  readonly via: 'acp' | 'daemon';
}

/** A piece of a message; pieces of one message follow each other. */
export interface MessageChunk {
  readonly type: 'message';
  readonly role: 'user' | 'agent';
  readonly text: string;
  /** Of a user's message: the prompt it belongs to. A piece with another one begins a new message. */
  readonly promptId?: string;
  /** Another client of the same session wrote it. */
  readonly elsewhere?: boolean;
  readonly attachments?: readonly Attachment[];
}

export type Attachment =
  | { readonly type: 'image'; readonly mimeType: string; readonly data: string }
  | { readonly type: 'file'; readonly path: string; readonly lines?: LineSpan; readonly unsaved?: boolean }
  | { readonly type: 'other'; readonly label: string };

/** 0-based and inclusive. */
export interface LineSpan {
  readonly start: number;
  readonly end: number;
}

export type ToolStatus = 'pending' | 'running' | 'completed' | 'failed';
export type ToolKind =
  | 'read'
  | 'edit'
  | 'delete'
  | 'move'
  | 'search'
  | 'execute'
  | 'think'
  | 'fetch'
  | 'switch_mode'
  | 'other';

export interface ToolCall {
  readonly id: string;
  readonly title: string;
  readonly kind: ToolKind;
  readonly status: ToolStatus;
  /** The agent's own name for the tool, where it tells. */
  readonly tool?: string;
  readonly locations: readonly Location[];
  readonly content: readonly ToolContent[];
  readonly input?: Json;
  readonly shell?: ShellResult;
}

/** Fields that are there replace those before. */
export type ToolCallPatch = Pick<ToolCall, 'id'> & Partial<ToolCall>;

export interface Location {
  readonly path: string;
  /** 0-based. */
  readonly line?: number;
}

export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mimeType: string; readonly data: string }
  | DiffContent
  | { readonly type: 'resource'; readonly uri: string; readonly text?: string };

export interface DiffContent {
  readonly type: 'diff';
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
}

export interface ShellResult {
  readonly output: string;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly truncated?: boolean;
}

export interface PlanEntry {
  readonly content: string;
  readonly priority: 'high' | 'medium' | 'low';
  readonly status: 'pending' | 'in_progress' | 'completed';
}

export interface PermissionRequest {
  readonly id: string;
  /** What it is about; a tool call with this id may have been told before. */
  readonly call: ToolCall;
  readonly options: readonly PermissionOption[];
  /** The agent has made a plan and asks whether to begin. */
  readonly plan?: string;
}

export interface PermissionOption {
  readonly id: string;
  readonly name: string;
  readonly kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always';
}

export interface QuestionRequest {
  readonly id: string;
  readonly toolCallId: string;
  readonly questions: readonly Question[];
}

export interface Question {
  /** Answers are given under this key. */
  readonly key: string;
  readonly question: string;
  readonly header: string;
  readonly options: readonly { readonly label: string; readonly description?: string }[];
  readonly multiSelect: boolean;
}

export type Answered =
  | { readonly outcome: 'selected'; readonly optionId: string; readonly by: 'here' | 'elsewhere' }
  | { readonly outcome: 'cancelled'; readonly by: 'here' | 'elsewhere' | 'agent' };

interface ChoiceEvent<T extends 'mode' | 'model'> {
  readonly type: T;
  readonly current: string;
  /** Absent when the list is as before. */
  readonly available?: readonly Choice[];
}

export interface Choice {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
}

export interface AgentOption {
  readonly id: string;
  readonly name: string;
  readonly current: string;
  readonly choices: readonly Choice[];
}

/** Fields that are there replace those before. */
export interface Usage {
  /** Tokens in the context window, of `size`. */
  readonly used?: number;
  readonly size?: number;
  /** Of the last call to the model. */
  readonly input?: number;
  readonly output?: number;
  readonly thought?: number;
  readonly cached?: number;
}

export interface QueuedPrompt {
  readonly promptId: string;
  readonly text: string;
  /** Whether `takeBack` can bring it back: those of other clients it cannot. */
  readonly own: boolean;
}

export type TurnEnd =
  | 'end_turn'
  | 'cancelled'
  | 'max_tokens'
  | 'max_turn_requests'
  | 'refusal'
  /** The agent or its model failed; `message` tells how. */
  | 'error'
  /** The agent died in the middle of it. */
  | 'interrupted'
  /** It waited and was taken back. */
  | 'taken-back';

export interface AgentCommand {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
}

export interface ChatNotice {
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
  /** For the machine: `unsupported`, `tokenless`, `queue-full`, … */
  readonly code?: string;
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
