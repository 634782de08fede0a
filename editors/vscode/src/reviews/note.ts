import * as vscode from 'vscode';

/** What the user says about some lines of a proposal: a thread with one comment. */
export class Note implements vscode.Comment {
  readonly thread: vscode.CommentThread;
  readonly author = { name: vscode.l10n.t('You') };
  mode = vscode.CommentMode.Preview;
  /** A string is shown as it is, markup and all. VS Code puts what is typed in here when it is saved. */
  body: string;
  #kept: string;

  constructor(thread: vscode.CommentThread, text: string) {
    this.thread = thread;
    this.body = text;
    this.#kept = text;
    thread.canReply = false;
    thread.label = vscode.l10n.t('Note for the agent');
    thread.comments = [this];
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
  }

  get text(): string {
    return this.#kept;
  }

  edit(): void {
    this.thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    this.#turn(vscode.CommentMode.Editing);
  }

  save(): void {
    this.#kept = this.body;
    this.#turn(vscode.CommentMode.Preview);
  }

  cancel(): void {
    this.body = this.#kept;
    this.#turn(vscode.CommentMode.Preview);
  }

  #turn(mode: vscode.CommentMode): void {
    this.mode = mode;
    this.thread.comments = [this]; // VS Code looks only at another list
  }
}
