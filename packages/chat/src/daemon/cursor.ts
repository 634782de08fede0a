/**
 * How far a stream of events was handled. Ids count up within an epoch; a daemon that starts anew has another epoch, and
 * an old id means nothing in it.
 */
export class Cursor {
  #id: number;
  #epoch: string | undefined;

  constructor(id: number, epoch?: string) {
    this.#id = id;
    this.#epoch = epoch;
  }

  get id(): number {
    return this.#id;
  }

  get epoch(): string | undefined {
    return this.#epoch;
  }

  get headers(): Record<string, string> {
    return {
      'last-event-id': String(this.#id),
      ...(this.#epoch === undefined ? {} : { 'x-qwen-event-epoch': this.#epoch }),
    };
  }

  /** A stream was opened. Its epoch is ours from the first one on; another one later is the daemon's to tell (resync). */
  open(epoch: string): void {
    if (epoch !== '') this.#epoch ??= epoch;
  }

  isNew(id: number): boolean {
    return id > this.#id;
  }

  /** Only after the event was handled. */
  advance(id: number): void {
    if (id > this.#id) this.#id = id;
  }
}
