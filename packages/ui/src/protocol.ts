/**
 * What the page and the workbench say to each other over one WebSocket. The page asks (`id`, `ask`, `input`) and is
 * answered by id; the workbench also tells what happens (`tell`). Positions are offsets into the LF text.
 */

import type { ChatSummary, PanelRequest, PanelTell } from './chat/protocol.ts';

export interface TreeEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: 'folder' | 'file';
  /** Left out of the tree unless all files are shown. */
  readonly ignored: boolean;
}

export interface Tab {
  readonly path: string;
  readonly language: string;
  readonly dirty: boolean;
  readonly readOnly: boolean;
  readonly preview: boolean;
  /** The file on disk is not what the buffer was read from. */
  readonly conflict: 'none' | 'changed' | 'deleted';
  /** Which state of the file the buffer is based on. */
  readonly disk: string;
}

export interface OpenDocument extends Tab {
  /** The number of updates behind `text`; updates that follow build on it. */
  readonly version: number;
  readonly text: string;
  /** Where the carets were last. */
  readonly ranges: readonly SelectionRange[];
  /** Why it is read-only or not shown as text. */
  readonly note?: string;
}

/** One step of `@codemirror/collab`, as JSON. */
export interface UpdateJson {
  readonly clientID: string;
  readonly changes: unknown;
}

export interface Agent {
  readonly id: string;
  readonly agent: string;
  readonly name: string;
  readonly version?: string;
  readonly pid?: number;
  /** Where it works, as far as the system tells. */
  readonly folder?: string;
  readonly since: string;
  /** Whether a selection can be sent to it by hand. */
  readonly mentions: boolean;
  readonly lastError?: string;
}

export interface Published {
  readonly dialect: string;
  readonly agent: string;
  readonly files: readonly string[];
  readonly start: string;
  readonly once?: string;
  readonly error?: string;
}

export interface ReviewItem {
  readonly id: string;
  readonly agent: string;
  readonly agentName: string;
  readonly path: string;
  readonly openedAt: string;
  readonly outsideWorkspace: boolean;
  readonly amended: boolean;
  /** The conversation it came from. */
  readonly chat?: string;
}

export interface ReviewText extends ReviewItem {
  readonly language: string;
  readonly before: string;
  readonly exists: boolean;
  readonly unsaved: boolean;
  readonly note?: string;
  readonly proposed: string;
  readonly text: string;
}

export interface LedgerItem {
  readonly at: string;
  readonly agent: string;
  readonly link: string;
  readonly what: string;
  readonly paths: readonly string[];
  readonly text: string;
  readonly characters: number;
}

/** A document that agents may know of right now. */
export interface SharedItem {
  readonly path: string;
  readonly active: boolean;
  /** The selected lines, whose text is shared too; from 1. */
  readonly lines?: { readonly start: number; readonly end: number };
}

export type SharingMode = 'auto' | 'explicit' | 'off';

/** Everything but texts; sent whole whenever a part of it changes. */
export interface Shell {
  readonly name: string;
  /** Another one after the workbench was restarted. */
  readonly instance: string;
  readonly folders: readonly string[];
  readonly tabs: readonly Tab[];
  readonly active?: string;
  readonly agents: readonly Agent[];
  readonly published: readonly Published[];
  readonly reviews: readonly ReviewItem[];
  readonly sharing: SharingMode;
  readonly deny: readonly string[];
  readonly windows: number;
  readonly chats: readonly ChatSummary[];
}

/** What a language server says of a place in a file; lines and characters count from 0. */
export interface Problem {
  readonly range: { readonly start: Place; readonly end: Place };
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  readonly message: string;
  readonly source?: string;
  readonly code?: string;
}

export interface Place {
  readonly line: number;
  readonly character: number;
}

