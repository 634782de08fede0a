import type { Cause, Elsewhere } from '../model.ts';
import { nameOf } from './common.ts';

const IDS: Readonly<Record<Elsewhere['variable'], string>> = {
  TMPDIR: 'tmpdir-differs',
  HOME: 'home-differs',
  CLAUDE_CONFIG_DIR: 'claude-config-dir-differs',
  QWEN_HOME: 'qwen-home-differs',
};

/** There is a companion that would fit, in a place where this terminal does not look. */
export const placeCauses: readonly Cause[] = [
  ({ elsewhere, agent }) =>
    elsewhere.map(({ variable, here, there, candidate, who }) => ({
      id: IDS[variable],
      severity: 'error',
      evidence: `${nameOf(candidate)} is published in ${candidate.file}; ${variable} is ${there || 'not set'} for ${who} and ${here || 'not set'} here`,
      remedy: `${there === '' ? `unset ${variable}` : `export ${variable}=${there}`} before you start ${agent.name}, or start the companion from this terminal`,
    })),
];
