import * as vscode from 'vscode';

/** After this long without a key or a click in an editor, the user is taken to be somewhere else. */
const QUIET_MS = 10_000;
/** A key that was pressed is heard of this much later. */
const UNDERWAY_MS = 250;

/** Whether the user works in an editor right now. VS Code does not say where the focus is, so what the user does tells. */
export class Attention {
  #last = 0;

  get inEditor(): boolean {
    return Date.now() - this.#last < QUIET_MS;
  }

  /** Resolves when what the user did before is known. */
  async settled(): Promise<void> {
    if (!this.inEditor) await new Promise((resolve) => setTimeout(resolve, UNDERWAY_MS));
  }

  follow(): vscode.Disposable {
    return vscode.window.onDidChangeTextEditorSelection(({ kind, textEditor }) => {
      const byHand =
        kind === vscode.TextEditorSelectionChangeKind.Keyboard || kind === vscode.TextEditorSelectionChangeKind.Mouse;
      if (byHand && textEditor === vscode.window.activeTextEditor) this.#last = Date.now();
    });
  }
}
