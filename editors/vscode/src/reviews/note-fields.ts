import * as vscode from 'vscode';

/** VS Code's documents behind the fields of comments. */
const FIELD_SCHEME = 'comment';

/** What is typed into a field and not kept yet. */
export interface Unfinished {
  readonly text: string;
  /** For a new note; else a note is being changed. */
  readonly fresh: boolean;
}

/**
 * The fields that notes are written in. VS Code hands a note over when it is kept; what is typed until then is to be
 * seen in a document, which says nothing of its review: that is the one in front while somebody types.
 */
export class NoteFields {
  readonly #inFront: () => vscode.Uri | undefined;
  readonly #reviews = new Map<vscode.TextDocument, string>();

  constructor(inFront: () => vscode.Uri | undefined) {
    this.#inFront = inFront;
  }

  follow(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const review = document.uri.scheme === FIELD_SCHEME ? this.#inFront() : undefined;
        if (review) this.#reviews.set(document, review.toString());
      }),
      vscode.workspace.onDidCloseTextDocument((document) => this.#reviews.delete(document)),
    );
  }

  of(review: vscode.Uri): readonly Unfinished[] {
    const documents = [...this.#reviews].filter(([, uri]) => uri === review.toString()).map(([document]) => document);
    return documents
      .map((document) => ({ text: document.getText(), fresh: isFresh(document.uri) }))
      .filter(({ text }) => text.trim() !== '');
  }
}

/** A field for a new note has its extension's name in its address, one for a change has none. */
function isFresh({ path }: vscode.Uri): boolean {
  return path.lastIndexOf('/') > 0;
}
