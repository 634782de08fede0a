/**
 * What the page and the workbench say to each other over one WebSocket. The page asks (`id`, `ask`, `input`) and is
 * answered by id; the workbench also tells what happens (`tell`). Positions are offsets into the LF text.
 */

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
}

export interface OpenDocument extends Tab {
  /** The number of updates behind `text`; updates that follow build on it. */
  readonly version: number;
  readonly text: string;
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
  readonly since: string;
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

export type SharingMode = 'auto' | 'explicit' | 'off';

/** Everything but texts; sent whole whenever a part of it changes. */
export interface Shell {
  readonly name: string;
  readonly folders: readonly string[];
  readonly tabs: readonly Tab[];
  readonly active?: string;
  readonly agents: readonly Agent[];
  readonly published: readonly Published[];
  readonly reviews: readonly ReviewItem[];
  readonly sharing: SharingMode;
  readonly deny: readonly string[];
  readonly windows: number;
}

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
  /** Brings back unsaved text that the workbench has lost, after it was restarted. */
  restore: { input: { path: string; text: string }; output: OpenDocument };
  save: { input: { path: string; overwrite: boolean }; output: { saved: boolean; conflict: Tab['conflict'] } };
  reload: { input: { path: string }; output: OpenDocument };
  create: { input: { path: string; kind: 'file' | 'folder' }; output: Record<string, never> };
  rename: { input: { from: string; to: string }; output: Record<string, never> };
  review: { input: { id: string }; output: ReviewText };
  amend: { input: { id: string; text: string }; output: Record<string, never> };
  accept: { input: { id: string; text: string }; output: Record<string, never> };
  reject: { input: { id: string }; output: Record<string, never> };
  send: { input: { path: string; lines?: { start: number; end: number }; to: string }; output: Record<string, never> };
  share: { input: { sharing: SharingMode }; output: Record<string, never> };
  ledger: { input: Record<string, never>; output: { entries: readonly LedgerItem[] } };
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
  /** The buffer was replaced as a whole: reloaded from disk. */
  | { readonly tell: 'reset'; readonly document: OpenDocument }
  /** An agent or a command opened it; the page follows without taking the focus from a field. */
  | { readonly tell: 'reveal'; readonly path: string; readonly range?: SelectionRange }
  | { readonly tell: 'amended'; readonly id: string; readonly text: string }
  | {
      readonly tell: 'decided';
      readonly id: string;
      readonly path: string;
      readonly agentName: string;
      readonly how: string;
      readonly elsewhere: boolean;
    }
  | { readonly tell: 'ledger'; readonly entry: LedgerItem }
  | { readonly tell: 'files'; readonly folder: string }
  | { readonly tell: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly message: string };
