import { homedir, tmpdir } from 'node:os';
import type { CodeOutput, CodeRunner } from '../editor/port.ts';
import type { Log } from '../log.ts';
import { Bridge, type Failure, KernelDied } from './bridge.ts';
import { type Interpreter, interpreters } from './interpreters.ts';
import { type OutputLimits, Outputs } from './outputs.ts';

export interface KernelOptions {
  /** The workspace folders, asked for when a kernel starts; the first one is where the code runs. */
  readonly folders: () => readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Where the kernel's private folder is made. */
  readonly tmp?: string;
  /** The interpreter to use, instead of looking for one. */
  readonly python?: string;
  /** A kernel spec by name, instead of the interpreter's own kernel. */
  readonly kernel?: string;
  readonly limits?: Partial<KernelLimits>;
  readonly log?: Log;
}

export interface KernelLimits extends OutputLimits {
  readonly startMs: number;
  /** One call. */
  readonly callMs: number;
  /** From an interrupt to the end of a kernel that takes no notice of it. */
  readonly stubbornMs: number;
}

export const DEFAULT_KERNEL_LIMITS: KernelLimits = {
  startMs: 60_000,
  callMs: 600_000,
  stubbornMs: 10_000,
  textCharacters: 1024 * 1024,
  images: 8,
  imageCharacters: 5 * 1024 * 1024,
};

const HOW_TO_INSTALL = 'pip install ipykernel (or apt install python3-ipykernel)';
const GONE = 'What earlier calls defined and imported is gone.';

/** Runs Python in one real Jupyter kernel, which starts with the first call. Calls run one after the other. */
export class KernelRunner implements CodeRunner {
  readonly #options: KernelOptions;
  readonly #limits: KernelLimits;
  /** Also those that are only tried. */
  readonly #bridges = new Set<Bridge>();
  readonly #restarted = new WeakSet<Bridge>();
  #bridge: Bridge | undefined;
  #turns: Promise<unknown> = Promise.resolve();
  /** Why the state of earlier calls is gone, until the agent has been told. */
  #lost: string | undefined;
  #disposed = false;

