import type { Desk } from './editor/desk.ts';
import type { Ledger } from './editor/ledger.ts';
import type { Policy, SharedContext } from './editor/policy.ts';
import type { Editor } from './editor/port.ts';
import type { Workspace } from './editor/workspace.ts';
import type { Limits } from './limits.ts';
import type { Link, Links } from './links.ts';
import type { Log } from './log.ts';

/** What every way through the house passes: the parts a dialect works with. */
export interface House {
  readonly version: string;
  readonly editor: Editor;
  readonly workspace: Workspace;
  readonly desk: Desk;
  readonly policy: Policy;
  readonly ledger: Ledger;
  readonly links: Links;
  readonly limits: Limits;
  readonly log: Log;
  /** The workspace folders as real paths. */
  readonly folders: () => readonly string[];
  /** What may leave right now. */
  readonly context: () => SharedContext;
  /** What the companion before this one knew of the agent that comes back with `session`. */
  readonly remembered: (session: string) => Pick<Link, 'agent' | 'since'> | undefined;
  /** An agent that comes back on its old session now does so too late: it shows "disconnected" and opens no diffs. */
  readonly isLate: () => boolean;
  /** Sees every message on every wire, when somebody records them. Tokens travel in headers, so none passes here. */
  readonly wire?: (entry: WireEntry) => void;
}

export interface WireEntry {
  readonly dialect: string;
  readonly link: string;
  readonly direction: 'in' | 'out';
  readonly message: unknown;
}
