// Runs the live tests: installs the agents, runs every scenario, and tidies up even after an interruption.
// Run: node test/agents/run.ts [part of a file's name, or with ! before it of one to leave out …] [-- further arguments of node --test]
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { install } from './install.ts';
import { nodeBin, repoRoot, tandemJs } from './paths.ts';
import { processesWith } from './processes.ts';
import { marker, sandboxPrefix } from './sandbox.ts';

const [wanted, further] = split(process.argv.slice(2));
const run = `run${process.pid}`;

await install();
if (!existsSync(tandemJs)) throw new Error(`${tandemJs} is missing: run npm run build`);
process.exitCode = await runTests();
tidy();

function runTests(): Promise<number> {
  const all = readdirSync(join(repoRoot, 'test', 'agents', 'scenarios')).filter((name) => name.endsWith('.test.ts'));
  const [not, only] = [wanted.filter((word) => word.startsWith('!')), wanted.filter((word) => !word.startsWith('!'))];
  const files = all
    .filter((name) => only.length === 0 || only.some((part) => name.includes(part)))
    .filter((name) => !not.some((word) => name.includes(word.slice(1))));
  if (files.length === 0) throw new Error(`no scenario file matches ${wanted.join(' ')}`);
  // One file at a time: each runs two agents side by side already.
  const child = spawn(nodeBin, ['--test', '--test-concurrency=1', ...further, ...files], {
    cwd: join(repoRoot, 'test', 'agents', 'scenarios'),
    env: { ...process.env, [marker]: run },
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}

/** Test processes that were interrupted cannot end their agents; what is left carries our mark. */
function tidy(): void {
  const left = processesWith(marker, (value) => value === run || value.startsWith(`${run}.`));
  for (const { pid, command } of left) {
    console.log(`ending what is left over: ${pid} ${command}`);
    process.kill(pid, 'SIGKILL');
  }
  const prefix = sandboxPrefix(run);
  for (const name of readdirSync(dirname(prefix)).filter((entry) => entry.startsWith(basename(prefix)))) {
    rmSync(join(dirname(prefix), name), { recursive: true, force: true });
  }
}

function split(args: string[]): [string[], string[]] {
  const at = args.indexOf('--');
  return at < 0 ? [args, []] : [args.slice(0, at), args.slice(at + 1)];
}
