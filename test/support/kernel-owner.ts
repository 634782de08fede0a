/** Holds a busy kernel in a process of its own, for a test that kills it without warning. */
import { KernelRunner } from '../../packages/core/src/kernel/runner.ts';
import { kernelOptions } from './kernel.ts';
import type { World } from './world.ts';

const runner = new KernelRunner(kernelOptions(JSON.parse(process.argv[2] ?? '{}') as World));
const code = 'import os, subprocess\nchild = subprocess.Popen(["sleep", "1000"])\nprint(os.getpid(), child.pid)';
const [output] = await runner.execute(code, new AbortController().signal);
process.send?.(output?.type === 'text' ? output.text : 'failed');
await runner.execute('while True: pass', new AbortController().signal);
