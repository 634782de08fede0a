import { join, resolve } from 'node:path';
import { ensurePrivateDirectory, readOwnJson, removeFile, writePrivateFile } from '@tandem/core';
import type { AgentId } from './agents.ts';
import type { Made } from './change.ts';

/** What the user answered for one agent, and what was done then. */
export interface Answer {
  readonly yes: boolean;
  readonly changes: readonly Made[];
  /** Arguments to start it with, from then on. */
  readonly args: readonly string[];
}

export interface MemoryPlaces {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const NAME = 'agents.json';

/** Answers are kept, so that nobody is asked twice and everything can be undone. */
export class Memory {
  readonly #home: string;

  constructor({ home, env }: MemoryPlaces) {
    this.#home = env.TANDEM_HOME ? resolve(env.TANDEM_HOME) : join(home, '.tandem');
  }

  get(agent: AgentId): Answer | undefined {
    const found = this.#read()[agent] as Partial<Answer> | undefined;
    if (typeof found?.yes !== 'boolean') return undefined;
    const strings = Array.isArray(found.args) && found.args.every((each) => typeof each === 'string');
    return {
      yes: found.yes,
      changes: Array.isArray(found.changes) ? found.changes.filter(isMade) : [],
      args: strings ? (found.args ?? []) : [],
    };
  }

  set(agent: AgentId, answer: Answer | undefined): void {
    const { [agent]: _before, ...others } = this.#read();
    const all = answer ? { ...others, [agent]: answer } : others;
    if (Object.keys(all).length === 0) removeFile(join(this.#home, NAME));
    else writePrivateFile(ensurePrivateDirectory(this.#home, []), NAME, all);
  }

  #read(): Record<string, unknown> {
    return readOwnJson(join(this.#home, NAME)) ?? {};
  }
}

function isMade(value: unknown): value is Made {
  const { file, path, to } = (value ?? {}) as Partial<Made>;
  return (
    typeof file === 'string' && Array.isArray(path) && path.every((key) => typeof key === 'string') && to !== undefined
  );
}
