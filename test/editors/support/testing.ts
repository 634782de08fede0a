import assert from 'node:assert/strict';
import { waitFor } from '../../agents/wait.ts';
import type { Studio } from './studio.ts';

/** What a person reads on the screen comes there a moment after it is so. */
export async function becomes<T>(look: () => Promise<T>, expected: T): Promise<void> {
  await waitFor(JSON.stringify(expected), async () => {
    assert.deepEqual(await look(), expected);
    return true;
  });
}

/** Adds pictures of the windows and the server's last words to what failed. */
export async function withEvidence(studio: () => Studio, title: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const evidence = await studio()
      .evidence(title)
      .catch((cause: Error) => `no evidence: ${cause.message}`);
    const failed = new Error(`${message}\n${evidence}`);
    if (error instanceof Error && error.stack) failed.stack = `${failed.message}\n${frames(error.stack)}`;
    throw failed;
  }
}

function frames(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /^ {4}at .*test\/editors\/[^/]*\.ts/.test(line))
    .join('\n');
}
