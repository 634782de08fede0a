import type { Endpoint } from './endpoint.ts';
import { type AgentName, ConnectError, NotConnected, type OpenWire, type Wire } from './wire.ts';

export interface ReconnectOptions {
  /** The pause after the first failed attempt; it doubles each time. The very first attempt is made at once. */
  readonly firstMs?: number;
  readonly maxMs?: number;
  /** How long a companion may be away before it is gone for good. */
  readonly giveUpMs?: number;
}

export type LinkState = 'connected' | 'reconnecting' | 'closed';

export interface LifelineEvents {
  notified(method: string, params: unknown): void;
  garbled(error: Error): void;
  /** `kept`: the companion still knows what we opened there. */
  connected(wire: Wire, kept: boolean): void;
  /** `kept`: it may still know, if it comes back. */
  lost(kept: boolean): void;
  gone(reason: ConnectError): void;
}

/** Where to try, best first; asked again before each attempt, because a companion may have moved. */
export type Locate = () => {
  readonly endpoints: readonly Endpoint[];
  /** Why there is none. */
  readonly none: string;
  /** It is this one or nobody: a token that is refused once stays refused. */
  readonly fixed?: boolean;
};

/** Keeps one connection up: the same session where that is possible, else a new one, wherever the companion is now. */
export class Lifeline {
  #state: LinkState = 'reconnecting';
  #wire: Wire | undefined;
  #timer: NodeJS.Timeout | undefined;
  #wake: (() => void) | undefined;
  readonly #locate: Locate;
  readonly #open: OpenWire;
  readonly #agent: AgentName;
  readonly #events: LifelineEvents;
  readonly #options: Required<ReconnectOptions> | undefined;

  constructor(
    locate: Locate,
    open: OpenWire,
    agent: AgentName,
    events: LifelineEvents,
    reconnect: ReconnectOptions | false,
  ) {
    this.#locate = locate;
    this.#open = open;
    this.#agent = agent;
    this.#events = events;
    this.#options = reconnect ? { firstMs: 500, maxMs: 8_000, giveUpMs: 60_000, ...reconnect } : undefined;
  }

  get state(): LinkState {
    return this.#state;
  }

  get wire(): Wire {
    if (this.#state === 'connected' && this.#wire) return this.#wire;
    throw new NotConnected(this.#state === 'closed' ? 'the link is closed' : 'the companion is away');
  }

  /** The first connection is not retried: whoever asks is told what is wrong. */
  async start(): Promise<void> {
    this.#connected(await this.#fresh(), false);
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#wake?.();
    await this.#wire?.close();
  }

  async #fresh(): Promise<Wire> {
    const { endpoints, none } = this.#locate();
    let failure = new ConnectError('nobody', none);
    for (const endpoint of endpoints) {
      try {
        return await this.#listenTo(endpoint);
      } catch (error) {
        failure = error as ConnectError;
      }
    }
    throw failure;
  }

  async #listenTo(endpoint: Endpoint): Promise<Wire> {
    let wire: Wire | undefined;
    const mine = () => wire !== undefined && wire === this.#wire;
    wire = await this.#open(endpoint, this.#agent, {
      notified: (method, params) => this.#events.notified(method, params),
      garbled: (error) => this.#events.garbled(error),
      lost: (cleanly, waitMs) => mine() && void this.#recover(cleanly, cleanly ? (waitMs ?? 0) : 0),
    });
    return wire;
  }

  #connected(wire: Wire, kept: boolean): void {
    if (this.#state === 'closed') return void wire.close();
    this.#wire = wire;
    this.#state = 'connected';
    this.#events.connected(wire, kept);
  }

  async #recover(cleanly: boolean, waitMs: number): Promise<void> {
    if (this.#state !== 'connected') return;
    const { firstMs, maxMs, giveUpMs } = this.#options ?? { firstMs: 0, maxMs: 0, giveUpMs: 0 };
    this.#state = 'reconnecting';
    // Over this once it was refused: then its process was gone, and with it all it knew of us.
    let kept = cleanly && this.#wire?.resume !== undefined;
    this.#events.lost(kept);
    if (!this.#options) return this.#giveUp(new ConnectError('refused', 'the connection broke'));
    const deadline = Date.now() + Math.max(giveUpMs, waitMs);
    let pause = waitMs;
    let next = firstMs;
    for (;;) {
      await this.#sleep(pause);
      if (this.#isClosed()) return;
      try {
        const old = this.#wire;
        if (old && (await this.#resumed(old))) return this.#connected(old, kept);
        if (this.#isClosed()) return;
        kept = false;
        const wire = await this.#fresh();
        old?.close().catch(() => {});
        return this.#connected(wire, false);
      } catch (error) {
        const failure = error as ConnectError;
        const hopeless = failure.code === 'unauthorized' && this.#locate().fixed;
        if (hopeless || Date.now() + next > deadline) return this.#giveUp(failure);
      }
      pause = next;
      next = Math.min(next * 2, maxMs);
    }
  }

  /** Only where the companion is still the one that we would choose. */
  async #resumed(wire: Wire): Promise<boolean> {
    if (!wire.resume) return false;
    const { endpoints } = this.#locate();
    const same = endpoints.some(({ port, token }) => port === wire.endpoint.port && token === wire.endpoint.token);
    // One that restarts takes its file away for a moment.
    if (!same && endpoints.length > 0) return false;
    return wire.resume();
  }

  #giveUp(reason: ConnectError): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    void this.#wire?.close().catch(() => {});
    this.#events.gone(reason);
  }

  #isClosed(): boolean {
    return this.#state === 'closed';
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(this.#timer);
        this.#wake = undefined;
        resolve();
      };
      this.#wake = done;
      this.#timer = setTimeout(done, ms);
    });
  }
}
