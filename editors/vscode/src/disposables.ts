/** Things to be let go of together. */
export class Disposables {
  readonly #all: { dispose(): unknown }[] = [];

  add<T extends { dispose(): unknown }>(...items: T[]): void {
    this.#all.push(...items);
  }

  dispose(): void {
    for (const item of this.#all.splice(0).reverse()) item.dispose();
  }
}
