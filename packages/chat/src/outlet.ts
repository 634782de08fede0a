import { Signal } from '@tandem/core';
import type { ChatEvent, ConnectionState } from './events.ts';

/** What both connections share: the state, and telling whoever listens. */
export class Outlet {
  readonly #signal = new Signal<ChatEvent>();
  #state: ConnectionState = { status: 'stopped' };

  get state(): ConnectionState {
    return this.#state;
  }

  subscribe(listener: (event: ChatEvent) => void): () => void {
    return this.#signal.on(listener);
  }

  emit(...events: readonly ChatEvent[]): void {
    for (const event of events) this.#signal.emit(event);
  }

  become(state: ConnectionState): void {
    if (state.status === 'connected' && this.#state.status === 'connected') return;
    this.#state = state;
    this.emit({ type: 'connection', state });
  }
}
