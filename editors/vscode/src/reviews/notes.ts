// Read when the first review has opened. What it needs of the rest is handed to it: a module that both had would be
// split off, and VS Code would read one file more at the start.
import type { Review } from '@tandem/core';
import { type GeneralNote, type LineNote, notesPrompt } from '@tandem/ui/notes-prompt';
import * as vscode from 'vscode';
import { movedLine } from './moved-lines.ts';
import { Note } from './note.ts';
import { NoteFields, type Unfinished } from './note-fields.ts';

const CONTROLLER = 'tandem.notes';

export interface NotesHost {
  /** Knows the right sides of reviews that wait. */
  idOf(uri: vscode.Uri): string | undefined;
  /** The right side that is in front. */
  inFront(): vscode.Uri | undefined;
}

/** The notes on lines of reviews, as comments of VS Code on their right sides. They are in memory only. */
export class Notes {
  readonly #host: NotesHost;
  readonly #notes = new Set<Note>();
  readonly #fields: NoteFields;
  readonly #listeners: vscode.Disposable;

  constructor(host: NotesHost) {
    this.#host = host;
    this.#fields = new NoteFields(() => host.inFront());
    const { t } = vscode.l10n;
    const controller = vscode.comments.createCommentController(CONTROLLER, t('Notes for Agents'));
    controller.options = { prompt: t('Add Note'), placeHolder: t('What should the agent do differently here?') };
    controller.commentingRangeProvider = {
      provideCommentingRanges: (document) =>
        host.idOf(document.uri) === undefined ? [] : [new vscode.Range(0, 0, document.lineCount - 1, 0)],
    };
    this.#listeners = vscode.Disposable.from(
      controller,
      this.#fields.follow(),
      vscode.workspace.onDidChangeTextDocument((event) => this.#follow(event)),
    );
  }

  /** Opens a field for a note on the line of a right side that has the caret, or the note that is there. */
  async begin(uri: vscode.Uri, show: () => Promise<void>): Promise<void> {
    const inFront = () => vscode.window.activeTextEditor?.document.uri.toString() === uri.toString();
    if (!inFront()) await show();
    // The caret may be on the left.
    if (!inFront()) await vscode.commands.executeCommand('workbench.action.compareEditor.focusPrimarySide');
    const line = vscode.window.activeTextEditor?.selection.active.line;
    const there = this.#on(uri).find(({ thread: { range } }) => range?.end.line === line);
    if (there) there.edit();
    else await vscode.commands.executeCommand('workbench.action.addComment');
  }

  async keep({ thread, text }: vscode.CommentReply): Promise<void> {
    if (text.trim() === '' || this.#host.idOf(thread.uri) === undefined) thread.dispose();
    else this.#notes.add(new Note(thread, text));
    await backToText();
  }

  edit(note: Note): void {
    note.edit();
  }

  async save(note: Note): Promise<void> {
    if (note.body.trim() === '') return this.remove(note);
    note.save();
    await backToText();
  }

  async cancel(note: Note): Promise<void> {
    note.cancel();
    await backToText();
  }

  async remove(note: Note): Promise<void> {
    this.#drop(note);
    await backToText();
  }

  /** The review is over and its notes go. What they say, as a prompt; undefined where there is none. */
  take(review: Review, uri: vscode.Uri): string | undefined {
    const notes = this.#on(uri);
    const said = withUnfinished(notes, this.#fields.of(uri));
    for (const note of notes) this.#drop(note);
    if (said.length === 0) return undefined;
    const { path, state, text: proposed } = review;
    const how = state === 'accepted' || state === 'rejected' ? state : 'ended';
    return notesPrompt({ path, how, before: '', proposed }, said);
  }

  dispose(): void {
    this.#listeners.dispose();
  }

  #on(uri: vscode.Uri): readonly Note[] {
    return [...this.#notes].filter(({ thread }) => thread.uri.toString() === uri.toString());
  }

  #drop(note: Note): void {
    this.#notes.delete(note);
    note.thread.dispose();
  }

  /** VS Code moves only what it shows. */
  #follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (this.#notes.size === 0) return;
    for (const { thread } of this.#on(document.uri)) {
      const { range } = thread;
      if (!range) continue;
      const [start, end] = [range.start.line, range.end.line].map((line) => movedLine(line, contentChanges));
      if (start === undefined || end === undefined || (start === range.start.line && end === range.end.line)) continue;
      thread.range = new vscode.Range(start, 0, end, 0);
    }
  }
}

/** Whoever decides with a field open means what is in it, too. */
function withUnfinished(
  notes: readonly Note[],
  unfinished: readonly Unfinished[],
): readonly (LineNote | GeneralNote)[] {
  const changed = unfinished.filter(({ fresh }) => !fresh);
  const editing = notes.filter(({ mode }) => mode === vscode.CommentMode.Editing);
  // Which field is which note's is not to be seen.
  const only = changed.length === 1 && editing.length === 1 ? changed[0]?.text : undefined;
  const lines = notes.map((note) => lineNote(note, note === editing[0] ? (only ?? note.text) : note.text));
  return [...lines.sort((one, two) => one.line - two.line), ...unfinished.filter(({ fresh }) => fresh)];
}

function lineNote({ thread: { range } }: Note, text: string): LineNote {
  const [line, until] = [(range?.start.line ?? 0) + 1, (range?.end.line ?? 0) + 1];
  return { line, text, side: 'proposed', ...(until > line ? { until } : {}) };
}

/** Where the keys decide. */
async function backToText(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
}
