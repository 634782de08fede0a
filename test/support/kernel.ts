import { readdirSync, readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import type { CodeOutput } from '../../packages/core/src/index.ts';
import { type KernelOptions, KernelRunner } from '../../packages/core/src/kernel/runner.ts';
import { until, type World } from './world.ts';

/** A kernel may take its time to start on a busy machine. */
export const KERNEL_MS = 60_000;

/** The system's Python, in a HOME and a temporary folder of the test. */
export function kernelOptions(world: World, options: Partial<KernelOptions> = {}): KernelOptions {
  return {
    folders: () => [world.workspace],
    tmp: world.tmp,
    ...options,
    env: { PATH: '/usr/bin:/bin', HOME: world.home, LANG: 'C.UTF-8', ...options.env },
  };
}

export interface TestKernel {
  readonly runner: KernelRunner;
  run(code: string, signal?: AbortSignal): Promise<readonly CodeOutput[]>;
  /** All that it said, as one text. */
  text(code: string): Promise<string>;
}

/** Ends with the test. */
export function startKernel(t: TestContext, world: World, options: Partial<KernelOptions> = {}): TestKernel {
  const runner = new KernelRunner(kernelOptions(world, options));
  t.after(() => runner.dispose());
  const run = (code: string, signal = new AbortController().signal) => runner.execute(code, signal);
  return { runner, run, text: async (code) => textOf(await run(code)) };
}

export function textOf(outputs: readonly CodeOutput[]): string {
  return outputs.map((output) => (output.type === 'image' ? `[${output.mimeType}]` : output.text)).join('\n');
}

/** Processes that have a file of this world among their arguments: bridges and kernels. */
export function processesOf(world: World): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && commandLine(pid).includes(`${world.tmp}/tandem-kernel-`));
}

export async function nothingLeft(world: World): Promise<void> {
  await until(`no process of ${world.tmp}`, () => processesOf(world).length === 0, KERNEL_MS);
  await until(`no file in ${world.tmp}`, () => readdirSync(world.tmp).length === 0, KERNEL_MS);
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // it has just ended
  }
}
