import * as z from 'zod';
import type { ChatCommand } from './commands.ts';

const id = z.string().min(1).max(1000);
const text = z.string().max(2_000_000);
const line = z.int().min(0);
const lines = z.object({ start: line, end: line });
const image = z.object({
  mimeType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  data: z.base64().max(10_000_000),
});
const options = z.object({ mode: id.optional(), model: id.optional() }).optional();

/** What a page may ask of a conversation. */
const COMMAND = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('prompt'),
    draft: z.object({
      text,
      mentions: z
        .array(z.object({ path: z.string().max(4096), lines: lines.optional() }))
        .max(100)
        .optional(),
      images: z.array(image).max(20).optional(),
      context: z.boolean().optional(),
    }),
  }),
  z.object({ do: z.literal('take-back'), promptId: id }),
  z.object({ do: z.literal('cancel') }),
  z.object({ do: z.literal('continue') }),
  z.object({ do: z.literal('reconnect') }),
  z.object({ do: z.literal('new-session'), options }),
  z.object({ do: z.literal('list-sessions'), cursor: id.optional() }),
  z.object({ do: z.literal('load-session'), id, options }),
  z.object({ do: z.literal('resume-session'), id, options }),
  z.object({ do: z.literal('rename-session'), title: z.string().min(1).max(256), id: id.optional() }),
  z.object({ do: z.literal('set-model'), id }),
  z.object({ do: z.literal('set-mode'), id }),
  z.object({ do: z.literal('set-option'), id, value: z.string().max(1000) }),
  z.object({
    do: z.literal('permission'),
    id,
    answer: z.union([z.object({ optionId: id }), z.object({ cancelled: z.literal(true) })]),
  }),
  z.object({ do: z.literal('question'), id, answers: z.record(id, z.string().max(100_000)).optional() }),
  z.object({ do: z.literal('locality') }),
]);

/** What a panel may ask of its host, whichever way it comes. A panel shows what agents write: it is trusted with nothing. */
export const PANEL_REQUEST = z.discriminatedUnion('do', [
  z.object({ do: z.literal('attach') }),
  z.object({ do: z.literal('agents') }),
  z.object({ do: z.literal('start'), agent: id, session: id.optional() }),
  z.object({ do: z.literal('look'), chat: id }),
  z.object({ do: z.literal('draft'), chat: id, text }),
  z.object({ do: z.literal('close'), chat: id }),
  z.object({ do: z.literal('perform'), chat: id, command: COMMAND as unknown as z.ZodType<ChatCommand> }),
]);

/** What a panel in a webview may ask of the editor around it. */
export const EDITOR_REQUEST = z.discriminatedUnion('do', [
  z.object({ do: z.literal('open-file'), path: z.string().min(1).max(4096), line: line.optional() }),
  z.object({ do: z.literal('show-review'), id }),
  z.object({ do: z.literal('copy'), text: z.string().max(20_000_000) }),
  z.object({ do: z.literal('save'), name: z.string().min(1).max(255), text: z.string().max(50_000_000) }),
  z.object({ do: z.literal('files') }),
  z.object({ do: z.literal('selection') }),
]);
