import type { PromptBlock } from '../connection.ts';
import type { QueuedPrompt } from '../events.ts';

export interface Prompt {
  readonly id: string;
  readonly blocks: readonly PromptBlock[];
}

/** One prompt at a time: with most agents a second one would kill the first. Further ones wait here. */
export class PromptQueue {
  #running: Prompt | undefined;
  #waiting: Prompt[] = [];

  get running(): Prompt | undefined {
    return this.#running;
  }

  get waiting(): readonly QueuedPrompt[] {
    return this.#waiting.map(({ id, blocks }) => ({ promptId: id, text: textOf(blocks), own: true }));
  }

  add(prompt: Prompt): void {
    this.#waiting.push(prompt);
  }

  /** The next one, if none runs. */
  next(): Prompt | undefined {
    if (this.#running) return undefined;
    this.#running = this.#waiting.shift();
    return this.#running;
  }

  done(): void {
    this.#running = undefined;
  }

  takeBack(id: string): boolean {
    const before = this.#waiting.length;
    this.#waiting = this.#waiting.filter((each) => each.id !== id);
    return this.#waiting.length < before;
  }

  clear(): readonly Prompt[] {
    const dropped = this.#waiting;
    this.#waiting = [];
    return dropped;
  }
}

export function textOf(blocks: readonly PromptBlock[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
