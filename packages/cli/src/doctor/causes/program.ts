import type { Cause, Finding } from '../model.ts';

/** The agent itself: is it there, does it start, do we know it. */
export const programCauses: readonly Cause[] = [
  ({ agent, program, named }) => {
    if (program) return [];
    return one({
      id: 'agent-missing',
      severity: named ? 'error' : 'note',
      evidence: `there is no "${agent.command}" on the PATH`,
      remedy: agent.install,
    });
  },
  ({ agent, program }) => {
    if (!program || program.error === undefined) return [];
    return one({
      id: 'agent-broken',
      severity: 'error',
      evidence: `${program.path} --version fails: ${program.error}`,
      remedy: `make it start by itself first; to install it anew: ${agent.install}`,
    });
  },
  ({ agent, program }) => {
    if (program?.version === undefined || minor(program.version) === minor(agent.tested)) return [];
    return one({
      id: 'agent-untested',
      severity: 'warning',
      evidence: `${agent.name} is ${program.version}; what is said here was seen with ${agent.tested}`,
      remedy: `if it behaves otherwise than described, use ${agent.tested}: ${agent.install}@${agent.tested}`,
    });
  },
];

function minor(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}

function one(finding: Finding): readonly Finding[] {
  return [finding];
}
