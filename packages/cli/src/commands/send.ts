import { parse, parsePort, usage } from '../arguments.ts';
import { ask, findCompanion } from '../control-client.ts';
import { printJson } from '../print.ts';
import { existing } from './open.ts';

export async function send(args: string[]): Promise<number> {
  const { values, positionals } = parse('send', args, { to: { type: 'string' } }, 1);
  const [text] = positionals;
  if (text === undefined) throw usage('send', 'a FILE is missing');
  const match = /^(.+?):(\d+)(?:-(\d+))?$/s.exec(text);
  const file = match?.[1] ?? text;
  const lines = match ? range(match[2], match[3]) : undefined;
  const companion = await findCompanion(parsePort('send', values.port));
  const input = { path: existing(file), ...(lines ? { lines } : {}), ...(values.to ? { to: values.to } : {}) };
  const link = await ask<{ id: string; name: string }>(companion, 'send', input);
  if (values.json) printJson(link);
  else console.log(`sent to ${link.name} (${link.id})`);
  return 0;
}

function range(from: string | undefined, to: string | undefined) {
  const start = Number(from);
  const end = to === undefined ? start : Number(to);
  if (start < 1) throw usage('send', 'lines count from 1');
  if (end < start) throw usage('send', 'the end is before the start');
  return { start: start - 1, end: end - 1 };
}
