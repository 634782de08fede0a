// A throwaway world for one run: own HOME, TMPDIR, workspace, tmux server, and an environment that knows nothing else.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { nodeDir } from './paths.ts';
import { type Process, processesWith } from './processes.ts';
import { Tmux } from './tmux.ts';

/** Every process of a sandbox carries this variable, so that what is left over can be found. */
export const marker = 'TANDEM_TEST_RUN';

/** Set by run.ts, so that it can tidy up after test processes that were killed. */
const run = process.env[marker] ?? `pid${process.pid}`;

/** A program that ends early must not leave agents behind: tmux keeps them alive without us. */
const open = new Set<Sandbox>();
process.once('exit', () => {
  for (const sandbox of open) sandbox.killAll();
});

/** Where the sandboxes of a run are, but for some random letters. */
export function sandboxPrefix(id: string): string {
  return join(tmpdir(), `tandem-live-${id}-`);
}

export class Sandbox {
  readonly id = `${run}.${randomBytes(4).toString('hex')}`;
  readonly root: string;
  readonly home: string;
  readonly tmp: string;
  readonly workspace: string;
  readonly env: Record<string, string>;
  readonly tmux: Tmux;

  constructor() {
    this.root = realpathSync(mkdtempSync(sandboxPrefix(run)));
    this.home = this.#directory('home');
    this.tmp = this.#directory('tmp');
    this.workspace = this.#directory('workspace');
    this.env = {
      HOME: this.home,
      TMPDIR: this.tmp,
      PATH: `${nodeDir}:/usr/bin:/bin`,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      SHELL: '/bin/bash',
      [marker]: this.id,
    };
    this.tmux = new Tmux('agents', this.root, this.env);
    open.add(this);
  }

  /** A path in the workspace. */
  path(name: string): string {
    return join(this.workspace, name);
  }

  write(name: string, text: string): string {
    const path = this.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** The text on disk, or undefined when there is no such file. */
  read(name: string): string | undefined {
    const path = this.path(name);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  }

  /** A file outside the workspace, for settings. */
  writeHome(name: string, value: unknown): void {
    const path = join(this.home, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(value));
  }

  /** Every process that carries this sandbox's marker, and nothing else. */
  processes(): Process[] {
    return processesWith(marker, (value) => value === this.id);
  }

  /** Sends a signal to those of the given processes that are ours: a pid may have gone to somebody else meanwhile. */
  signal(pids: number[], signal: NodeJS.Signals): void {
    const ours = this.processes().filter(({ pid }) => pids.includes(pid));
    for (const { pid } of ours) send(pid, signal);
  }

  killAll(): void {
    for (const { pid } of this.processes()) send(pid, 'SIGKILL');
  }

  remove(): void {
    open.delete(this);
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  #directory(name: string): string {
    const path = join(this.root, name);
    mkdirSync(path, { mode: 0o700 });
    return path;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It went by itself.
  }
}
