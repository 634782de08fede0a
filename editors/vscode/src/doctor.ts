import { existsSync } from 'node:fs';
import { here } from '@tandem/client';
import type { Companion } from '@tandem/core';
import { type Diagnosis, diagnose as look } from '../../../packages/cli/src/doctor/index.ts';
import { terminalVariables } from './terminal-variables.ts';

/** What `tandem doctor` would say in a terminal of this window. */
export async function diagnose(companion: Companion, rivalOf: (agent: string) => string | undefined): Promise<string> {
  const variables = terminalVariables(companion.published, process.env, existsSync);
  const around = { ...here(), cwd: companion.folders[0] ?? process.cwd(), env: { ...process.env, ...variables } };
  return (await look({ around })).map((diagnosis) => describe(diagnosis, rivalOf(diagnosis.agent))).join('\n');
}

const MARKS = { error: '✗', warning: '!', note: '·' };

function describe(diagnosis: Diagnosis, rival: string | undefined): string {
  const { name, program, looks, candidates, chosen, why, findings } = diagnosis;
  const lines = [`${name} ${program?.version ?? ''}`.trim()];
  if (program) {
    lines.push(`  ${program.path}`);
    for (const { where, found } of looks) lines.push(`  looks at ${where}: ${found}`);
    for (const { candidate, verdict } of candidates) {
      const who = [candidate.ide?.displayName ?? 'unnamed', `port ${candidate.port ?? '?'}`, ...candidate.folders];
      lines.push(`  finds ${who.join(', ')}: ${candidate === chosen ? `chosen, ${why}` : verdict}`);
    }
    if (!chosen) lines.push(`  chooses none: ${why}`);
  }
  for (const { id, severity, evidence, remedy } of findings) {
    lines.push(`  ${MARKS[severity]} ${id}: ${evidence}`, `      → ${remedy}`);
  }
  if (rival !== undefined) {
    lines.push(`  ! rival: the extension “${rival}” offers itself to it too`, '      → disable one of the two');
  } else if (program && findings.length === 0) lines.push('  ✓ nothing stands in the way');
  return `${lines.join('\n')}\n`;
}
