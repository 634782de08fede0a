// Makes two records of the same conversation comparable, and names what may differ.
import type { ChatEvent } from '../../../packages/chat/src/events.ts';
import type { Chapters } from './conversation.ts';

export type Side = 'acp' | 'daemon';

/** Something that is different and may be. It is taken out of the record of one side, and must have been there. */
export interface Difference {
  readonly what: string;
  readonly side: Side;
  /** Whether this event is it; the chapter is where it stood. */
  readonly is: (event: ChatEvent, chapter: string) => boolean;
}

export function comparable(chapters: Chapters, side: Side, differences: readonly Difference[], seen: Set<Difference>) {
  const ids = new Names();
  const result: Record<string, unknown[]> = {};
  for (const [chapter, events] of Object.entries(chapters)) {
    const kept = events.filter((event) => {
      const found = differences.find((each) => each.side === side && each.is(event, chapter));
      if (found) seen.add(found);
      return !found;
    });
    result[chapter] = kept.map((event) => ids.rename(event));
  }
  return result;
}

/** Ids are random; what counts is which are the same. */
class Names {
  readonly #names = new Map<string, string>();

  rename(event: ChatEvent): unknown {
    return JSON.parse(JSON.stringify(event), (key, value) => {
      if (typeof value === 'string' && /^(id|promptId|toolCallId|permission)$/.test(key)) return this.#name(value);
      if (key === 'via') return 'either';
      return value;
    });
  }

  #name(id: string): string {
    const isRandom = /^[0-9a-f]{8}-[0-9a-f-]{27}$|^call_\d+$/.test(id);
    if (!isRandom) return id;
    if (!this.#names.has(id)) this.#names.set(id, `#${this.#names.size + 1}`);
    return this.#names.get(id) ?? id;
  }
}
