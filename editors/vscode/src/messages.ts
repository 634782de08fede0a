import * as vscode from 'vscode';

/** Messages may quote what an agent or a file name says, and VS Code would make links of `[text](command:…)`. */
export function plain(text: string): string {
  return text.replaceAll('](', '] (');
}

export function inform(message: string, ...actions: string[]): Thenable<string | undefined> {
  return vscode.window.showInformationMessage(plain(message), ...actions);
}

export function warn(message: string, ...actions: string[]): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(plain(message), ...actions);
}

export function complain(message: string): Thenable<string | undefined> {
  return vscode.window.showErrorMessage(plain(message));
}
