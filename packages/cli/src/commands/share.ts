import { SHARING } from '@tandem/core';
import { parse, parsePort, usage } from '../arguments.ts';
import { ask, findCompanion } from '../control-client.ts';
import { printJson } from '../print.ts';

export async function share(args: string[]): Promise<number> {
  const { values, positionals } = parse('share', args, {}, 1);
  const [mode] = positionals;
  if (mode !== undefined && !(SHARING as readonly string[]).includes(mode)) {
    throw usage('share', `"${mode}" is none of ${SHARING.join(', ')}`);
  }
  const companion = await findCompanion(parsePort('share', values.port));
  const state = await ask<{ sharing: string }>(
    companion,
    mode === undefined ? 'status' : 'share',
    mode ? { sharing: mode } : {},
  );
  if (values.json) printJson({ sharing: state.sharing });
  else console.log(`sharing is ${state.sharing}`);
  return 0;
}
