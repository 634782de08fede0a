import type { Candidate, Surroundings } from '@tandem/client';
import { answers } from '@tandem/core';
import type { AgentId, AgentProgram } from '../../run/agents.ts';
import type { Elsewhere, OtherEnvironment } from '../model.ts';

/** What each agent's discovery depends on, the most telling first. */
const DEPENDS: Readonly<Record<AgentId, readonly Elsewhere['variable'][]>> = {
  claude: ['CLAUDE_CONFIG_DIR', 'HOME'],
  gemini: ['TMPDIR'],
  qwen: ['QWEN_HOME', 'HOME'],
};

/** Lets the agent look again with the eyes of other processes: a companion that it finds then is published elsewhere. */
export async function lookElsewhere(
  agent: AgentProgram,
  around: Surroundings,
  others: readonly OtherEnvironment[],
): Promise<readonly Elsewhere[]> {
  const found = new Map<string, Elsewhere>();
  for (const other of others) {
    for (const variable of DEPENDS[agent.id]) {
      const [here, there] = [placeOf(variable, around), placeOfOther(variable, other)];
      if (here === there) continue;
      const candidate = agent.discover(withPlace(variable, there, around)).chosen;
      if (!candidate || found.has(candidate.file) || (await isGone(candidate))) continue;
      const who = other.pid === undefined ? other.command : `${other.command} (pid ${other.pid})`;
      found.set(candidate.file, { variable, here, there, candidate, who });
    }
  }
  return [...found.values()];
}

async function isGone({ port }: Candidate): Promise<boolean> {
  return port === undefined || !(await answers(port));
}

function placeOf(variable: Elsewhere['variable'], { home, tmp, env }: Surroundings): string {
  switch (variable) {
    case 'HOME':
      return home;
    case 'TMPDIR':
      return tmp;
    default:
      return env[variable] ?? '';
  }
}

function placeOfOther(variable: Elsewhere['variable'], other: OtherEnvironment): string {
  switch (variable) {
    case 'HOME':
      return other.home;
    case 'TMPDIR':
      return other.tmp;
    case 'CLAUDE_CONFIG_DIR':
      return other.claudeConfigDir ?? '';
    case 'QWEN_HOME':
      return other.qwenHome ?? '';
  }
}

function withPlace(variable: Elsewhere['variable'], there: string, around: Surroundings): Surroundings {
  switch (variable) {
    case 'HOME':
      return { ...around, home: there };
    case 'TMPDIR':
      return { ...around, tmp: there };
    default:
      return { ...around, env: { ...around.env, [variable]: there } };
  }
}
