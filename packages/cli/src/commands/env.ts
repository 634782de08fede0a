import { basename } from 'node:path';
import { parse, parsePort, usage } from '../arguments.ts';
import { ask, findCompanion } from '../control-client.ts';
import { printJson } from '../print.ts';

const SHELLS = ['bash', 'zsh', 'fish', 'nu', 'pwsh'] as const;
type Shell = (typeof SHELLS)[number];

export async function env(args: string[]): Promise<number> {
  const { values, positionals } = parse('env', args, { shell: { type: 'string' } }, 1);
  const shell = chosenShell(values.shell);
  const companion = await findCompanion(parsePort('env', values.port));
  const all = await ask<readonly { dialect: string; environment: Record<string, string> }[]>(companion, 'environment');
  const [agent] = positionals;
  const wanted = agent === undefined ? all : all.filter((each) => each.dialect === agent);
  if (agent !== undefined && wanted.length === 0) {
    throw usage('env', `"${agent}" is none of ${all.map((each) => each.dialect).join(', ')}`);
  }
  const variables: Record<string, string> = Object.assign({}, ...wanted.map((each) => each.environment));
  if (values.json) printJson(variables);
  else for (const [name, value] of Object.entries(variables)) console.log(assignment(shell, name, value));
  return 0;
}

function chosenShell(given: string | undefined): Shell {
  const own = basename(process.env.SHELL ?? '');
  if (given === undefined) return SHELLS.find((each) => each === own) ?? 'bash';
  const found = SHELLS.find((each) => each === given);
  if (!found) throw usage('env', `--shell: "${given}" is none of ${SHELLS.join(', ')}`);
  return found;
}

/** Quoted so that no folder's name is ever run. */
export function assignment(shell: Shell, name: string, value: string): string {
  switch (shell) {
    case 'bash':
    case 'zsh':
      return `export ${name}='${value.replaceAll("'", "'\\''")}'`;
    case 'fish':
      return `set -gx ${name} '${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
    case 'nu':
      return `$env.${name} = ${nuString(value)}`;
    case 'pwsh':
      // PowerShell takes typographic quotes for quotes.
      return `$env:${name} = '${value.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
  }
}

/** As JSON, but for control characters, which Nushell writes with braces. */
function nuString(value: string): string {
  return JSON.stringify(value).replace(/\\u([0-9a-f]{4})/g, '\\u{$1}');
}
