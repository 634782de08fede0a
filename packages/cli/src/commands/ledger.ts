import type { LedgerEntry } from '@tandem/core';
import { parse, parsePort } from '../arguments.ts';
import { ask, findCompanion } from '../control-client.ts';
import { clock, paint, printable, printJson, shortPath } from '../print.ts';

export async function ledger(args: string[]): Promise<number> {
  const { values } = parse('ledger', args, {}, 0);
  const companion = await findCompanion(parsePort('ledger', values.port));
  const entries = await ask<(Omit<LedgerEntry, 'at'> & { at: string })[]>(companion, 'ledger');
  if (values.json) {
    printJson(entries);
    return 0;
  }
  if (entries.length === 0) console.log('Nothing was sent to any agent.');
  for (const entry of entries) {
    const files = entry.paths.map(shortPath).join(', ') || 'no files';
    console.log(`${paint('dim', clock(new Date(entry.at)))}  ${paint('cyan', entry.agent)}  ${entry.what}: ${files}`);
    if (entry.text) console.log(paint('dim', `          ${preview(entry.text)} (${entry.characters} characters)`));
  }
  return 0;
}

function preview(text: string): string {
  const line = printable(text.split('\n', 1)[0] ?? '').trim();
  return line.length > 100 || text.includes('\n') ? `${line.slice(0, 100)}…` : line;
}
