import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/**
 * The process that agents take for the editor: an ancestor of the terminals. Extension host and terminals are children
 * of the same process (the main process on a desktop, the server elsewhere), so the parent is the first guess; the
 * first terminal shows whether it is right.
 */
export const LIKELY_EDITOR = process.ppid > 1 ? process.ppid : process.pid;

const MAX_DEPTH = 32;

/** From the parent upward, without the first process of the system. Empty where the table cannot be read. */
export async function ancestors(pid: number, parentOf: ParentOf = parentOfProcess): Promise<readonly number[]> {
  const found: number[] = [];
  for (let current = await parentOf(pid); current > 1 && found.length < MAX_DEPTH; current = await parentOf(current)) {
    if (found.includes(current)) break;
    found.push(current);
  }
  return found;
}

/** The nearest process that both are below of. */
export async function commonAncestor(a: number, b: number, parentOf?: ParentOf): Promise<number | undefined> {
  const [ofA, ofB] = await Promise.all([ancestors(a, parentOf), ancestors(b, parentOf)]);
  return ofA.find((pid) => ofB.includes(pid));
}

/** 0 when there is none or it is not known. */
export type ParentOf = (pid: number) => number | Promise<number>;

async function parentOfProcess(pid: number): Promise<number> {
  if (process.platform === 'win32') return 0; // there the parent is the main process; no cheap way to look further
  try {
    return process.platform === 'linux' ? fromProc(pid) : await fromPs(pid);
  } catch {
    return 0;
  }
}

function fromProc(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may hold anything, spaces and parentheses too.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

async function fromPs(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'ppid=', '-p', String(pid)], { timeout: 3000 });
  return Number(stdout.trim());
}
