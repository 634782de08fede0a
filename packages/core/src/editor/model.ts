/** What an editor tells us about, in neutral words. Positions are 0-based; characters count UTF-16 units. */

export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface Selection extends Range {
  readonly text: string;
  /** True when the caret stands at `start`. */
  readonly reversed?: boolean;
}

export interface Document {
  readonly path: string;
  readonly language: string;
  readonly dirty: boolean;
  readonly version: number;
  /** Milliseconds since the epoch; 0 if it never had the focus. */
  readonly lastFocus: number;
}

export type Severity = 'error' | 'warning' | 'info' | 'hint';

export interface Diagnostic {
  readonly range: Range;
  readonly severity: Severity;
  readonly message: string;
  readonly source?: string;
  readonly code?: string;
}

/** Everything an adapter can report; `Workspace.apply` is the only consumer. */
export type EditorEvent =
  | { readonly type: 'folders'; readonly folders: readonly string[] }
  | {
      readonly type: 'opened';
      readonly path: string;
      readonly language: string;
      readonly dirty?: boolean;
      readonly version?: number;
    }
  | { readonly type: 'changed'; readonly path: string; readonly dirty: boolean; readonly version: number }
  | { readonly type: 'closed'; readonly path: string }
  /** The document with the caret; `undefined` when none has it. A focused terminal is no change. */
  | { readonly type: 'focused'; readonly path: string | undefined }
  /** All carets of one document, the primary one first. */
  | { readonly type: 'selected'; readonly path: string; readonly selections: readonly Selection[] }
  | { readonly type: 'diagnostics'; readonly path: string; readonly diagnostics: readonly Diagnostic[] }
  /** Sent only by editors that have a notion of trust of their own. */
  | { readonly type: 'trust'; readonly trusted: boolean }
  | { readonly type: 'window-focused' };

export function caretOf(selection: Selection): Position {
  return selection.reversed ? selection.start : selection.end;
}

export function isEmpty(range: Range): boolean {
  return range.start.line === range.end.line && range.start.character === range.end.character;
}
