import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ProcessOptions } from './companion-process.ts';
import type { Message } from './http-agent.ts';
import { until, type World } from './world.ts';

const SCRIPT = fileURLToPath(new URL('companion-process.ts', import.meta.url));

/** A companion in its own process; killed after the test if it still lives. */
export class CompanionProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly events: Message[] = [];
  readonly world: World;
  errors = '';
  exit: { code: number | null; signal: string | null } | undefined;

  constructor(t: TestContext, world: World, options: Partial<ProcessOptions> = {}, wrap: Wrap = (command) => command) {
    this.world = world;
    const { home, tmp, workspace } = world;
    const all: ProcessOptions = { home, tmp, workspace, ...options };
    const [command = '', ...args] = wrap([process.execPath, SCRIPT, JSON.stringify(all)]);
    this.child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    let rest = '';
    this.child.stdout.on('data', (chunk: Buffer) => {
      rest += chunk.toString();
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.events.push(JSON.parse(line));
    });
    this.child.stderr.on('data', (chunk: Buffer) => {
      this.errors += chunk.toString();
    });
    this.child.on('exit', (code, signal) => {
      this.exit = { code, signal };
    });
    this.child.stdin.on('error', () => {});
    t.after(() => this.kill());
  }

  async event(name: 'ready' | 'failed' | 'stopped'): Promise<Message> {
    return until(
      `${name} from the companion's process: ${this.errors}`,
      () => {
        if (this.exit && !this.events.some((event) => event.event === name)) throw new Error(this.errors);
        return this.events.find((event) => event.event === name);
      },
      20_000,
    );
  }

  get ready(): Message {
    return this.events.find((event) => event.event === 'ready');
  }

  get port(): number {
    return this.ready.port;
  }

  get pid(): number {
    return this.ready.pid;
  }

  token(dialect: string): string {
    const file = this.ready.published.find((each: Message) => each.dialect === dialect).files[0];
    return JSON.parse(readFileSync(file, 'utf8')).authToken;
  }

  async stop(): Promise<Message> {
    this.child.stdin.end();
    const stopped = await this.event('stopped');
    await until('the end of the process', () => this.exit);
    return stopped;
  }

  async kill(): Promise<void> {
    if (this.exit) return;
    this.child.kill('SIGKILL');
    await until('the end of the process', () => this.exit);
  }
}

type Wrap = (command: string[]) => string[];

/** Runs shell commands (mounts) that only the new process sees, and that are gone with it. */
export function withMounts(script: string): Wrap | undefined {
  const ways = [
    ['unshare', '-m'],
    ['unshare', '-Urm'], // without root, where the system allows it
  ];
  const way = ways.find(([command = '', ...args]) => {
    try {
      execFileSync(command, [...args, 'sh', '-c', 'mount -t tmpfs tmpfs /mnt'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
  return way && ((command) => [...way, 'sh', '-c', `${script} && exec "$@"`, 'sh', ...command]);
}
