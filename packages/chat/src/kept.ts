import type { Conversation, Item } from './conversation.ts';
import type { Attachment, SessionInfo, ToolCall, ToolContent } from './events.ts';

/** A conversation as it outlives the process that held it. Plain JSON. */
export interface KeptChat {
  readonly id: string;
  /** The one that was offered, and what it was called. */
  readonly agent: { readonly id: string; readonly name: string };
  /** When it was last seen, in ms since 1970. */
  readonly at: number;
  readonly session: Pick<SessionInfo, 'id' | 'cwd'>;
  readonly title?: string;
  readonly mode?: string;
  /** Its agent was at work. */
  readonly busy?: boolean;
  /** What the user was about to say. */
  readonly draft?: string;
  /** What was shown, for an agent that does not remember it. */
  readonly items: readonly Item[];
}

const MAX_CHARS = 1_000_000;
const MAX_TEXT = 20_000;

/** What is worth keeping of it; `undefined` as long as nothing was said. */
export function keepOf(
  id: string,
  agent: KeptChat['agent'],
  conversation: Conversation,
  at: number,
): KeptChat | undefined {
  const { session, title, mode, running, items } = conversation;
  if (!session || items.length === 0) return undefined;
  return {
    id,
    agent,
    at,
    session: { id: session.id, cwd: session.cwd },
    ...(title === undefined ? {} : { title }),
    ...(mode.current === undefined ? {} : { mode: mode.current }),
    ...(running === undefined ? {} : { busy: true }),
    items: newest(items.map((item) => slim(ended(item)))),
  };
}

/** As many of the last ones as there is room for. */
function newest(items: readonly Item[]): readonly Item[] {
  let left = MAX_CHARS;
  const from = items.findLastIndex((item) => {
    left -= JSON.stringify(item).length;
    return left < 0;
  });
  return items.slice(from + 1);
}

/** Nothing of it goes on any more. */
export function ended(item: Item): Item {
  if (item.type !== 'tool') return item;
  const { review: _, ...rest } = item;
  const status = item.call.status === 'completed' ? 'completed' : 'failed';
  return { ...rest, call: { ...item.call, status } };
}

/** Long outputs and pictures are left to the agent's own memory. */
function slim(item: Item): Item {
  if (item.type === 'tool') return { ...item, call: slimCall(item.call) };
  if (item.type === 'message' && item.attachments) return { ...item, attachments: item.attachments.map(named) };
  return item;
}

function slimCall({ input: _, shell, content, ...rest }: ToolCall): ToolCall {
  return {
    ...rest,
    content: content.flatMap((part): ToolContent[] => {
      if (part.type === 'text') return [{ ...part, text: cut(part.text) }];
      return part.type === 'diff' && part.oldText.length + part.newText.length <= MAX_TEXT ? [part] : [];
    }),
    ...(shell ? { shell: { ...shell, output: cut(shell.output) } } : {}),
  };
}

function named(attachment: Attachment): Attachment {
  return attachment.type === 'image' ? { type: 'other', label: attachment.mimeType } : attachment;
}

/** The end of an output says more than its beginning. */
function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `…${text.slice(1 - MAX_TEXT)}`;
}

export function isKeptChat(value: unknown): value is KeptChat {
  const kept = value as Partial<KeptChat> | null;
  return (
    typeof kept === 'object' &&
    kept !== null &&
    [kept.id, kept.agent?.id, kept.agent?.name, kept.session?.id, kept.session?.cwd].every(
      (text) => typeof text === 'string',
    ) &&
    typeof kept.at === 'number' &&
    Array.isArray(kept.items) &&
    kept.items.every((item) => typeof item?.type === 'string')
  );
}
