import type { ChatEvent } from './events.ts';

/** Mode, model and title: agents tell a change more than once, and in more than one way. It is passed on once. */
export class Said {
  #mode: string | undefined;
  #model: string | undefined;
  #title: string | undefined;

  get mode(): string | undefined {
    return this.#mode;
  }

  get model(): string | undefined {
    return this.#model;
  }

  choice(type: 'mode' | 'model', current: string | undefined): ChatEvent[] {
    if (current === undefined || current === this[type]) return [];
    this.know({ type, current });
    return [{ type, current }];
  }

  title(title: string | undefined): ChatEvent[] {
    if (title === undefined || title === this.#title) return [];
    this.#title = title;
    return [{ type: 'title', title }];
  }

  /** It was told already, or is about to be. */
  know(...events: readonly ChatEvent[]): void {
    for (const event of events) {
      if (event.type === 'mode') this.#mode = event.current;
      if (event.type === 'model') this.#model = event.current;
    }
  }

  /** Another session begins. */
  forget(): void {
    this.#mode = undefined;
    this.#model = undefined;
    this.#title = undefined;
  }
}
