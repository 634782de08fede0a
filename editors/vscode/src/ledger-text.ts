import { basename } from 'node:path';
import { DIALECTS, type LedgerEntry } from '@tandem/core';

/** Newest first. */
export function ledgerText(entries: readonly LedgerEntry[]): string {
  return [...entries].reverse().map(describe).join('\n\n');
}

function describe({ at, agent, what, paths, text, characters }: LedgerEntry): string {
  const time = new Date(at).toLocaleTimeString();
  const name = DIALECTS.find((dialect) => dialect.id === agent)?.agent ?? agent;
  const head = [time, name, what, names(paths)].filter((part) => part !== '').join('  ');
  if (text === '') return head;
  const cut = characters > text.length ? `\n    … (${characters})` : '';
  return `${head}\n${text.trimEnd().replaceAll(/^/gm, '    ')}${cut}`;
}

function names(paths: readonly string[]): string {
  if (paths.length <= 3) return paths.join(', ');
  return `${paths
    .slice(0, 3)
    .map((path) => basename(path))
    .join(', ')}, … (${paths.length})`;
}
