/** A file that is open in the editor. Positions count from 1, as Gemini's and Qwen's wire has them. */
export interface OpenFile {
  readonly path: string;
  readonly timestamp: number;
  readonly isActive?: boolean;
  readonly selectedText?: string;
  readonly cursor?: Position;
  /** Only Claude's dialect tells it. */
  readonly selection?: { readonly start: Position; readonly end: Position };
}

export interface Position {
  readonly line: number;
  readonly character: number;
}

/** What the person looks at. */
export interface EditorContext {
  /** Newest first; only the first can be active. */
  readonly files: readonly OpenFile[];
  /** Only told by editors with a notion of trust of their own. */
  readonly trusted?: boolean;
}

export const MAX_FILES = 10;
export const MAX_SELECTION = 16_384;
const CUT = '... [TRUNCATED]';

/**
 * As the agents read it: newest first; only the newest can be active, and if it is not, none is; cursor and selection
 * of all others go; a long selection and a long list are cut.
 */
export function normaliseOpenFiles(files: readonly OpenFile[]): readonly OpenFile[] {
  const sorted = [...files].sort((a, b) => b.timestamp - a.timestamp).slice(0, MAX_FILES);
  return sorted.map((file, i) =>
    i === 0 && file.isActive ? cut(file) : { path: file.path, timestamp: file.timestamp, isActive: false },
  );
}

function cut(file: OpenFile): OpenFile {
  const { selectedText } = file;
  if (selectedText === undefined || selectedText.length <= MAX_SELECTION) return file;
  return { ...file, selectedText: selectedText.slice(0, MAX_SELECTION) + CUT };
}