export interface LanguageServerItem {
  readonly name: string;
  readonly folder: string;
  readonly languages: readonly string[];
  readonly state: 'starting' | 'running' | 'stopped' | 'missing';
  /** How to get it, or why it does not run. */
  readonly hint?: string;
  /** What it can do, in the words of its protocol. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
}

/** The requests to a language server that a page may pass on. */
export const LANGUAGE_METHODS = [
  'textDocument/hover',
  'textDocument/completion',
  'textDocument/definition',
  'textDocument/references',
  'textDocument/signatureHelp',
  'textDocument/rename',
  'textDocument/formatting',
] as const;

export interface SelectionRange {
  readonly anchor: number;
  readonly head: number;
}

/** What the page may ask: input and answer of each. */
export interface Requests {
  tree: { input: { path: string; all: boolean }; output: { entries: readonly TreeEntry[] } };
  open: { input: { path: string; preview?: boolean }; output: OpenDocument };
  close: { input: { path: string; discard: boolean }; output: { closed: boolean } };
  focus: { input: { path: string | null }; output: Record<string, never> };
  select: {
    input: { path: string; version: number; ranges: readonly SelectionRange[] };
    output: Record<string, never>;
  };
  push: { input: { path: string; version: number; updates: readonly UpdateJson[] }; output: { accepted: boolean } };
  /** What came after `version`; nothing if that is no longer known. */
  since: { input: { path: string; version: number }; output: { updates?: readonly UpdateJson[] } };
  /** The tab is no longer a preview. */
  keep: { input: { path: string }; output: Record<string, never> };
  /** Brings back unsaved text that the workbench has lost, after it was restarted; `disk` is what it was based on. */
  restore: { input: { path: string; text: string; disk: string }; output: OpenDocument };
  save: { input: { path: string; overwrite: boolean }; output: { saved: boolean; conflict: Tab['conflict'] } };
  reload: { input: { path: string }; output: OpenDocument };
  /** Looks at the disk again. */
  check: { input: Record<string, never>; output: Record<string, never> };
  /** Every file that is not ignored. */
  find: { input: Record<string, never>; output: { paths: readonly string[] } };
  addFolder: { input: { path: string }; output: Record<string, never> };
  create: { input: { path: string; kind: 'file' | 'folder' }; output: Record<string, never> };
  rename: { input: { from: string; to: string }; output: Record<string, never> };
  review: { input: { id: string }; output: ReviewText };
  amend: { input: { id: string; text: string }; output: Record<string, never> };
  accept: { input: { id: string; text: string }; output: Record<string, never> };
  reject: { input: { id: string }; output: Record<string, never> };
  send: { input: { path: string; lines?: { start: number; end: number }; to: string }; output: Record<string, never> };
  share: { input: { sharing: SharingMode }; output: Record<string, never> };
  ledger: { input: Record<string, never>; output: { entries: readonly LedgerItem[] } };
  /** Everything the language servers have said so far; what follows is told. */
  problems: {
    input: Record<string, never>;
    output: {
      files: readonly { path: string; problems: readonly Problem[] }[];
      servers: readonly LanguageServerItem[];
    };
  };
  /** A request about an open document, in the words of the language server protocol but for the document itself. */
  lsp: {
    input: { path: string; method: (typeof LANGUAGE_METHODS)[number]; params: Readonly<Record<string, unknown>> };
    output: { result: unknown };
  };
  /** Of the chat panel, in its own words. */
  chat: { input: PanelRequest; output: { answer: unknown } };
}

export type Ask = {
  [Name in keyof Requests]: { id: number; ask: Name; input: Requests[Name]['input'] };
}[keyof Requests];

export type Reply = { id: number; output: unknown } | { id: number; error: string };

export type Tell =
  | { readonly tell: 'shell'; readonly shell: Shell }
  | {
      readonly tell: 'updates';
      readonly path: string;
      readonly version: number;
      readonly updates: readonly UpdateJson[];
    }
  /** A file has another name; its tab stays open. */
  | { readonly tell: 'moved'; readonly from: string; readonly to: string }
  /** An agent or a command opened it; the page follows without taking the focus from a field. */
  | { readonly tell: 'reveal'; readonly path: string; readonly range?: SelectionRange }
  | { readonly tell: 'amended'; readonly id: string; readonly text: string }
  | {
      readonly tell: 'decided';
      readonly id: string;
      readonly path: string;
      readonly agentName: string;
      readonly how: string;
      /** In a page, this one or another. */
      readonly here: boolean;
      /** The user's own version, where the decision was made without it. */
      readonly text?: string;
    }
  | { readonly tell: 'shared'; readonly documents: readonly SharedItem[] }
  | { readonly tell: 'ledger'; readonly entry: LedgerItem }
  | { readonly tell: 'files'; readonly folder: string }
  /** All problems of one file, from now on. */
  | { readonly tell: 'diagnostics'; readonly path: string; readonly problems: readonly Problem[] }
  | { readonly tell: 'language-servers'; readonly servers: readonly LanguageServerItem[] }
  | { readonly tell: 'chat'; readonly chat: PanelTell }
  | { readonly tell: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly message: string };
