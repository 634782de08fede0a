import type { CodeOutput, CodeRunner } from '../editor/port.ts';
import type { KernelOptions, KernelRunner } from './runner.ts';

/** A kernel that costs nothing before the first call: no process, and its code is not even loaded. */
export class KernelOnDemand implements CodeRunner {
  readonly #options: KernelOptions;
  #runner: Promise<KernelRunner> | undefined;
  #disposed = false;

  constructor(options: KernelOptions) {
    this.#options = options;
  }

  async execute(code: string, signal: AbortSignal): Promise<readonly CodeOutput[]> {
    if (this.#disposed) throw new Error('the editor was closed');
    this.#runner ??= import('./runner.ts').then(({ KernelRunner }) => new KernelRunner(this.#options));
    return (await this.#runner).execute(code, signal);
  }

  async restart(): Promise<void> {
    await (await this.#runner)?.restart();
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await (await this.#runner)?.dispose();
  }
}
