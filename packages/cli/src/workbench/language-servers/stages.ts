import type { Diagnostic } from '@tandem/core';

/** Until "nothing new" is believed. An agent that asks after its write waits longer than this. */
const HELD_MS = 700;

/**
 * Servers report in stages, syntax before types, and the first may say only what is known already. Whoever waits for
 * fresh results must not take that for the answer, so it is held back until nothing follows.
 */
export class Stages {
  readonly #emit: (path: string, diagnostics: readonly Diagnostic[]) => void;
  readonly #last = new Map<string, string>();
  readonly #held = new Map<string, NodeJS.Timeout>();

  constructor(emit: (path: string, diagnostics: readonly Diagnostic[]) => void) {
    this.#emit = emit;
  }

  /** The files with problems. */
  get paths(): readonly string[] {
    return [...this.#last.keys()];
  }

  report(path: string, diagnostics: readonly Diagnostic[]): void {
    clearTimeout(this.#held.get(path));
    this.#held.delete(path);
    const text = JSON.stringify(diagnostics);
    if (text !== (this.#last.get(path) ?? '[]')) {
      if (diagnostics.length > 0) this.#last.set(path, text);
      else this.#last.delete(path);
      return this.#emit(path, diagnostics);
    }
    const timer = setTimeout(() => {
      this.#held.delete(path);
      this.#emit(path, diagnostics);
    }, HELD_MS);
    timer.unref();
    this.#held.set(path, timer);
  }
}
