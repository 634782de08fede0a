import type { CodeOutput, Log } from '@tandem/core';
import * as vscode from 'vscode';
import { type JupyterOutput, translateOutputs } from './jupyter-outputs.ts';

/** The part of the Jupyter extension's public API that is used here. */
interface Jupyter {
  readonly kernels: { getKernel(notebook: vscode.Uri): Thenable<Kernel | undefined> };
}

interface Kernel {
  readonly language: string;
  executeCode(code: string, token: vscode.CancellationToken): AsyncIterable<JupyterOutput>;
}

type Run = (code: string, signal: AbortSignal) => Promise<readonly CodeOutput[]>;

/** The kernel of the notebook in front, else of any that is open. The Jupyter extension asks the user for leave. */
export async function notebookKernel(log: Log): Promise<Run | undefined> {
  const extension = vscode.extensions.getExtension<Jupyter>('ms-toolsai.jupyter');
  const { activeNotebookEditor } = vscode.window;
  const notebooks = new Set([activeNotebookEditor?.notebook, ...vscode.workspace.notebookDocuments]);
  try {
    const api = await extension?.activate();
    for (const notebook of notebooks) {
      const kernel = notebook && (await api?.kernels.getKernel(notebook.uri));
      if (kernel?.language === 'python') return (code, signal) => run(kernel, code, signal);
    }
  } catch (error) {
    log('info', `the notebook's kernel is not used: ${(error as Error).message}`);
  }
  return undefined;
}

async function run(kernel: Kernel, code: string, signal: AbortSignal): Promise<readonly CodeOutput[]> {
  const cancel = new vscode.CancellationTokenSource();
  const abort = () => cancel.cancel();
  signal.addEventListener('abort', abort, { once: true });
  try {
    const outputs: JupyterOutput[] = [];
    for await (const output of kernel.executeCode(code, cancel.token)) outputs.push(output);
    return translateOutputs(outputs);
  } finally {
    signal.removeEventListener('abort', abort);
    cancel.dispose();
  }
}
