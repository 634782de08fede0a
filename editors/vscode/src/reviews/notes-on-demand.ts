import { type Review, Signal } from '@tandem/core';
import type * as vscode from 'vscode';
import type { Notes, NotesHost } from './notes.ts';

/** What the user said about lines of a review that is over, as a prompt for its agent. */
export interface NotesLeft {
  readonly review: Review;
  readonly prompt: string;
}

/** Nothing of notes is read or made before the first review has opened. */
export class NotesOnDemand {
  readonly left = new Signal<NotesLeft>();
  readonly #host: NotesHost;
  #notes: Notes | undefined;

  constructor(host: NotesHost) {
    this.#host = host;
  }

  async ready(): Promise<Notes> {
    const { Notes } = await import('./notes.ts');
    this.#notes ??= new Notes(this.#host);
    return this.#notes;
  }

  ended(review: Review, uri: vscode.Uri): void {
    const prompt = this.#notes?.take(review, uri);
    if (prompt !== undefined) this.left.emit({ review, prompt });
  }

  stop(): void {
    this.#notes?.dispose();
    this.#notes = undefined;
  }
}
