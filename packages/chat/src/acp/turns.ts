import { randomUUID } from 'node:crypto';
import type { PromptBlock, PromptTaken } from '../connection.ts';
import type { ChatEvent, TurnEnd, Usage } from '../events.ts';
import { type Prompt, PromptQueue } from './queue.ts';
import { eventsOf } from './updates.ts';

export interface TurnHost {
  tell(...events: readonly ChatEvent[]): void;
  /** A turn begins. */
  begin(): void;
  /** Runs a prompt to its end. */
  run(blocks: readonly PromptBlock[]): Promise<Ended>;
  /** A turn has ended, in whatever way. */
  end(reason: TurnEnd): void;
}

export interface Ended {
  readonly reason: TurnEnd;
  readonly message?: string;
  readonly usage?: Usage;
}

/** The prompts of a conversation, one at a time. */
export class Turns {
  readonly #queue = new PromptQueue();
  readonly #host: TurnHost;
  #toldWaiting = false;
  #paused = true;

  constructor(host: TurnHost) {
    this.#host = host;
  }

  get isRunning(): boolean {
    return this.#queue.running !== undefined;
  }

  add(blocks: readonly PromptBlock[]): PromptTaken {
    const id = randomUUID();
    const queued = this.isRunning || this.#paused;
    this.#queue.add({ id, blocks });
    if (queued) this.#tellWaiting();
    else this.#next();
    return { promptId: id, queued };
  }

  takeBack(promptId: string): boolean {
    if (!this.#queue.takeBack(promptId)) return false;
    this.#tellWaiting();
    this.#host.tell({ type: 'turn-end', promptId, reason: 'taken-back' });
    return true;
  }

  /** There is a session: what waits may run. */
  resume(): void {
    this.#paused = false;
    this.#next();
  }

  /** There is none, for now. */
  pause(): void {
    this.#paused = true;
  }

  /** What waits was meant for another session. */
  clear(): void {
    for (const { id } of this.#queue.clear()) this.#host.tell({ type: 'turn-end', promptId: id, reason: 'taken-back' });
    this.#tellWaiting();
  }

  #next(): void {
    const prompt = this.#paused ? undefined : this.#queue.next();
    if (!prompt) return;
    this.#host.begin();
    this.#tellWaiting();
    this.#host.tell({ type: 'turn-start', promptId: prompt.id }, ...spoken(prompt));
    void this.#run(prompt);
  }

  async #run({ id, blocks }: Prompt): Promise<void> {
    const { usage, ...end } = await this.#host.run(blocks);
    this.#queue.done();
    this.#host.end(end.reason);
    if (usage) this.#host.tell({ type: 'usage', usage });
    this.#host.tell({ type: 'turn-end', promptId: id, ...end });
    this.#next();
  }

  #tellWaiting(): void {
    const { waiting } = this.#queue;
    if (waiting.length === 0 && !this.#toldWaiting) return;
    this.#toldWaiting = waiting.length > 0;
    this.#host.tell({ type: 'queue', waiting });
  }
}

/** What the user said, as a daemon would echo it. */
function spoken({ id, blocks }: Prompt): ChatEvent[] {
  return blocks.flatMap((block) => {
    const content =
      block.type === 'resource' ? { ...block, resource: { mimeType: undefined, ...block.resource } } : block;
    return eventsOf({ sessionUpdate: 'user_message_chunk', content, _meta: undefined }, id);
  });
}
