import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '@tandem/core';
import { ChatError } from '../connection.ts';
import type { ConnectionState } from '../events.ts';
import { DaemonUnsuitable, WorkspaceMismatch } from './client.ts';
import { DaemonRefusal, DaemonUnreachable } from './http.ts';
import type { Envelope } from './schema.ts';
import type { DaemonSessionClient } from './session-client.ts';
import type { Control } from './translator.ts';

export interface Patience {
  /** The wait before the second try; it doubles with each further one. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** After so many tries in vain the user is asked. */
  readonly tries: number;
}

const PATIENCE: Patience = { firstMs: 200, longestMs: 10_000, tries: 12 };

export interface PumpHost {
  /** Must not wait for anybody: the daemon drops clients that fall behind. */
  handle(envelope: Envelope): Control | undefined;
  state(state: ConnectionState): void;
  /** Gets the session anew, with a pump of its own. Throws when that did not work yet. */
  reload(): Promise<void>;
  /** There is no use in trying on. */
  lost(error: unknown): void;
  readonly log: Log;
}

/** Keeps the events of one session coming, over any number of dropped connections. */
export class Pump {
  readonly #session: DaemonSessionClient;
  readonly #patience: Patience;
  readonly #host: PumpHost;
  readonly #stopped = new AbortController();
  #tries = 0;

  constructor(session: DaemonSessionClient, patience: Partial<Patience>, host: PumpHost) {
    this.#session = session;
    this.#patience = { ...PATIENCE, ...patience };
    this.#host = host;
    void this.#run();
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      let control: Control | undefined;
      let trouble: unknown;
      try {
        control = await this.#listen();
      } catch (error) {
        trouble = error;
      }
      if (this.#isStopped) return;
      if (control?.kind === 'closed') return this.#host.lost(new Error(`the session was closed (${control.reason})`));
      if (control?.kind === 'resync' || control?.kind === 'died' || isGone(trouble)) {
        return this.#reload(control?.reason ?? 'the daemon no longer knows the session');
      }
      if (isHopeless(trouble)) return this.#host.lost(trouble);
      const reason = trouble instanceof Error ? trouble.message : (control?.reason ?? 'the connection was dropped');
      if (trouble instanceof DaemonUnreachable && trouble.nobody) return this.#reload(reason);
      if (!(await this.#wait(reason))) return;
    }
  }

  /** Handles events until something else is to be done. */
  async #listen(): Promise<Control | undefined> {
    for await (const envelope of this.#session.events(this.#stopped.signal)) {
      if (this.#isStopped) return undefined;
      this.#host.state({ status: 'connected' }); // a stream that opens and breaks at once is no connection
      const control = this.#host.handle(envelope);
      if (envelope.id !== undefined) this.#tries = 0; // it gets on
      if (control) return control;
    }
    return undefined;
  }

  async #reload(reason: string): Promise<void> {
    this.#host.log('info', `the session is loaded again: ${reason}`);
    this.#host.state({ status: 'reconnecting', attempt: 1, inMs: 0, reason });
    for (;;) {
      try {
        if (this.#isStopped) return;
        await this.#host.reload();
        this.#host.state({ status: 'connected' });
        return;
      } catch (error) {
        if (this.#isStopped) return;
        if (isHopeless(error)) return this.#host.lost(error);
        if (!(await this.#wait(error instanceof Error ? error.message : reason))) return;
      }
    }
  }

  /** The first try comes at once. `false`: it was given up, or we were stopped. */
  async #wait(reason: string): Promise<boolean> {
    const { firstMs, longestMs, tries } = this.#patience;
    this.#tries += 1;
    if (this.#tries === 1) return true;
    if (this.#tries > tries) {
      this.#host.lost(new Error(reason));
      return false;
    }
    // Several windows must not come back in step.
    const inMs = Math.round(Math.min(firstMs * 2 ** (this.#tries - 2), longestMs) * (0.75 + Math.random() / 4));
    this.#host.state({ status: 'reconnecting', attempt: this.#tries - 1, inMs, reason });
    await delay(inMs, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
    return !this.#isStopped;
  }

  get #isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }
}

/** The session does not live on this daemon; it can be loaded. */
function isGone(error: unknown): boolean {
  return error instanceof DaemonRefusal && error.status === 404;
}

function isHopeless(error: unknown): boolean {
  if (error instanceof ChatError) return error.code !== 'failed';
  if (error instanceof DaemonRefusal) return error.status === 401 || error.status === 403;
  return error instanceof WorkspaceMismatch || error instanceof DaemonUnsuitable;
}
