import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { ChatEvent, Question } from '../events.ts';

const optional = <T extends z.ZodType>(type: T) => type.nullish().transform((value) => value ?? undefined);
const Titled = z.array(z.object({ const: z.string(), title: optional(z.string()), description: optional(z.string()) }));
const Field = z.object({
  type: z.string(),
  title: optional(z.string()),
  description: optional(z.string()),
  oneOf: optional(Titled),
  enum: optional(z.array(z.string())),
  items: optional(z.object({ anyOf: optional(Titled), enum: optional(z.array(z.string())) })),
});
type Field = z.infer<typeof Field>;

/** A form that the agent wants filled in: how Claude Code asks its questions over ACP. */
export const Elicitation = z.object({
  mode: z.literal('form'),
  message: z.string(),
  toolCallId: optional(z.string()),
  requestedSchema: z.object({ properties: z.record(z.string(), Field) }),
});
export type Elicitation = z.infer<typeof Elicitation>;

/** A field beside a question in which the user can write something else. */
const OWN_WORDS = /_custom$/;

export function questionEvent({ message, toolCallId, requestedSchema }: Elicitation): ChatEvent & { type: 'question' } {
  const fields = Object.entries(requestedSchema.properties).filter(([key]) => !OWN_WORDS.test(key));
  const questions = fields.map(([key, field]) => questionOf(key, field, message));
  return { type: 'question', request: { id: randomUUID(), toolCallId: toolCallId ?? '', questions } };
}

function questionOf(key: string, field: Field, message: string): Question {
  const titled = field.oneOf ?? field.items?.anyOf;
  const plain = (field.enum ?? field.items?.enum ?? []).map((each) => ({ const: each, description: undefined }));
  const options = (titled ?? plain).map((each) => ({
    label: each.const,
    ...(each.description ? { description: each.description } : {}),
  }));
  return {
    key,
    question: field.description ?? message,
    header: field.title ?? '',
    options,
    multiSelect: field.type === 'array',
  };
}

/** What the user said, as the fields want it. Words that are none of the options go where there is room for them. */
export function formContent(
  { requestedSchema: { properties } }: Elicitation,
  answers: Readonly<Record<string, string>>,
): Record<string, string | number | boolean | string[]> {
  const content: Record<string, string | number | boolean | string[]> = {};
  for (const [key, answer] of Object.entries(answers)) {
    const field = properties[key];
    if (!field) continue;
    const { options } = questionOf(key, field, '');
    const labels = options.map(({ label }) => label);
    if (field.type === 'array') content[key] = labels.filter((label) => answer.split(', ').includes(label));
    else if (field.type === 'boolean') content[key] = answer === 'true' || answer === 'yes';
    else if (field.type === 'number' || field.type === 'integer') content[key] = Number(answer);
    else if (labels.length === 0 || labels.includes(answer)) content[key] = answer;
    else if (`${key}_custom` in properties) content[`${key}_custom`] = answer;
  }
  return content;
}
