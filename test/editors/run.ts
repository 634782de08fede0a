// Runs the tests in real editors: installs VS Code and the agents, runs one file after the other, and tidies up even
// after an interruption. Run: node test/editors/run.ts [part of a file's name …] [-- further arguments of node --test]
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install as installAgents } from '../agents/install.ts';
import { nodeBin } from '../agents/paths.ts';
import { processesWith } from '../agents/processes.ts';
import { marker } from '../agents/sandbox.ts';
import { installCodeServer } from './install.ts';
import { repoRoot, vsix } from './paths.ts';

const [wanted, further] = split(process.argv.slice(2));
const run = `run${process.pid}`;
const here = join(repoRoot, 'test', 'editors');

await installCodeServer();
await installAgents();
console.log(`testing ${vsix()}`);
/** Everything temporary, the browser's as well. Short: VS Code makes sockets below it. */
const tmp = realpathSync(mkdtempSync(join(tmpdir(), 'te-')));
process.exitCode = await runTests();
tidy();

function runTests(): Promise<number> {
  const all = readdirSync(here).filter((name) => name.endsWith('.test.ts'));
  const files = all.filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
  if (files.length === 0) throw new Error(`no test file matches ${wanted.join(' ')}`);
  const reporter = process.env.CI ? ['--test-reporter=spec'] : [];
  // One file at a time: each has a VS Code and a browser of its own.
  const child = spawn(nodeBin, ['--test', '--test-concurrency=1', ...reporter, ...further, ...files], {
    cwd: here,
    env: { ...process.env, TMPDIR: tmp, [marker]: run },
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}

/** Test processes that were interrupted cannot end what they started; it carries our mark. */
function tidy(): void {
  const left = processesWith(marker, (value) => value === run || value.startsWith(`${run}.`));
  for (const { pid, command } of left) {
    console.log(`ending what is left over: ${pid} ${command}`);
    process.kill(pid, 'SIGKILL');
  }
  rmSync(tmp, { recursive: true, force: true, maxRetries: 5 });
}

function split(args: string[]): [string[], string[]] {
  const at = args.indexOf('--');
  return at < 0 ? [args, []] : [args.slice(0, at), args.slice(at + 1)];
}
