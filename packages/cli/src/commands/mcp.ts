import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { parse, parsePort, usage } from '../arguments.ts';
import { CommandError } from '../errors.ts';
import { AGENTS, carryOut, entryFor, fileOf, type McpAgent, ownCommand, type Plan, plan } from '../mcp/registration.ts';
import { printable, printJson, shortPath } from '../print.ts';
import { canAsk, confirm } from '../run/ask.ts';

const OPTIONS = {
  folder: { type: 'string' },
  name: { type: 'string', default: 'tandem' },
  yes: { type: 'boolean', default: false },
} as const;

export async function mcp(args: string[]): Promise<number> {
  const { values, positionals } = parse('mcp', args, OPTIONS, 2);
  const [verb, agent] = positionals;
  if (verb === undefined) return serve(values.folder, parsePort('mcp', values.port));
  if (verb !== 'register' && verb !== 'unregister') throw usage('mcp', `"${verb}" is neither register nor unregister`);
  const chosen = AGENTS.find((each) => each === agent);
  if (!chosen) {
    throw usage('mcp', agent === undefined ? 'an agent is missing' : `"${agent}" is none of ${AGENTS.join(', ')}`);
  }
  return write(verb, chosen, values);
}

async function serve(folder: string | undefined, port: number | undefined): Promise<number> {
  if (folder !== undefined) enter(folder);
  const { serveMcp } = await import('../mcp/server.ts');
  await serveMcp(port);
  return 0;
}

/** The companion that is looked for is the one of the working directory. */
function enter(folder: string): void {
  try {
    process.chdir(realpathSync(folder));
  } catch (error) {
    throw new CommandError(1, `--folder: ${(error as Error).message}`);
  }
}

async function write(
  verb: 'register' | 'unregister',
  agent: McpAgent,
  { name, yes, json }: { name: string; yes: boolean; json: boolean },
): Promise<number> {
  const place = { home: homedir(), env: process.env };
  const entry = entryFor(agent, ownCommand(process.argv[1] ?? '', process.env));
  const change = read(fileOf(agent, place), name, verb === 'register' ? entry : undefined);
  if (change.changes) {
    if (!json) show(change);
    if (!(yes || (!json && canAsk() && (await confirm('Change it?'))))) {
      throw new CommandError(1, 'nothing was changed', 'say --yes to change it without being asked');
    }
    carryOut(change);
  }
  if (json) printJson(change);
  else console.log(outcome(verb, agent, change.changes));
  return 0;
}

function read(file: string, name: string, entry: object | undefined): Plan {
  try {
    return plan(file, name, entry);
  } catch (error) {
    throw new CommandError(1, `${file}: ${(error as Error).message}`, 'repair it first; nothing was changed');
  }
}

function show({ file, path, before, after }: Plan): void {
  console.log(`${shortPath(file)}, ${path.join('.')}:`);
  if (before !== undefined) console.log(`- ${printable(JSON.stringify(before))}`);
  if (after !== undefined) console.log(`+ ${printable(JSON.stringify(after))}`);
}

function outcome(verb: 'register' | 'unregister', agent: McpAgent, changed: boolean): string {
  if (verb === 'register')
    return changed ? `registered with ${agent}; it counts from its next start` : 'it is there already';
  return changed ? `taken out of ${agent}` : 'it is not there';
}
