import { homedir } from 'node:os';
import { complain, paint, shortPath } from '../print.ts';
import type { AgentProgram } from './agents.ts';
import { canAsk, confirm } from './ask.ts';
import { describe, type Made, make, undo } from './change.ts';
import { Memory } from './memory.ts';
import { readAgentSettings } from './settings.ts';
import { type Plan, planFor } from './switches.ts';

const say = (text: string) => console.error(text);

/**
 * Turns the agent's own switches on, if the user has said yes to what is shown. Asked once; the answer is kept. Gives the
 * arguments that the agent is to be started with from now on.
 */
export async function settle(
  agent: AgentProgram,
  again: boolean,
  given: readonly string[],
): Promise<readonly string[]> {
  const settings = readAgentSettings(agent.id, { cwd: process.cwd(), home: homedir(), env: process.env });
  const plan = withoutGiven(planFor(agent.id, settings), given);
  const memory = new Memory({ home: homedir(), env: process.env });
  const answer = memory.get(agent.id);
  for (const { file } of plan.overruled) {
    say(
      paint(
        'yellow',
        `${agent.name}: ${shortPath(file.path)} decides otherwise than your own settings`,
        process.stderr,
      ),
    );
  }
  if (plan.changes.length === 0 && plan.args.length === 0) return [];
  if (answer && !again) return remembered(agent, plan, answer.yes && plan.args.length > 0 ? answer.args : []);
  if (!canAsk()) {
    const what = [...plan.changes.map(describe), ...(plan.args.length > 0 ? [plan.args.join(' ')] : [])].join('; ');
    say(
      `${agent.name} is not set up for the editor (${what}); nothing is changed without asking. Run it once in a terminal.`,
    );
    return [];
  }
  if (!(await agreed(agent, plan))) {
    memory.set(agent.id, { yes: false, changes: answer?.changes ?? [], args: [] });
    say(paint('dim', `Nothing was changed. To be asked again: tandem run --ask ${agent.id}\n`, process.stderr));
    return [];
  }
  const before = answer?.changes ?? [];
  const made: Made[] = [];
  const remember = () => memory.set(agent.id, { yes: true, changes: [...before, ...made], args: plan.args });
  try {
    for (const change of plan.changes) made.push(make(change));
  } catch (error) {
    if (made.length > 0) remember(); // so that it can be undone
    complain(`${agent.name}'s settings could not be changed: ${(error as Error).message}`);
    return plan.args;
  }
  remember();
  say(paint('dim', `Done. To undo it: tandem run --undo ${agent.id}\n`, process.stderr));
  return plan.args;
}

/** What the user says on the command line counts. */
function withoutGiven(plan: Plan, given: readonly string[]): Plan {
  const own = ['--permission-mode', '--dangerously-skip-permissions'];
  const isGiven = given.some((arg) => own.some((option) => arg === option || arg.startsWith(`${option}=`)));
  return isGiven ? { ...plan, args: [] } : plan;
}

/** Said once and for all, but a setting that was changed since is not turned back behind the user's back. */
function remembered(agent: AgentProgram, plan: Plan, args: readonly string[]): readonly string[] {
  if (plan.changes.length > 0) {
    const what = plan.changes.map(describe).join('; ');
    say(
      paint(
        'dim',
        `${agent.name} will not show its edits here (${what}). tandem run --ask ${agent.id}`,
        process.stderr,
      ),
    );
  }
  return args;
}

async function agreed(agent: AgentProgram, plan: Plan): Promise<boolean> {
  say(`${paint('bold', agent.name, process.stderr)} needs this, once:\n`);
  for (const change of plan.changes) {
    say(`  ${describe(change)}`);
    say(paint('dim', `      in ${shortPath(change.file)}, ${change.why}`, process.stderr));
  }
  if (plan.args.length > 0) {
    say(`  start it with ${plan.args.join(' ')}`);
    say(paint('dim', `      when it is started by tandem run, ${plan.argsWhy ?? ''}`, process.stderr));
  }
  say('');
  return confirm('Do it?');
}

/** Takes back what was done for these agents; gives how many changes were undone, and which are the user's by now. */
export function takeBack(agents: readonly AgentProgram[]): { agent: string; undone: string[]; kept: string[] }[] {
  const memory = new Memory({ home: homedir(), env: process.env });
  return agents.flatMap((agent) => {
    const answer = memory.get(agent.id);
    if (!answer) return [];
    const [undone, kept]: [string[], string[]] = [[], []];
    for (const made of answer.changes.toReversed()) {
      const what = `${shortPath(made.file)}: ${made.path.join('.')}`;
      (undo(made) ? undone : kept).push(what);
    }
    memory.set(agent.id, undefined);
    return [{ agent: agent.name, undone, kept }];
  });
}
