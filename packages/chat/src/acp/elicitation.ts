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
  /** Codex marks its own fields. */
  _meta: z
    .object({ codex: z.object({ questionId: z.string().optional() }) })
    .optional()
    .catch(undefined),
});
type Field = z.infer<typeof Field>;

/** A form that the agent wants filled in: how Claude Code and Codex ask their questions over ACP. */
export const Elicitation = z.object({
  mode: z.literal('form'),
  message: z.string(),
  toolCallId: optional(z.string()),
  requestedSchema: z.object({ properties: z.record(z.string(), Field) }),
});
export type Elicitation = z.infer<typeof Elicitation>;

/** What Codex offers beside the field for own words; to the user that field is enough. */
const NONE = 'None of the above';

type Fields = Readonly<Record<string, Field>>;

/** The field beside a question in which the user can write something else. */
function ownWords(fields: Fields, key: string): string | undefined {
  const note = Object.entries(fields).find(([, field]) => field._meta?.codex.questionId === key)?.[0];
  return note ?? (`${key}_custom` in fields ? `${key}_custom` : undefined);
}

export function questionEvent({ message, toolCallId, requestedSchema }: Elicitation): ChatEvent & { type: 'question' } {
  const fields = requestedSchema.properties;
  const beside = new Set(Object.keys(fields).map((key) => ownWords(fields, key)));
  const asked = Object.entries(fields).filter(([key]) => !beside.has(key));
  const questions = asked.map(([key, field]) => {
    const question = questionOf(key, field, message);
    const options = question.options.filter(({ label }) => label !== NONE || ownWords(fields, key) === undefined);
    return { ...question, options };
  });
  return { type: 'question', request: { id: randomUUID(), toolCallId: toolCallId ?? '', questions } };
}

function questionOf(key: string, field: Field, message: string): Question {
  const titled = field.oneOf ?? field.items?.anyOf;
  const plain = (field.enum ?? field.items?.enum ?? []).map((each) => ({ const: each, description: undefined }));
  const options = (titled ?? plain).map((each) => ({
    label: each.const,
    ...(each.description ? { description: each.description } : {}),
  }));
  // Claude Code's title is the word above the question, Codex's the question itself.
  const { title = '', description = '' } = field;
  const [header, question] = field._meta ? [description, title] : [title, description];
  return { key, question: question || message, header, options, multiSelect: field.type === 'array' };
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
    else Object.assign(content, inOwnWords(properties, key, labels, answer));
  }
  return content;
}

/** Codex also wants the option chosen that stands for none of the others. */
function inOwnWords(fields: Fields, key: string, labels: readonly string[], answer: string): Record<string, string> {
  const own = ownWords(fields, key);
  if (own === undefined) return {};
  return { ...(labels.includes(NONE) ? { [key]: NONE } : {}), [own]: answer };
}
