import type { Attachment, LineSpan } from './events.ts';

/**
 * What the user looks at, as a text that a model reads and that can be told from what the user wrote when a history
 * comes back from the agent.
 */
export interface EditorContext {
  readonly path: string;
  readonly unsaved: boolean;
  readonly selection?: { readonly lines: LineSpan; readonly text: string };
}

const OPEN = '<editor-context>';
const CLOSE = '</editor-context>';

export function writeContext(context: EditorContext): string {
  const { path, unsaved, selection } = context;
  const lines = [OPEN, `The user is looking at ${path}${unsaved ? ' (it has unsaved changes)' : ''}.`];
  if (selection) {
    const { start, end } = selection.lines;
    lines.push(`Selected are lines ${start + 1} to ${end + 1}:`, selection.text);
  }
  // The text of a file must not be able to end the frame early.
  return `${lines.join('\n').replaceAll(CLOSE, '<\\/editor-context>')}\n${CLOSE}`;
}

/** Takes the frames out of a user's message and says in short what stood in them. */
export function readContext(text: string): { readonly text: string; readonly attachments: readonly Attachment[] } {
  if (!text.includes(OPEN)) return { text, attachments: [] };
  const attachments: Attachment[] = [];
  const rest = text.replaceAll(/<editor-context>\n([\s\S]*?)\n<\/editor-context>\n?/g, (_frame, body: string) => {
    const [, path, unsaved] = /^The user is looking at (.*?)( \(it has unsaved changes\))?\.$/m.exec(body) ?? [];
    if (path === undefined) return '';
    const [, from, to] = /^Selected are lines (\d+) to (\d+):$/m.exec(body) ?? [];
    const lines = from === undefined ? {} : { lines: { start: Number(from) - 1, end: Number(to) - 1 } };
    attachments.push({ type: 'file', path, ...lines, ...(unsaved ? { unsaved: true } : {}) });
    return '';
  });
  return { text: rest, attachments };
}
