import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { BRIDGE_SCRIPT } from './bridge-script.ts';
import { environmentOf, type Interpreter } from './interpreters.ts';

interface Display {
  readonly display?: string;
  readonly update?: boolean;
}

/** What code puts out, as the bridge tells it. */
export type OutputEvent =
  | ({ readonly event: 'text'; readonly text: string; readonly cut: number; readonly alone?: boolean } & Display)
  | ({ readonly event: 'image'; readonly mimeType: string; readonly data?: string; readonly cut?: number } & Display)
  | { readonly event: 'error'; readonly text: string; readonly name: string }
  | { readonly event: 'clear'; readonly wait: boolean };

type BridgeEvent =
  | OutputEvent
  | { readonly event: 'launched'; readonly pid: number | null }
  | { readonly event: 'ready'; readonly python: string }
  | { readonly event: 'failed'; readonly reason: Failure['reason']; readonly message: string; readonly log: string }
  | { readonly event: 'done' }
  | { readonly event: 'died'; readonly begun: boolean };

export interface Failure {
  /** `broken`: it could not even run the bridge. */
  readonly reason: 'no-client' | 'no-kernel' | 'start' | 'broken';
  readonly message: string;
}

export interface Order {
  /** The interpreter's own ipykernel, rather than a kernel spec in the standard places. */
  readonly own: boolean;
  /** A kernel spec by name. */
  readonly kernel: string | undefined;
  readonly cwd: string;
  readonly startMs: number;
  readonly textCharacters: number;
  readonly imageCharacters: number;
}

export class KernelDied extends Error {
  /** Whether the code may have been run in part. */
  readonly begun: boolean;

  constructor(begun: boolean) {
    super('the kernel ended');
    this.begun = begun;
  }
}

const MAX_STDERR = 4096;
/** The bridge itself gives a kernel a few seconds less. */
const END_MS = 12_000;

/** One bridge process and its kernel, from start to end. */
export class Bridge {
  /** Both processes are gone, and so is their folder. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #folder: string;
  #kernelPid: number | undefined;
  #stderr = '';
  #gone = false;
  #dying = false;
  #listener: (event: BridgeEvent) => void = () => {};

  constructor(interpreter: Interpreter, env: NodeJS.ProcessEnv, tmp: string) {
    // 0700, for the script, the connection file and the sockets. A script is safer than -c, which imports from the cwd.
    this.#folder = mkdtempSync(join(tmp, 'tandem-kernel-'));
    const script = join(this.#folder, 'bridge.py');
    writeFileSync(script, BRIDGE_SCRIPT, { mode: 0o600 });
    this.#child = spawn(interpreter.path, [script], {
      cwd: this.#folder,
      env: environmentOf(interpreter, env),
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    this.#child.stdin.on('error', () => {}); // its end is told by `close`
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = `${this.#stderr}${chunk}`.slice(-MAX_STDERR);
    });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#hear(line));
    this.ended = new Promise((resolve) => {
      const end = (problem?: Error) => {
        if (this.#gone) return;
        this.#gone = true;
        if (problem) this.#stderr += problem.message;
        this.#killKernel(); // if the bridge could not
        rmSync(this.#folder, { recursive: true, force: true });
        this.#listener({ event: 'died', begun: true });
        resolve();
      };
      this.#child.on('error', end);
      this.#child.on('close', () => end());
    });
  }

  /** Nothing when the kernel is ready for code; else why not, and the bridge has ended. */
  async start(order: Order): Promise<Failure | undefined> {
    const impatient = setTimeout(() => this.kill(), order.startMs * 2); // the bridge watches the kernel; this, Python
    const failure = await new Promise<Failure | undefined>((resolve) => {
      this.#listener = (event) => {
        if (event.event === 'ready') resolve(undefined);
        else if (event.event === 'failed')
          resolve({ reason: event.reason, message: event.log ? `${event.message}\n${event.log}` : event.message });
        else if (event.event === 'died')
          resolve({ reason: 'broken', message: this.#stderr.trim().split('\n').at(-1) || 'it gave no answer' });
      };
      const { cwd, own, kernel = null } = order;
      const bounds = { text: order.textCharacters, image: order.imageCharacters };
      this.#send({ folder: this.#folder, cwd, own, kernel, startSeconds: Math.ceil(order.startMs / 1000), ...bounds });
    });
    clearTimeout(impatient);
    if (failure) await this.end();
    else this.#listener = () => {};
    return failure;
  }

  /** Until the code is done. Rejects with `KernelDied`. */
  run(code: string, output: (event: OutputEvent) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#gone || this.#dying) return reject(new KernelDied(false));
      this.#listener = (event) => {
        if (event.event === 'done') {
          this.#listener = () => {};
          resolve();
        } else if (event.event === 'died') reject(new KernelDied(event.begun));
        else if (isOutput(event)) output(event);
      };
      this.#send({ op: 'run', code });
    });
  }

  interrupt(): void {
    this.#send({ op: 'interrupt' });
  }

  /** The bridge ends its kernel when its stdin closes, also if this process is killed. */
  async end(): Promise<void> {
    this.#child.stdin.end();
    const impatient = setTimeout(() => this.kill(), END_MS);
    await this.ended;
    clearTimeout(impatient);
  }

  /** Without asking. */
  kill(): void {
    this.#killKernel();
    this.#child.kill('SIGKILL');
  }

  /** With everything that it has started: a kernel has a process group of its own. */
  #killKernel(): void {
    if (this.#kernelPid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? this.#kernelPid : -this.#kernelPid, 'SIGKILL');
    } catch {
      // it has ended already
    }
  }

  #send(message: object): void {
    if (!this.#gone && this.#child.stdin.writable) this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #hear(line: string): void {
    const event = JSON.parse(line) as BridgeEvent;
    if (event.event === 'launched') this.#kernelPid = event.pid ?? undefined;
    if (event.event === 'died') this.#dying = true;
    this.#listener(event);
  }
}

function isOutput(event: BridgeEvent): event is OutputEvent {
  return event.event === 'text' || event.event === 'image' || event.event === 'error' || event.event === 'clear';
}
