import { writeFile } from 'node:fs/promises';
import { RequestError } from '@agentclientprotocol/sdk';
import { readTextFile } from '@tandem/core';
import type { AgentFiles } from '../connection.ts';

export const diskFiles: AgentFiles = {
  async read(path) {
    const file = await readTextFile(path);
    if (file.kind === 'unreadable') throw new Error(`${path} cannot be read: ${file.why}`);
    return file.kind === 'text' ? file.text : undefined;
  },
};

/** What agents expect for a file that is not there: they then know that they create it. */
const NOT_FOUND = -32002;

export async function readForAgent(
  files: AgentFiles,
  { path, line, limit }: { path: string; line?: number | null | undefined; limit?: number | null | undefined },
): Promise<{ content: string }> {
  const text = await files.read(path).catch((error: Error) => {
    throw new RequestError(-32603, error.message);
  });
  if (text === undefined) throw new RequestError(NOT_FOUND, `Resource not found: ${path}`);
  if (line == null && limit == null) return { content: text };
  const start = Math.max(0, (line ?? 1) - 1);
  const lines = text.split('\n');
  return { content: lines.slice(start, limit == null ? undefined : start + limit).join('\n') };
}

/**
 * We do not offer to write, so agents do it themselves. One that asks nevertheless gets its way only for what the user
 * has allowed in this turn.
 */
export class AllowedWrites {
  readonly #paths = new Set<string>();

  allow(paths: readonly string[]): void {
    for (const path of paths) this.#paths.add(path);
  }

  clear(): void {
    this.#paths.clear();
  }

  async write(path: string, content: string): Promise<void> {
    if (!this.#paths.has(path)) throw new RequestError(-32603, `writing ${path} was not allowed`);
    await writeFile(path, content);
  }
}
