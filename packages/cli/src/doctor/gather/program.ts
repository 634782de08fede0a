import { execFile } from 'node:child_process';
import type { Surroundings } from '@tandem/client';
import type { AgentProgram } from '../../run/agents.ts';
import { findOnPath } from '../../run/path.ts';
import type { Program } from '../model.ts';

const TIMEOUT_MS = 15_000;

/** Asked rather than read from a package: that it starts at all is part of the question. */
export async function findProgram(agent: AgentProgram, { env, cwd }: Surroundings): Promise<Program | undefined> {
  const path = findOnPath(agent.command, env);
  if (path === undefined) return undefined;
  const { error, output } = await run(path, ['--version'], { env, cwd });
  const version = /\d+\.\d+\.\d+[\w.-]*/.exec(output)?.[0];
  if (version !== undefined && error === undefined) return { path, version };
  return { path, error: error ?? `it answers --version with "${output.trim().slice(0, 80)}"` };
}

function run(
  path: string,
  args: readonly string[],
  { env, cwd }: Pick<Surroundings, 'env' | 'cwd'>,
): Promise<{ error?: string; output: string }> {
  return new Promise((resolve) => {
    const options = { env, cwd, timeout: TIMEOUT_MS, shell: /\.(cmd|bat)$/i.test(path) };
    execFile(path, args, options, (error, stdout, stderr) => {
      if (!error) return resolve({ output: stdout });
      const said = `${stderr}`.split('\n').find((line) => line.trim() !== '');
      const why = error.killed ? `it gave no answer within ${TIMEOUT_MS / 1000} s` : (said ?? error.message);
      resolve({ error: why.trim().slice(0, 200), output: stdout });
    });
  });
}
