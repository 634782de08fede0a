import type { ChatEvent, ToolCallPatch } from '@tandem/chat/view';

/**
 * Fewer events that come to the same conversation: pieces of one message become one piece, and of several states of a
 * tool call only the last is told. An output that grows to a megabyte would otherwise be told again with every line.
 */
export function merge(events: readonly ChatEvent[]): readonly ChatEvent[] {
  const merged: ChatEvent[] = [];
  const calls = new Map<string, number>();
  for (const event of events) {
    const last = merged.at(-1);
    const longer = last && joined(last, event);
    const at = event.type === 'tool' ? calls.get(event.call.id) : undefined;
    if (longer) merged[merged.length - 1] = longer;
    else if (event.type === 'tool' && at !== undefined) merged[at] = patched(merged[at], event.call);
    else {
      if (event.type === 'tool') calls.set(event.call.id, merged.length);
      // What forgets or repeats calls must find them as they were told.
      else if (!PASSING.has(event.type)) calls.clear();
      merged.push(event);
    }
  }
  return merged;
}

const PASSING: ReadonlySet<ChatEvent['type']> = new Set(['message', 'thought', 'plan', 'usage']);

function joined(last: ChatEvent, next: ChatEvent): ChatEvent | undefined {
  if (last.type === 'thought' && next.type === 'thought') return { ...last, text: last.text + next.text };
  if (last.type !== 'message' || next.type !== 'message') return undefined;
  const same = last.role === next.role && last.promptId === next.promptId && last.elsewhere === next.elsewhere;
  if (!same || last.attachments || next.attachments) return undefined;
  return { ...last, text: last.text + next.text };
}

function patched(before: ChatEvent | undefined, call: ToolCallPatch): ChatEvent {
  return { type: 'tool', call: before?.type === 'tool' ? { ...before.call, ...call } : call };
}
