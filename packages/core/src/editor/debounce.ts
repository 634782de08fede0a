/**
 * Runs at once for the first event (and what comes with it in the same turn), then once more after `quiet` ms without another, and during a storm at least
 * every `quiet * 5` ms, so that an agent never looks at a state that is old for long.
 */
export class Debounce {
  readonly #quiet: number;
  readonly #run: () => void;
  #timer: NodeJS.Timeout | undefined;
  #pendingSince: number | undefined;
  #leading = false;

  constructor(quiet: number, run: () => void) {
    this.#quiet = quiet;
    this.#run = run;
  }

  poke(): void {
    if (this.#timer === undefined) {
      this.#arm(this.#quiet);
      this.#leading = true;
      queueMicrotask(() => {
        this.#leading = false;
        this.#run();
      });
      return;
    }
    if (this.#leading) return; // told with the first one
    const now = Date.now();
    this.#pendingSince ??= now;
    const left = this.#pendingSince + this.#quiet * 5 - now;
    this.#arm(Math.max(0, Math.min(this.#quiet, left)));
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pendingSince = undefined;
  }

  #arm(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fire(), ms);
  }

  #fire(): void {
    this.#timer = undefined;
    if (this.#pendingSince === undefined) return;
    this.#pendingSince = undefined;
    this.#arm(this.#quiet);
    this.#run();
  }
}
