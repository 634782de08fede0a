import type { Hunk } from './model.ts';
import { type DiffAnswer, type DiffRequest, packedDiff, unpackedDiff } from './packed.ts';

/** Asks the worker, one question at a time; of the questions that wait, only the newest is put. */
export class Differ {
  readonly #before: string;
  #worker: Worker | undefined;
  #busy = false;
  #sentBefore = false;
  #waiting: { text: string; answer: (hunks: Hunk[]) => void } | undefined;
  #answer: ((hunks: Hunk[]) => void) | undefined;
  #text = '';
  #id = 0;

  constructor(before: string, createWorker: (() => Worker) | undefined) {
    this.#before = before;
    try {
      this.#worker = createWorker?.();
    } catch {
      // No worker to be had (a policy, an old webview): the page's own thread does it.
    }
    if (!this.#worker) return;
    this.#worker.onmessage = ({ data }: MessageEvent<DiffAnswer>) => this.#answered(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#worker?.terminate();
      this.#worker = undefined;
      if (this.#busy) this.#compute();
    };
  }

  ask(text: string, answer: (hunks: Hunk[]) => void): void {
    this.#waiting = { text, answer };
    if (!this.#busy) this.#next();
  }

  destroy(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#waiting = undefined;
    this.#answer = undefined;
    this.#id = -1;
  }

  #next(): void {
    const next = this.#waiting;
    this.#waiting = undefined;
    this.#busy = next !== undefined;
    if (!next) return;
    this.#answer = next.answer;
    this.#text = next.text;
    this.#id++;
    if (!this.#worker) return this.#compute();
    const request: DiffRequest = {
      id: this.#id,
      text: next.text,
      ...(this.#sentBefore ? {} : { before: this.#before }),
    };
    this.#sentBefore = true;
    this.#worker.postMessage(request);
  }

  #compute(): void {
    const id = this.#id;
    setTimeout(() => {
      if (id === this.#id) this.#answered({ id, ...packedDiff(this.#before.split('\n'), this.#text) });
    });
  }

  #answered({ id, packed }: DiffAnswer): void {
    if (id !== this.#id) return;
    const answer = this.#answer;
    this.#answer = undefined;
    if (!this.#waiting) answer?.(unpackedDiff(packed));
    this.#next();
  }
}
