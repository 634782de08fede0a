import { basename } from 'node:path';
import type { Before, Review } from '@tandem/core';
import * as vscode from 'vscode';
import { BEFORE_SCHEME } from './review-uri.ts';

/** What stands on the left: the file itself where it can, since VS Code shows its unsaved text and follows it. */
export class LeftSides implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();

  uriFor(review: Review, before: Before, query: string): vscode.Uri {
    const file = vscode.Uri.file(review.path);
    if (before.exists && before.note === undefined) return file;
    this.#texts.set(query, before.note === undefined ? '' : noteText(review.path, before.note));
    return file.with({ scheme: BEFORE_SCHEME, query });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.query) ?? '';
  }

  forget(query: string): void {
    this.#texts.delete(query);
  }
}

function noteText(path: string, note: string): string {
  return vscode.l10n.t('{0} is not shown: {1}', basename(path), note);
}
