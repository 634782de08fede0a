import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse, parsePort, usage } from '../arguments.ts';
import { ask, findCompanion } from '../control-client.ts';
import { CommandError } from '../errors.ts';
import { printJson, shortPath } from '../print.ts';

export async function open(args: string[]): Promise<number> {
  const { values, positionals } = parse('open', args, {}, 1);
  const [file] = positionals;
  if (file === undefined) throw usage('open', 'a FILE is missing');
  return show(values, { path: existing(file) });
}

export async function select(args: string[]): Promise<number> {
  const { values, positionals } = parse('select', args, {}, 1);
  const [text] = positionals;
  const match = /^(.+?):(\d+):(\d+)(?:-(\d+):(\d+))?$/s.exec(text ?? '');
  if (!match) throw usage('select', text === undefined ? 'a selection is missing' : `"${text}" is not FILE:3:1-5:10`);
  const [, file = '', line, column, endLine = line, endColumn = column] = match;
  const start = position(line, column);
  const end = position(endLine, endColumn);
  if (end.line < start.line || (end.line === start.line && end.character < start.character)) {
    throw usage('select', 'the end is before the start');
  }
  return show(values, { path: existing(file), selection: { start, end } });
}

async function show(values: { json: boolean; port?: string | undefined }, input: object): Promise<number> {
  const companion = await findCompanion(parsePort('open', values.port));
  const opened = await ask<{ path: string }>(companion, 'open', input);
  if (values.json) printJson(opened);
  else console.log(`${shortPath(opened.path)} is the active file`);
  return 0;
}

/** From 1 on the command line, from 0 inside. */
function position(line: string | undefined, column: string | undefined) {
  const [l, c] = [Number(line), Number(column)];
  if (l < 1 || c < 1) throw usage('select', 'lines and columns count from 1');
  return { line: l - 1, character: c - 1 };
}

/** Agents compare real paths. */
export function existing(file: string): string {
  try {
    return realpathSync(resolve(file));
  } catch {
    throw new CommandError(1, `${file} does not exist`);
  }
}
