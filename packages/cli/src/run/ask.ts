import { createInterface } from 'node:readline/promises';

export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Only a clear yes is one; Enter, Ctrl-C and the end of input are not. Asked on standard error: the output may be piped. */
export async function confirm(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const closed = new Promise<string>((resolve) => {
      lines.once('close', () => resolve(''));
      lines.once('SIGINT', () => resolve(''));
    });
    const answer = await Promise.race([lines.question(`${question} [y/N] `), closed]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
    process.stdin.pause(); // the keys that come now are for somebody else
  }
}
