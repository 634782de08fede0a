// Runs the editor contract inside VS Code's extension host, with the extension's adapter and manifest. The user sits at
// the page: what the contract asks of them goes to the test's process, which has the browser.
import { request } from 'node:http';
import * as vscode from 'vscode';
import { VsCodeEditor } from '../../../editors/vscode/src/adapter.ts';
import { EDITOR_CONTRACT, type EditorUser } from '../../../packages/core/src/editor/contract.ts';
import type { Review } from '../../../packages/core/src/index.ts';

/** What the user at the page needs to know of a review. */
export interface SeenReview {
  readonly id: string;
  readonly path: string;
}

export function activate(context: vscode.ExtensionContext): void {
  const channel = vscode.window.createOutputChannel('Contract', { log: true });
  const run = async (name: string): Promise<void> => {
    const contract = EDITOR_CONTRACT.find((each) => each.name === name);
    if (contract === undefined) throw new Error(`there is no case "${name}"`);
    const editor = new VsCodeEditor({ log: (level, message) => channel[level](message) });
    const commands = buttons(editor);
    const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    try {
      await contract.run({ editor, user, workspace });
    } finally {
      commands.dispose();
    }
  };
  context.subscriptions.push(channel, vscode.commands.registerCommand('tandem.runContract', run));
}

export function deactivate(): void {}

/** The title buttons give the address of the right side. */
function buttons({ reviews }: VsCodeEditor): vscode.Disposable {
  const register = (command: string, decide: (id: string) => void) =>
    vscode.commands.registerCommand(command, (uri: vscode.Uri) => decide(reviews.idFor(uri) ?? ''));
  return vscode.Disposable.from(
    register('tandem.acceptReview', (id) => reviews.accept(id)),
    register('tandem.rejectReview', (id) => reviews.reject(id)),
  );
}

const seen = ({ id, path }: Review): SeenReview => ({ id, path });

const user: EditorUser = {
  open: (path) => ask('open', path),
  focus: (path) => ask('focus', path),
  select: (path, range) => ask('select', path, range),
  type: (path, text) => ask('type', path, text),
  close: (path) => ask('close', path),
  addFolder: (path) => ask('addFolder', path),
  sees: (review) => ask('sees', seen(review)),
  amend: (review, text) => ask('amend', seen(review), text),
  accept: (review) => ask('accept', seen(review)),
  reject: (review) => ask('reject', seen(review)),
};

function ask<T>(what: string, ...args: unknown[]): Promise<T> {
  return new Promise((resolve, reject) => {
    const sent = request(process.env.CONTRACT_USER ?? '', { method: 'POST' }, async (response) => {
      let body = '';
      for await (const chunk of response) body += chunk;
      const { value, error } = JSON.parse(body) as { value: T; error?: string };
      if (error === undefined) resolve(value);
      else reject(new Error(`the user could not ${what}: ${error}`));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ what, args }));
  });
}
