/** A typed event: listeners are called in the order they came, and one that throws does not stop the others. */
export class Signal<T> {
  readonly #listeners = new Set<(value: T) => void>();

  /** Returns the function that takes the listener away again. */
  on(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        // A broken observer must never break the way of a decision; the error surfaces as an uncaught one.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
