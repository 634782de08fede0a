// How a live scenario is run: in a world that several scenarios share or in one of its own, and once more if it fails.
import { after, test } from 'node:test';
import type { AgentName } from './paths.ts';
import { World } from './world.ts';

export type Scenario<W extends World = World> = (world: W) => Promise<void>;

const timeout = 240_000;

/** One world for several scenarios that do not get in each other's way: an agent takes seconds to start. */
export class Shared<W extends World> {
  readonly #start: () => Promise<W>;
  #world: W | undefined;

  constructor(start: () => Promise<W>) {
    this.#start = start;
  }

  scenario(title: string, run: Scenario<W>): void {
    const attempt = async () => {
      this.#world ??= await this.#start();
      try {
        await run(this.#world);
      } catch (error) {
        throw await this.#discard(error);
      }
    };
    test(title, { timeout }, () => twice(title, attempt));
  }

  /** The last scenario of a shared world: everything ends, and nothing may be left. */
  ends(title: string): void {
    test(title, { timeout }, async () => {
      const world = this.#world;
      this.#world = undefined;
      await world?.end();
    });
    after(() => this.#world?.discard());
  }

  async #discard(error: unknown): Promise<unknown> {
    const world = this.#world;
    this.#world = undefined;
    return failed(world, error);
  }
}

/** The same with a plain companion. */
export class SharedWorld extends Shared<World> {
  constructor(...names: AgentName[]) {
    super(() => World.start(...names));
  }
}

/** A scenario that breaks its world: it gets a fresh one, and nothing of that may be left. */
export function scenario(title: string, names: AgentName[], run: Scenario): void {
  const attempt = async () => {
    const world = await World.start(...names);
    try {
      await run(world);
    } catch (error) {
      throw await failed(world, error);
    }
    await world.end();
  };
  test(title, { timeout }, () => twice(title, attempt));
}

/** Real programs on a loaded machine: one more try, and it is said aloud. A deterministic fault fails twice. */
async function twice(title: string, attempt: () => Promise<void>): Promise<void> {
  try {
    await attempt();
  } catch (error) {
    console.log(`RETRY: ${title}: ${describe(error)}`);
    await attempt();
  }
}

/** Adds what the screens and logs said at the time, then clears the world away. */
async function failed(world: World | undefined, error: unknown): Promise<unknown> {
  const message = describe(error);
  // A wait in the world brings all of it already, one in an agent or a companion only its own.
  const complete = message.includes("'s screen\n") && message.includes('--- tandem serve');
  const evidence = complete ? '' : await world?.evidence().catch(() => 'no evidence');
  await world?.discard();
  return new Error(`${message}\n${evidence}`, { cause: error });
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
