import type { ChatEvent, PermissionOption, Question, ToolCall } from '../events.ts';
import { type PermissionWire, QuestionsWire } from './schema.ts';
import { toolCall } from './updates.ts';

/** A permission, or a question: Qwen asks the user its questions in the form of a permission. */
export function askEvent(id: string, wire: PermissionWire, call = toolCall(wire.toolCall)): ChatEvent {
  const questions = questionsOf(wire);
  if (questions) return { type: 'question', request: { id, toolCallId: wire.toolCall.toolCallId, questions } };
  const plan = call.kind === 'switch_mode' ? planOf(call) : undefined;
  const options = wire.options.map(({ optionId, name, kind }) => ({ id: optionId, name, kind }));
  return { type: 'permission', request: { id, call, options, ...(plan === undefined ? {} : { plan }) } };
}

function planOf({ content, input }: ToolCall): string | undefined {
  const text = content.find((part) => part.type === 'text')?.text;
  const plan = typeof input === 'object' && input !== null && 'plan' in input ? input.plan : undefined;
  return text ?? (typeof plan === 'string' ? plan : undefined);
}

function questionsOf({ toolCall: { _meta, rawInput } }: PermissionWire): Question[] | undefined {
  const asks = _meta?.qwenInteractionKind === 'user_question' || _meta?.toolName === 'ask_user_question';
  if (!asks) return undefined;
  return readQuestions(_meta?.qwenQuestions ?? (rawInput as { questions?: unknown } | undefined)?.questions);
}

export function readQuestions(wire: unknown): Question[] | undefined {
  const questions = QuestionsWire.safeParse(wire);
  if (!questions.success) return undefined;
  return questions.data.map((each, index) => ({
    key: each.answerKey ?? String(index),
    question: each.question,
    header: each.header ?? '',
    options: (each.options ?? []).map(({ label, description }) => ({ label, ...(description ? { description } : {}) })),
    multiSelect: each.multiSelect ?? false,
  }));
}

/**
 * The option that allows this once. Agents may offer a second one that allows and changes the mode as well (Qwen's
 * "switch to default"), so where there are several the plain one is taken.
 */
export function allowOnce(options: readonly PermissionOption[]): PermissionOption | undefined {
  const once = options.filter(({ kind }) => kind === 'allow_once');
  return once.find(({ id }) => /^(proceed|allow)(_once)?$/.test(id)) ?? once[0];
}

export function reject(options: readonly PermissionOption[]): PermissionOption | undefined {
  return options.find(({ kind }) => kind === 'reject_once') ?? options.find(({ kind }) => kind === 'reject_always');
}
