/**
 * What a chat panel and its host say to each other, over the workbench's socket or a webview's border. JSON only. The
 * host alone talks to agents: no address, token or key stands in any of these.
 */
import type { ChatCommand, ChatEvent, ConnectionCapabilities, Conversation } from '@tandem/chat/view';

/** An agent that can be talked to. */
export interface AgentOffer {
  readonly id: string;
  readonly name: string;
  /** What would be run, for the user to read. */
  readonly command: string;
  readonly installed: boolean;
  /** How to get it, or what is special about it. */
  readonly hint?: string;
}

/** A file or some lines of it; from 0, inclusive. */
export interface FilePart {
  readonly path: string;
  readonly lines?: { readonly start: number; readonly end: number };
}

export interface ChatSnapshot {
  readonly id: string;
  readonly agent: Pick<AgentOffer, 'id' | 'name'>;
  /** Events up to this one are in `conversation`. */
  readonly seq: number;
  readonly conversation: Conversation;
  /** What the user was about to say. */
  readonly draft?: string;
  /** Known once it was connected. */
  readonly capabilities?: ConnectionCapabilities;
}

export type PanelRequest =
  /** From now on this panel is told what happens. */
  | { readonly do: 'attach' }
  | { readonly do: 'agents' }
  /** Starts the agent's program. With `session`, an earlier conversation is taken up. */
  | { readonly do: 'start'; readonly agent: string; readonly session?: string }
  /** Somebody looks at it: one that was open before may go on now. */
  | { readonly do: 'look'; readonly chat: string }
  /** What the user is about to say; it is said by `perform`. */
  | { readonly do: 'draft'; readonly chat: string; readonly text: string }
  | { readonly do: 'close'; readonly chat: string }
  | { readonly do: 'perform'; readonly chat: string; readonly command: ChatCommand };

export interface PanelAnswers {
  attach: { readonly chats: readonly ChatSnapshot[] };
  agents: { readonly agents: readonly AgentOffer[] };
  start: { readonly chat: string };
  look: Record<string, never>;
  draft: Record<string, never>;
  close: Record<string, never>;
  perform: { readonly result: unknown };
}

export type PanelTell =
  | { readonly tell: 'events'; readonly chat: string; readonly seq: number; readonly events: readonly ChatEvent[] }
  /** A conversation was begun, or this panel could not keep up and gets it whole. */
  | { readonly tell: 'chat'; readonly chat: ChatSnapshot }
  | { readonly tell: 'capabilities'; readonly chat: string; readonly capabilities: ConnectionCapabilities }
  | { readonly tell: 'closed'; readonly chat: string };

/** One line of each conversation, for those who do not show it. */
export interface ChatSummary {
  readonly id: string;
  readonly agentName: string;
  readonly title?: string;
  readonly running: boolean;
  /** How many questions wait for the user. */
  readonly asks: number;
}
