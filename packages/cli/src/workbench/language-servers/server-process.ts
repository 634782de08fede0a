import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { answerServer, initializeParams } from './capabilities.ts';
import { Rpc } from './rpc.ts';

const INITIALIZE_MS = 30_000;
const SHUTDOWN_MS = 800;
const EXIT_MS = 400;
const MAX_LINE = 300;

export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly initializationOptions: unknown;
}

export interface Capabilities {
  readonly [name: string]: unknown;
}

/** One run of a language server, from its start to its end. */
export class ServerProcess {
  /** The end, with what can be said of it; `undefined` when it was asked to. */
  readonly ended: Promise<string | undefined>;
  readonly ready: Promise<Capabilities>;
  readonly rpc: Rpc;
  readonly #child: ChildProcessWithoutNullStreams;
  #lastLine = '';
  #why: string | undefined;
  #stopping = false;
  #over = false;

  constructor(launch: Launch, notified: (method: string, params: unknown) => void) {
    // A group of its own: what the server starts can be ended with it, and Ctrl-C in our terminal is for us.
    this.#child = spawn(launch.program, [...launch.args], {
      cwd: launch.folder,
      env: launch.env,
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child.stderr.on('data', (chunk: Buffer) => this.#note(chunk));
    this.rpc = new Rpc(this.#child.stdout, this.#child.stdin, {
      notified,
      asked: answerServer,
      broken: (why) => this.#abandon(`it sent what is no message (${why})`),
    });
    const killed = () => this.#signal('SIGKILL');
    process.once('exit', killed);
    this.ended = new Promise((resolve) => {
      const over = (code: number | null, signal: string | null) => {
        if (this.#over) return;
        this.#over = true;
        process.removeListener('exit', killed);
        this.#signal('SIGKILL'); // whatever it has started
        this.rpc.close();
        resolve(this.#stopping ? undefined : (this.#why ?? this.#epitaph(signal ?? `exit code ${code}`)));
      };
      this.#child.once('exit', over);
      this.#child.once('error', (error) => {
        this.#why ??= error.message;
        if (this.#child.pid === undefined) over(null, null);
      });
    });
    this.ready = this.#initialize(launch);
    this.ready.catch(() => {});
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Asks it to go, and sees to it. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.rpc.request('shutdown', undefined, SHUTDOWN_MS).catch(() => {});
    this.rpc.notify('exit', undefined);
    if (await this.#endsWithin(EXIT_MS)) return;
    this.#signal('SIGTERM');
    if (await this.#endsWithin(EXIT_MS)) return;
    this.#signal('SIGKILL');
    await this.ended;
  }

  async #initialize(launch: Launch): Promise<Capabilities> {
    try {
      const params = initializeParams(launch.folder, launch.initializationOptions);
      const result = (await this.rpc.request('initialize', params, INITIALIZE_MS)) as { capabilities?: Capabilities };
      this.rpc.notify('initialized', {});
      return result?.capabilities ?? {};
    } catch (error) {
      this.#abandon((error as Error).message);
      throw error;
    }
  }

  #abandon(why: string): void {
    if (!this.#over) this.#why ??= why;
    this.#signal('SIGKILL');
  }

  #endsWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      void this.ended.then(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (process.platform === 'win32') this.#child.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // gone already
    }
  }

  #note(chunk: Buffer): void {
    const lines = chunk
      .toString('utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal
    this.#lastLine = (lines.at(-1) ?? this.#lastLine).replace(/[\u0000-\u001f\u007f-\u009f]/g, '').slice(0, MAX_LINE);
  }

  #epitaph(how: string): string {
    return this.#lastLine === '' ? how : `${how}: ${this.#lastLine}`;
  }
}
