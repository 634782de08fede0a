import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';

const windows = process.platform === 'win32';

/** Whatever we started ends with us, also when nobody called `stop`. */
const running = new Set<Child>();
let watching = false;

export interface ChildRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A program with everything it starts: they form a process group of their own, so that all can be ended. */
export class Child {
  readonly process: ChildProcess;
  /** How it ended, in words. */
  readonly ended: Promise<string>;
  #over = false;

  constructor(request: ChildRequest, stdio: SpawnOptions['stdio']) {
    const { command, args, cwd, env } = request;
    this.process = spawn(command, args, { cwd, env, stdio, detached: !windows, windowsHide: true, shell: false });
    this.ended = new Promise((resolve) => {
      this.process.once('error', (error: NodeJS.ErrnoException) => resolve(this.#done(spawnError(command, error))));
      this.process.once('exit', (code, signal) => {
        resolve(this.#done(signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`));
      });
    });
    running.add(this);
    watchExit();
  }

  get isOver(): boolean {
    return this.#over;
  }

  /** Asks it to end, and makes it end after a grace. Resolves when the program itself is gone. */
  async end(graceMs: number): Promise<void> {
    if (this.#over) return;
    this.signal('SIGTERM');
    const timer = setTimeout(() => this.signal('SIGKILL'), graceMs);
    await this.ended;
    clearTimeout(timer);
    this.signal('SIGKILL'); // what it left behind
  }

  signal(signal: NodeJS.Signals): void {
    const { pid } = this.process;
    if (pid === undefined) return;
    try {
      if (windows) this.process.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // nobody is left
    }
  }

  #done(how: string): string {
    this.#over = true;
    running.delete(this);
    return how;
  }
}

function spawnError(command: string, error: NodeJS.ErrnoException): string {
  return error.code === 'ENOENT' ? `${command} is not installed, or not on the PATH` : error.message;
}

function watchExit(): void {
  if (watching) return;
  watching = true;
  process.on('exit', () => {
    for (const child of running) child.signal('SIGKILL');
  });
}
