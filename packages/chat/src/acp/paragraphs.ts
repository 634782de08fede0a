import type { ChatEvent } from '../events.ts';
import type { SessionUpdate } from './schema.ts';

/** Codex says several messages in a row, each with an id of its own; run together they could not be read. */
export class Paragraphs {
  #last: string | undefined;

  begin(): void {
    this.#last = undefined;
  }

  /** The events of an update, with an empty line before a message that follows another. */
  separate(update: SessionUpdate, events: readonly ChatEvent[]): readonly ChatEvent[] {
    if (events.length === 0 || events.every(({ type }) => type === 'usage' || type === 'title')) return events;
    const before = this.#last;
    this.#last = update.sessionUpdate === 'agent_message_chunk' ? update.messageId : undefined;
    if (before === undefined || this.#last === undefined || before === this.#last) return events;
    return events.map((event) => (event.type === 'message' ? { ...event, text: `\n\n${event.text}` } : event));
  }
}
