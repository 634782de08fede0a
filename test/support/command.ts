import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Message } from './http-agent.ts';
import { until, type World } from './world.ts';

const TANDEM = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'dist', 'tandem.js');
/** The Node that people have, not the toolchain's. */
const NODE = process.env.TANDEM_NODE ?? process.execPath;

export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly json: Message;
}

function environment(world: World, extra: Record<string, string> = {}): Record<string, string> {
  return { HOME: world.home, TMPDIR: world.tmp, PATH: '/usr/bin:/bin', ...extra };
}

/** Runs a command to its end, in the workspace unless told otherwise. */
export function tandem(
  world: World,
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string>; input?: string } = {},
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(NODE, [TANDEM, ...args], {
      cwd: options.cwd ?? world.workspace,
      env: environment(world, options.env),
    });
    const [out, err]: Buffer[][] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => out?.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err?.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      const stdout = Buffer.concat(out ?? []).toString();
      let json: unknown;
      try {
        json = JSON.parse(stdout);
      } catch {
        json = undefined;
      }
      resolve({ code, stdout, stderr: Buffer.concat(err ?? []).toString(), json });
    });
    child.stdin.end(options.input ?? '');
  });
}

export interface Serving {
  readonly child: ChildProcess;
  readonly events: Message[];
  readonly ready: Message;
  readonly ended: Promise<number | null>;
  output(): string;
}

/** `tandem serve --json`, ready, ended after the test. */
export async function serve(
  t: TestContext,
  world: World,
  args: readonly string[] = ['--json'],
  stdin: 'ignore' | 'pipe' = 'ignore',
): Promise<Serving> {
  const child = spawn(NODE, [TANDEM, 'serve', ...args], {
    cwd: world.workspace,
    env: environment(world),
    stdio: [stdin, 'pipe', 'pipe'],
  });
  const events: Message[] = [];
  let output = '';
  let rest = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk;
    rest += chunk;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 1);
      if (line.startsWith('{')) events.push(JSON.parse(line));
    }
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const ready = args.includes('--json')
    ? await until('the ready event', () => events.find((event) => event.event === 'ready'))
    : await until('the greeting', () => output.includes('Ctrl-C'));
  return { child, events, ready, ended, output: () => output };
}
