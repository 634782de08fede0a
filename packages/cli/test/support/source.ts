import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Result } from '../../../../test/support/command.ts';
import type { World } from '../../../../test/support/world.ts';

/** The command as it is written: the toolchain's Node runs it without a build. */
export const SOURCE = join(import.meta.dirname, '..', '..', 'src', 'tandem.ts');

/** Runs it to its end, in the workspace. */
export function run(
  world: World,
  args: readonly string[],
  options: { input?: string; env?: Record<string, string> } = {},
): Promise<Result> {
  const env = { HOME: world.home, TMPDIR: world.tmp, PATH: '/usr/bin:/bin', ...options.env };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [SOURCE, ...args], { cwd: world.workspace, env, timeout: 30_000 });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      const json = stdout.startsWith('{') && !stdout.includes('\n{') ? JSON.parse(stdout) : undefined;
      resolve({ code, stdout, stderr, json });
    });
    child.stdin.end(options.input ?? '');
  });
}
