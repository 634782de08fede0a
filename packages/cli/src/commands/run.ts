import { here } from '@tandem/client';
import { parse, parsePort, usage } from '../arguments.ts';
import { CommandError } from '../errors.ts';
import { help } from '../help.ts';
import { complain, paint, printJson, shortPath } from '../print.ts';
import { AGENTS, type AgentProgram, findAgent } from '../run/agents.ts';
import { FACES, type FaceName, findLinked, type Linked, startLinked } from '../run/companion.ts';
import { settle, takeBack } from '../run/consent.ts';
import { environmentFor } from '../run/environment.ts';
import { findOnPath } from '../run/path.ts';
import { runInPlace } from '../run/spawn.ts';

const OPTIONS = {
  with: { type: 'string', default: 'workbench' },
  'no-open': { type: 'boolean', default: false },
  ask: { type: 'boolean', default: false },
  undo: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

export async function run(args: string[]): Promise<number> {
  const [own, theirs, isCommand] = split(args);
  if (own.includes('--undo')) {
    const { values, positionals } = parse('run', args, OPTIONS);
    return undone(positionals, values.json);
  }
  const { values } = parse('run', own, OPTIONS, 0);
  if (values.help) {
    console.log(help('run'));
    return 0;
  }
  const face = FACES.find((each) => each === values.with);
  if (!face) throw usage('run', `--with: "${values.with}" is none of ${FACES.join(', ')}`);
  const [name, ...rest] = theirs;
  if (name === undefined) throw usage('run', 'which agent? claude, gemini, qwen, or -- and any command');
  const agent = isCommand ? undefined : findAgent(name);
  if (!isCommand && !agent) {
    throw usage(
      'run',
      `"${name}" is none of ${AGENTS.map((each) => each.id).join(', ')}; any other command goes after --`,
    );
  }
  const program = programFor(agent, name);
  const more = agent ? await settle(agent, values.ask, rest) : [];
  const linked = await link(parsePort('run', values.port), face, values['no-open']);
  try {
    const env = environmentFor(agent?.id, process.env, linked.environments);
    if (agent) checkWay(agent, env, linked);
    return await runInPlace(program, [...more, ...rest], env);
  } finally {
    await linked.stop();
  }
}

/** Our own options come before the agent's name; everything after it is the agent's, whatever it looks like. */
export function split(args: readonly string[]): [own: string[], theirs: string[], isCommand: boolean] {
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i] ?? '';
    if (arg === '--') return [args.slice(0, i), args.slice(i + 1), true];
    if (!arg.startsWith('-')) return [args.slice(0, i), args.slice(i), false];
    if (arg === '--with' || arg === '--port') i += 1; // the next one is its value
  }
  return [[...args], [], false];
}

function programFor(agent: AgentProgram | undefined, name: string): string {
  const found = findOnPath(agent?.command ?? name, process.env);
  if (found) return found;
  if (!agent) throw new CommandError(1, `there is no command "${name}" on the PATH`);
  throw new CommandError(
    1,
    `${agent.name} is not installed: there is no "${agent.command}" on the PATH`,
    agent.install,
  );
}

async function link(port: number | undefined, face: FaceName, noOpen: boolean): Promise<Linked> {
  const there = await findLinked(port);
  if (there) {
    if (there.note) console.error(paint('yellow', there.note, process.stderr));
    return there;
  }
  const started = await startLinked(face);
  if (started.url !== undefined) {
    console.error(`The workbench of ${shortPath(process.cwd())}, for one browser:\n`);
    console.error(`  ${paint('bold', started.url, process.stderr)}\n`);
    console.error(paint('dim', 'Another address: tandem workbench --url, in another terminal.\n', process.stderr));
    if (!noOpen && process.stderr.isTTY) (await import('./workbench.ts')).openBrowser(started.url);
  }
  return started;
}

/** The same rules that the agent will go by: better said now than wondered about later. */
function checkWay(agent: AgentProgram, env: Record<string, string>, linked: Linked): void {
  const { chosen, note } = agent.discover({ ...here(), env });
  if (chosen?.port === linked.port) return;
  const why = chosen ? `it will choose ${chosen.ide?.displayName ?? chosen.file} on port ${chosen.port}` : note;
  complain(`${agent.name} will not find the companion on port ${linked.port}: ${why}`, `tandem doctor ${agent.id}`);
}

function undone(names: readonly string[], json: boolean): number {
  const agents = names.map((name) => {
    const agent = findAgent(name);
    if (!agent) throw usage('run', `"${name}" is none of ${AGENTS.map((each) => each.id).join(', ')}`);
    return agent;
  });
  const results = takeBack(agents.length > 0 ? agents : AGENTS);
  if (json) printJson(results);
  else if (results.length === 0) console.log('Nothing was changed by tandem run.');
  for (const { agent, undone: back, kept } of json ? [] : results) {
    for (const what of back) console.log(`${agent}: undone, ${what}`);
    for (const what of kept) console.log(`${agent}: left as it is, ${what} was changed since`);
    if (back.length + kept.length === 0) console.log(`${agent}: the answer is forgotten`);
  }
  return 0;
}
