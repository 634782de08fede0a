import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { EditorInfo } from '../editor/port.ts';
import type { House } from '../house.ts';

/**
 * The protocol that a family of agents speaks to an editor. This part is light: it is all that loads before the first
 * agent connects. Adding a dialect means a folder with one of these, and a line in `index.ts`.
 */
export interface Dialect {
  /** `claude`: the name in options, events and files. */
  readonly id: string;
  /** `Claude Code`: the name for people. */
  readonly agent: string;
  /** What a person types to start it in a plain terminal, and what else to do once, if anything. */
  readonly start: { readonly line: string; readonly once?: string };
  /** How it authenticates on the companion's shared port; absent for dialects that only use a socket of their own. */
  readonly door?: Door;
  /** The files by which the agent finds us. */
  files(publication: Publication): readonly DiscoveryFile[];
  /** Variables for the terminals of this window. */
  environment(publication: Publication): Readonly<Record<string, string>>;
  /** Loads the heavy part, at the first knock. */
  load(house: House): Promise<DialectServer>;
  /** Opens a listener of the dialect's own (a socket in a place the agent looks at), for those that want one. */
  listen?(house: House, publication: Publication): Promise<Listener>;
}

/** Where on the shared port the agent knocks, and how it shows its token. */
export type Door =
  | { readonly kind: 'http'; readonly path: string; readonly token: TokenOf }
  | { readonly kind: 'upgrade'; readonly path: string; readonly token: TokenOf };

export type TokenOf = (headers: IncomingMessage['headers']) => string | undefined;

/** The loaded part of a dialect. Requests that reach it have passed every check of the front. */
export interface DialectServer {
  request?(request: IncomingMessage, response: ServerResponse): Promise<void>;
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Says goodbye to every link; resolves when nothing of it is left open. */
  close(): Promise<void>;
}

export interface Listener {
  close(): Promise<void>;
}

/** What a dialect needs to know to publish itself. */
export interface Publication {
  readonly port: number;
  readonly token: string;
  readonly editor: EditorInfo;
  /** The companion's own process. */
  readonly pid: number;
  /** Real paths. */
  readonly folders: readonly string[];
  /** Other spellings of the same folders, where the user came through a symlink. */
  readonly aliases: readonly string[];
  readonly places: Places;
}

/** The folders that agents look in; tests and sandboxes move them. */
export interface Places {
  readonly home: string;
  readonly tmp: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface DiscoveryFile {
  /** Exists already or is made; not checked, because it is the user's to arrange. */
  readonly base: string;
  /** Folders below `base` that must be ours alone. */
  readonly folders: readonly string[];
  readonly name: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** Dialects that pick the newest file want it rewritten when the window gains the focus. */
  readonly newestWins?: boolean;
}
