import type { Extension } from '@codemirror/state';
import type { LineNote } from './notes-prompt.ts';
import type { Mode } from './state.ts';

export interface ReviewPosition {
  /** The change that the caret is in, from 1; 0 between changes. */
  readonly current: number;
  readonly total: number;
  /** How many the person has kept. */
  readonly done: number;
  /** The comparison is on its way; the numbers are not final. */
  readonly pending: boolean;
}

export interface ReviewViewOptions {
  readonly parent: HTMLElement;
  readonly before: string;
  readonly proposed: string;
  /** The proposal with the person's edits so far. */
  readonly text: string;
  readonly language?: Extension;
  /** More for the right side, such as search. */
  readonly extensions?: Extension;
  readonly mode: Mode;
  readonly readOnly?: boolean;
  /** For the style elements of the editor, where the page's policy asks for one. */
  readonly nonce?: string;
  /** Makes the worker of `diff-worker.ts`; without it the page's own thread compares. */
  readonly createWorker?: () => Worker;
  readonly labels?: { readonly before: string; readonly proposed: string };
  onAmend(text: string): void;
  onPosition(position: ReviewPosition): void;
  onNotes?(notes: readonly LineNote[]): void;
  /** The mode that is shown, which is inline where there is no room for two panes. */
  onMode?(shown: Mode): void;
}
