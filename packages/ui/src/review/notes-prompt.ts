/** A note of the user on lines of a change. */
export interface LineNote {
  /** From 1, in the text of its side. */
  readonly line: number;
  /** The last line, where it is about several. */
  readonly until?: number;
  readonly text: string;
  readonly side: 'before' | 'proposed';
}

/** One of which no line is known. */
export interface GeneralNote {
  readonly text: string;
}

/** The change that the notes are about, and what the user did with it. */
export interface NotedChange {
  readonly path: string;
  /** `ended`: somebody else decided, or nobody. */
  readonly how: 'accepted' | 'rejected' | 'ended';
  readonly before: string;
  /** With the user's own edits. */
  readonly proposed: string;
}

const OPENING = {
  accepted: (path: string) => `I accepted your change to ${path}. My notes on it:`,
  rejected: (path: string) => `I rejected your change to ${path}. My notes on it:`,
  ended: (path: string) => `My notes on your change to ${path}:`,
};

/** No agent's protocol carries notes, so they become a prompt. Each has its line, so that it can be found. */
export function notesPrompt(
  { path, how, before, proposed }: NotedChange,
  notes: readonly (LineNote | GeneralNote)[],
): string {
  const sides = { before: before.split('\n'), proposed: proposed.split('\n') };
  const place = ({ line, until = line, side }: LineNote) => {
    const which = until > line ? `lines ${line} to ${until}` : `line ${line}`;
    const where = side === 'before' ? `${which} of the file as it is` : `${which} of your version`;
    const quoted = sides[side][line - 1]?.trim() ?? '';
    return `${where}${quoted === '' ? '' : ` (\`${quoted}\`)`}: `;
  };
  const lines = notes.map((note) => `- ${'line' in note ? place(note) : ''}${note.text.trim()}`);
  return `${OPENING[how](path)}\n${lines.join('\n')}\n`;
}
