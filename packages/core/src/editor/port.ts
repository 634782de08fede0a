import type { Outcome } from './desk.ts';
import type { EditorEvent, Range } from './model.ts';
import type { Decision, Review } from './review.ts';

/**
 * The port that an adapter implements. An adapter translates and decides nothing: it reports what happens in the
 * editor, shows what it is asked to show, and passes on what the user says. `contract.ts` is its test.
 */
export interface Editor {
  readonly info: EditorInfo;
  readonly can: Abilities;

  /** Reports the present state through `host.apply`, then every change, until `stop`. */
  start(host: EditorHost): void | Promise<void>;
  stop(): void | Promise<void>;

  /** The text of an open document that differs from the disk; `undefined` when it does not. */
  unsavedText(path: string): string | undefined | Promise<string | undefined>;

  /** Shows a document. Rejects when it cannot be opened. */
  openFile(request: OpenFileRequest): Promise<OpenedFile>;
  /** Saves an open document; `false` when it is not open. */
  save(path: string): Promise<boolean>;
  /** Makes this the text of a file and saves it, because the user decided so. Without it the file is written directly. */
  write?(path: string, text: string): Promise<void>;

  /** Runs Python and answers with what it put out, its own errors included. Asked only if `can.executeCode`. */
  executeCode?(code: string, signal: AbortSignal): Promise<readonly CodeOutput[]>;

  /** Shows a review without taking the focus. Asked only if `can.review`. */
  showReview(review: Review): void;
  /** The proposed text was changed, here or elsewhere; what is shown follows. */
  updateReview(review: Review): void;
  /** The review is over; whatever shows it closes. Also called for decisions that came from this editor. */
  closeReview(review: Review): void;

  /** Something the user should know. */
  tell(notice: Notice): void;
}

export interface EditorInfo {
  /** Short and lower case: `neovim`. */
  readonly name: string;
  /** As people write it: `Neovim`. */
  readonly displayName: string;
  /** The editor's own process, an ancestor of the terminals it opens. */
  readonly pid: number;
  /** What tells this window from others with the same folder, also after a reload, where the editor has such a thing. */
  readonly window?: string;
}

/** What an adapter can do; tools that need more are not announced to agents. */
export interface Abilities {
  readonly review: boolean;
  readonly diagnostics: boolean;
  readonly openFile: boolean;
  readonly save: boolean;
  readonly executeCode: boolean;
}

export type CodeOutput =
  | { readonly type: 'text'; readonly text: string }
  /** `data` is base64. */
  | { readonly type: 'image'; readonly mimeType: string; readonly data: string }
  /** What the code raised, with its traceback; or why it was not run to its end. */
  | { readonly type: 'error'; readonly text: string };

/** What an adapter can give `executeCode` to. */
export interface CodeRunner {
  /** Rejects when the code could not be run at all; the message says what the user can do. */
  execute(code: string, signal: AbortSignal): Promise<readonly CodeOutput[]>;
  dispose(): Promise<void>;
}

/** What the companion offers to the adapter. */
export interface EditorHost {
  apply(event: EditorEvent): void;
  /** The user changed the proposed text. */
  amend(reviewId: string, text: string): Outcome;
  decide(reviewId: string, decision: Exclude<Decision, { kind: 'withdraw' }>): Outcome;
}

export interface OpenFileRequest {
  readonly path: string;
  readonly selection?: Range;
  /** Opens it in a tab that the next preview may take over. */
  readonly preview: boolean;
  /** Makes it the active document. */
  readonly focus: boolean;
}

export interface OpenedFile {
  readonly path: string;
  readonly language: string;
  readonly lineCount: number;
}

export interface Notice {
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly review?: Review;
}
