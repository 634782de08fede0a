import { type Before, newToken, type Review } from '@tandem/core';
import * as vscode from 'vscode';
import { LeftSides } from './left-sides.ts';
import { ReviewFiles } from './review-files.ts';
import { sameText, smallestChange } from './review-text.ts';
import { BEFORE_SCHEME, REVIEW_SCHEME, reviewIdIn, reviewQuery } from './review-uri.ts';

const NOTHING: Before = { text: '', exists: false, unsaved: false, lineEnding: 'lf' };

/** The two sides of each review as documents of VS Code. */
export class ReviewDocuments {
  readonly #files: ReviewFiles;
  readonly #left = new LeftSides();
  /** Another one at every start: VS Code remembers documents by their address, and ids begin anew. */
  #session = '';

  /** `saved` hears of what VS Code writes. */
  constructor(saved: (id: string, text: string) => void) {
    this.#files = new ReviewFiles((uri, text) => {
      const id = this.idOf(uri);
      if (id !== undefined) saved(id, text);
    });
  }

  start(): vscode.Disposable {
    this.#session = newToken().slice(0, 12);
    return vscode.Disposable.from(
      vscode.workspace.registerFileSystemProvider(REVIEW_SCHEME, this.#files, { isCaseSensitive: true }),
      vscode.workspace.registerTextDocumentContentProvider(BEFORE_SCHEME, this.#left),
    );
  }

  /** Undefined for what another session left. */
  idOf(uri: vscode.Uri): string | undefined {
    return uri.scheme === REVIEW_SCHEME ? reviewIdIn(uri.query, this.#session) : undefined;
  }

  add(review: Review): void {
    this.#files.put(this.right(review), review.text);
  }

  remove(review: Review): void {
    this.#files.remove(this.right(review));
    this.#left.forget(this.#query(review));
  }

  right(review: Review): vscode.Uri {
    return vscode.Uri.file(review.path).with({ scheme: REVIEW_SCHEME, query: this.#query(review) });
  }

  async left(review: Review): Promise<{ uri: vscode.Uri; unsaved: boolean }> {
    const before = await review.before.catch(() => NOTHING);
    return { uri: this.#left.uriFor(review, before, this.#query(review)), unsaved: before.unsaved };
  }

  /** The right side follows a text that was changed elsewhere. */
  async follow(review: Review): Promise<void> {
    const uri = this.right(review);
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    const shown = document?.getText();
    if (shown !== undefined && sameText(review.text, shown)) return;
    // One with unsaved text does not follow its file.
    if (document?.isDirty) await replace(document, review.text);
    else this.#files.put(uri, review.text);
  }

  #query(review: Review): string {
    return reviewQuery(review.id, this.#session);
  }
}

async function replace(document: vscode.TextDocument, text: string): Promise<void> {
  const { from, to, insert } = smallestChange(document.getText(), text);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(from), document.positionAt(to)), insert);
  await vscode.workspace.applyEdit(edit);
}
