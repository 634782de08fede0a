import type { Diagnostic, EditorHost, Severity } from '@tandem/core';
import * as vscode from 'vscode';

const SEVERITY: readonly Severity[] = ['error', 'warning', 'info', 'hint'];

/** Passed on as they come, so that agents are answered from what the core has. */
export class Diagnostics {
  #listener: vscode.Disposable | undefined;

  start(host: EditorHost): void {
    const report = (uri: vscode.Uri, found: readonly vscode.Diagnostic[]) => {
      if (uri.scheme !== 'file') return;
      host.apply({ type: 'diagnostics', path: uri.fsPath, diagnostics: found.map(translate) });
    };
    for (const [uri, found] of vscode.languages.getDiagnostics()) report(uri, found);
    this.#listener = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      for (const uri of uris) report(uri, vscode.languages.getDiagnostics(uri));
    });
  }

  stop(): void {
    this.#listener?.dispose();
  }
}

function translate({ range, severity, message, source, code }: vscode.Diagnostic): Diagnostic {
  const id = typeof code === 'object' ? code.value : code;
  return {
    range: {
      start: { line: range.start.line, character: range.start.character },
      end: { line: range.end.line, character: range.end.character },
    },
    severity: SEVERITY[severity] ?? 'info',
    message,
    ...(source === undefined ? {} : { source }),
    ...(id === undefined ? {} : { code: String(id) }),
  };
}
