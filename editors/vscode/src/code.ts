import { type CodeOutput, KernelOnDemand, type Log } from '@tandem/core';
import * as vscode from 'vscode';
import type { Settings } from './settings.ts';

/** Runs the agent's Python: in the kernel of an open notebook where there is one, else in a kernel of our own. */
export class Code {
  readonly #settings: Settings;
  readonly #log: Log;
  #own: { readonly python: string | undefined; readonly kernel: KernelOnDemand } | undefined;

  constructor(settings: Settings, log: Log) {
    this.#settings = settings;
    this.#log = log;
  }

  async execute(code: string, signal: AbortSignal): Promise<readonly CodeOutput[]> {
    if (!vscode.workspace.isTrusted) throw new Error('the workspace is not trusted, so no code is run in it');
    if (vscode.extensions.getExtension('ms-toolsai.jupyter')) {
      const { notebookKernel } = await import('./jupyter.ts');
      const run = await notebookKernel(this.#log);
      if (run) return run(code, signal);
    }
    return (await this.#ownKernel()).execute(code, signal);
  }

  async stop(): Promise<void> {
    await this.#own?.kernel.dispose();
    this.#own = undefined;
  }

  async #ownKernel(): Promise<KernelOnDemand> {
    const { python } = this.#settings;
    if (this.#own && this.#own.python !== python) await this.stop();
    this.#own ??= { python, kernel: this.#newKernel(python) };
    return this.#own.kernel;
  }

  #newKernel(python: string | undefined): KernelOnDemand {
    const folders = () => (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
    return new KernelOnDemand({ folders, log: this.#log, ...(python ? { python } : {}) });
  }
}