  constructor(options: KernelOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_KERNEL_LIMITS, ...options.limits };
  }

  execute(code: string, signal: AbortSignal): Promise<readonly CodeOutput[]> {
    const turn = this.#turns.then(() => this.#execute(code, signal));
    this.#turns = turn.catch(() => {});
    return turn;
  }

  /** Ends the kernel at once, also in the middle of a call; the next call starts a new one. */
  async restart(): Promise<void> {
    if (!this.#bridge) return;
    this.#restarted.add(this.#bridge);
    await this.#bridge.end();
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await Promise.all([...this.#bridges].map((bridge) => bridge.end()));
  }

  async #execute(code: string, signal: AbortSignal): Promise<readonly CodeOutput[]> {
    if (this.#disposed) throw new Error('the editor was closed');
    if (signal.aborted) throw new Error('the call was taken back before its turn came');
    const bridge = this.#bridge ?? (await this.#start());
    if (signal.aborted) throw new Error('the call was taken back before the kernel was ready');
    const outputs = new Outputs(this.#limits);
    const lost = this.#lost;
    if (lost !== undefined) outputs.note(`[${lost} ${GONE}]`);
    this.#lost = undefined;
    const watch = new Watch(bridge, signal, this.#limits);
    try {
      await bridge.run(code, (event) => outputs.take(event));
      if (watch.reason === 'time')
        outputs.error(`Interrupted: it took longer than ${seconds(this.#limits.callMs)}. The kernel keeps its state.`);
    } catch (error) {
      if (!(error instanceof KernelDied)) throw error;
      watch.end();
      await bridge.end();
      if (!error.begun) return await this.#execute(code, signal);
      outputs.error(`${this.#whyItEnded(bridge, watch)} ${GONE} The next call starts a new kernel.`);
    } finally {
      watch.end();
    }
    if (signal.aborted) this.#lost ??= lost; // nobody will read this answer
    return outputs.finish();
  }

  #whyItEnded(bridge: Bridge, watch: Watch): string {
    if (this.#disposed) return 'The editor was closed.';
    if (this.#restarted.has(bridge)) return 'The kernel was restarted while it ran this code.';
    if (!watch.stubborn) return 'The kernel ended while it ran this code.';
    const limit = watch.reason === 'time' ? ` after ${seconds(this.#limits.callMs)}` : '';
    return `The code was interrupted${limit} and did not stop, so the kernel was ended.`;
  }

  /** The first interpreter that has a kernel of its own, or else finds one among the installed kernel specs. */
  async #start(): Promise<Bridge> {
    const { env = process.env, python, kernel } = this.#options;
    const folders = this.#options.folders();
    const candidates = python === undefined ? interpreters(folders, env) : [{ path: python }];
    const failures = new Map<Interpreter, Failure>();
    for (const own of kernel === undefined ? [true, false] : [false]) {
      for (const candidate of candidates) {
        const before = failures.get(candidate);
        if (before && before.reason !== 'no-kernel') continue;
        const bridge = this.#open(candidate, env);
        const failure = await bridge.start({ ...this.#limits, own, kernel, cwd: folders[0] ?? homedir() });
        if (this.#disposed) {
          await bridge.end();
          throw new Error('the editor was closed');
        }
        if (!failure) {
          this.#options.log?.('info', `a Jupyter kernel runs with ${candidate.path}`);
          this.#bridge = bridge;
          return bridge;
        }
        // Its kernel is there but does not work: another one would be a surprise.
        if (failure.reason === 'start')
          throw new Error(`the Jupyter kernel of ${candidate.path} did not start: ${failure.message}`);
        failures.set(candidate, failure);
      }
    }
    throw new Error(nothingFound(failures, kernel));
  }

  #open(interpreter: Interpreter, env: NodeJS.ProcessEnv): Bridge {
    if (this.#disposed) throw new Error('the editor was closed');
    const bridge = new Bridge(interpreter, env, this.#options.tmp ?? tmpdir());
    this.#bridges.add(bridge);
    void bridge.ended.then(() => {
      this.#bridges.delete(bridge);
      if (this.#bridge !== bridge) return;
      this.#bridge = undefined;
      this.#lost = this.#restarted.has(bridge)
        ? 'The kernel was restarted.'
        : 'The last kernel ended; this is a new one.';
    });
    return bridge;
  }
}

/** Interrupts a call that is taken back or takes too long, and ends a kernel that takes no notice. */
class Watch {
  reason: 'taken back' | 'time' | undefined;
  stubborn = false;
  readonly #bridge: Bridge;
  readonly #signal: AbortSignal;
  readonly #stubbornMs: number;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #takenBack = () => this.#interrupt('taken back');

  constructor(bridge: Bridge, signal: AbortSignal, limits: KernelLimits) {
    this.#bridge = bridge;
    this.#signal = signal;
    this.#stubbornMs = limits.stubbornMs;
    signal.addEventListener('abort', this.#takenBack, { once: true });
    this.#timers.push(setTimeout(() => this.#interrupt('time'), limits.callMs));
  }

  end(): void {
    this.#signal.removeEventListener('abort', this.#takenBack);
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #interrupt(reason: 'taken back' | 'time'): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    this.#bridge.interrupt();
    this.#timers.push(
      setTimeout(() => this.#bridge.interrupt(), this.#stubbornMs / 2), // the first one may have hit a __del__
      setTimeout(() => {
        this.stubborn = true;
        this.#bridge.kill();
      }, this.#stubbornMs),
    );
  }
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}

function nothingFound(failures: ReadonlyMap<Interpreter, Failure>, kernel: string | undefined): string {
  if (failures.size === 0)
    return `no Python was found to run the code; install Python 3 and a Jupyter kernel: ${HOW_TO_INSTALL}`;
  const tried = [...failures].map(([{ path }, { message }]) => `${path}: ${message}`).join('; ');
  const what = kernel === undefined ? 'no Jupyter kernel for Python' : `no Jupyter kernel ${JSON.stringify(kernel)}`;
  return `${what} was found; install one with: ${HOW_TO_INSTALL}. Tried ${tried}`;
}
