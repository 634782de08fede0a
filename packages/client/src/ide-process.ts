import { basename } from 'node:path';
import type { Surroundings } from './surroundings.ts';

/** Only these names count, and only spelled exactly so: a login shell shown as `-bash` does not. */
const SHELLS = new Set(['zsh', 'bash', 'sh', 'tcsh', 'csh', 'ksh', 'fish', 'dash']);
const MAX_DEPTH = 32;

/**
 * The process that Gemini CLI and Qwen Code take for the editor: the grandparent of the first shell above them, its
 * parent where the grandparent is init, the top-most ancestor where there is no shell.
 */
export function ideProcess({ pid, processes }: Pick<Surroundings, 'pid' | 'processes'>): number {
  let current = pid;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const info = processes.look(current);
    if (!info) return current;
    if (isShell(info.command)) return aboveShell(info.parent, processes);
    if (info.parent <= 1) return current;
    current = info.parent;
  }
  return current;
}

function aboveShell(parent: number, processes: Surroundings['processes']): number {
  const grandparent = processes.look(parent)?.parent ?? 0;
  return grandparent > 1 ? grandparent : parent;
}

function isShell(command: string): boolean {
  return SHELLS.has(basename(command.trim().split(/\s+/)[0] ?? ''));
}
