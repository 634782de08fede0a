import type { Decision, Diff } from './link.ts';

/** A diff that waits for its one decision. */
export class WaitingDiff implements Diff {
  readonly path: string;
  readonly proposed: string;
  readonly decision: Promise<Decision>;
  readonly #close: (diff: WaitingDiff) => Promise<string | undefined>;
  #resolve: (decision: Decision) => void = () => {};
  #open = true;

  constructor(path: string, proposed: string, close: (diff: WaitingDiff) => Promise<string | undefined>) {
    this.path = path;
    this.proposed = proposed;
    this.#close = close;
    this.decision = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** The first one counts. */
  settle(decision: Decision): void {
    this.#open = false;
    this.#resolve(decision);
  }

  async close(): Promise<string | undefined> {
    if (!this.#open) return undefined;
    this.settle({ kind: 'closed' });
    return this.#close(this);
  }
}
