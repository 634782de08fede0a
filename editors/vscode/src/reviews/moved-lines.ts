/** A change of a text as VS Code tells it. */
export interface TextChange {
  readonly range: {
    readonly start: { readonly line: number };
    readonly end: { readonly line: number; readonly character: number };
  };
  readonly text: string;
}

/** Where a line is after changes that follow one another: what is inserted before its first letter pushes it down. */
export function movedLine(line: number, changes: readonly TextChange[]): number {
  return changes.reduce((at, { range: { start, end }, text }) => {
    const added = text.split('\n').length - 1;
    const before = end.line < at || (end.line === at && end.character === 0);
    if (before) return at + added - (end.line - start.line);
    // Its beginning is gone: it is where the change ends.
    return start.line < at ? start.line + added : at;
  }, line);
}
