import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { until, type World } from '../../../../test/support/world.ts';

const TANDEM = join(import.meta.dirname, '..', '..', 'dist', 'tandem.js');
const NODE = process.env.TANDEM_NODE ?? process.execPath;

/** The command line, to be typed into a shell. */
export function tandemLine(args: readonly string[]): string {
  return [NODE, TANDEM, ...args].map((each) => `'${each.replaceAll("'", "'\\''")}'`).join(' ');
}

/** A command in a real terminal (a pty made by script(1)): it can be asked things, and keys go to it. Without one, a shell. */
export class Terminal {
  output = '';
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;

  constructor(
    t: TestContext,
    world: World,
    args: readonly string[],
    env: Record<string, string> = {},
    cwd = world.workspace,
  ) {
    const quoted = tandemLine(args);
    this.child = spawn(
      'script',
      [
        '--quiet',
        '--return',
        '--flush',
        '--command',
        args.length === 0 ? 'exec bash --norc --noprofile -i' : `exec ${quoted}`,
        '/dev/null',
      ],
      {
        cwd,
        env: { HOME: world.home, TMPDIR: world.tmp, PATH: '/usr/bin:/bin', SHELL: '/bin/sh', TERM: 'dumb', ...env },
        stdio: ['pipe', 'pipe', 'pipe'],
      },
    );
    this.child.stdout?.on('data', (chunk: Buffer) => {
      this.output += chunk.toString();
    });
    this.ended = new Promise((resolve) => this.child.on('close', resolve));
    t.after(async () => {
      this.child.kill('SIGKILL');
      await this.ended;
    });
  }

  type(keys: string): void {
    this.child.stdin?.write(keys);
  }

  async shows(pattern: RegExp, ms = 15_000): Promise<void> {
    await until(`the terminal to show ${pattern}`, () => pattern.test(this.output), ms).catch((error: Error) => {
      throw new Error(`${error.message}\n${this.output}`);
    });
  }
}
