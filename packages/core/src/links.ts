import type { SharedContext } from './editor/policy.ts';
import { Signal } from './signal.ts';

/** Who is at the other end, as far as it said so. */
export interface AgentInfo {
  /** The dialect's id: `claude`. */
  readonly id: string;
  /** As people write it: `Claude Code`. */
  readonly name: string;
  readonly version?: string;
  readonly pid?: number;
}

/** Something the user sends by hand. Lines are 0-based and inclusive; without them the whole file is meant. */
export interface Mention {
  readonly path: string;
  readonly lines?: { readonly start: number; readonly end: number };
  /** The text of those lines, for dialects that can carry it. */
  readonly text: string;
}

/** One live connection of one agent. */
export interface Link {
  readonly id: string;
  readonly agent: AgentInfo;
  readonly since: number;
  /** What the agent will call itself by when it comes back to another companion; empty if it starts anew. */
  readonly session: string;
  /** It finds the next companion without our help, so nothing is kept for it. */
  readonly returnsByItself?: boolean;
  /** Its process is known to have ended, though its connection was not seen to end yet. */
  readonly isDead?: boolean;
  /** The last thing that went wrong on it, in plain words. */
  readonly lastError?: string | undefined;
  /** What may be shared has changed. Dialects that are asked instead of telling do nothing here. */
  context(context: SharedContext): void;
  /** Absent where the dialect has no way to carry it. */
  mention?(mention: Mention): void;
  /** Says goodbye as the dialect wants it, when the companion stops. */
  close(): Promise<void> | void;
}

export class LinksFull extends Error {}

/** Who is connected. */
export class Links {
  readonly joined = new Signal<Link>();
  readonly left = new Signal<Link>();
  /** A link told more about itself. */
  readonly updated = new Signal<Link>();
  readonly #links = new Map<string, Link>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get full(): boolean {
    return this.#links.size >= this.#max;
  }

  add(link: Link): void {
    if (this.full) throw new LinksFull(`${this.#max} agents are connected, which is the limit`);
    this.#links.set(link.id, link);
    this.joined.emit(link);
  }

  remove(link: Link): void {
    if (this.#links.delete(link.id)) this.left.emit(link);
  }

  get all(): readonly Link[] {
    return [...this.#links.values()];
  }

  get size(): number {
    return this.#links.size;
  }
}
