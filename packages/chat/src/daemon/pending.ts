import { askEvent, readQuestions } from '../acp/permissions.ts';
import { PermissionWire } from '../acp/schema.ts';
import type { ChatEvent, PermissionOption } from '../events.ts';
import type { PendingInteraction } from './schema.ts';

interface PendingAsk {
  readonly event: ChatEvent;
  readonly options: readonly PermissionOption[];
}

/** What waits for an answer, as the status route tells it: the same as the event, in other words. */
export function pendingAsk(pending: PendingInteraction): PendingAsk | undefined {
  const { requestId: id, action } = pending;
  const wire = PermissionWire.safeParse({
    toolCall: {
      toolCallId: id,
      title: action?.title,
      kind: action?.type,
      status: 'pending',
      content: action?.content,
      locations: action?.locations,
      rawInput: action?.input,
    },
    options: (pending.options ?? []).map(({ optionId, label, kind }) => ({ optionId, name: label, kind })),
  });
  if (!wire.success) return undefined;
  const options = wire.data.options.map(({ optionId, name, kind }) => ({ id: optionId, name, kind }));
  if (pending.kind !== 'user_question') return { event: askEvent(id, wire.data), options };
  const questions = readQuestions(pending.questions);
  return questions && { event: { type: 'question', request: { id, toolCallId: id, questions } }, options };
}
