// A companion extension as the official ones are built: one bundle that starts the express server when it is activated.
import { homedir, tmpdir } from 'node:os';
import * as vscode from 'vscode';
import type { Subject } from '../subject.ts';
import { launch } from './server.ts';

let server: Subject | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  server = await launch({ home: homedir(), tmp: tmpdir(), workspace, core: '' });
  context.environmentVariableCollection.replace('GEMINI_CLI_IDE_SERVER_PORT', String(server.port));
  context.environmentVariableCollection.replace('GEMINI_CLI_IDE_WORKSPACE_PATH', workspace);
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
