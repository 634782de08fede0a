import * as z from 'zod';

/** Positions are 0-based on this wire. */
const position = z.strictObject({ line: z.int().min(0), character: z.int().min(0) });

/** What we may send. Keys are left out rather than null: one null drops a mention in silence. */
export const NOTIFICATIONS = {
  selection_changed: z.strictObject({
    text: z.string(),
    filePath: z.string().min(1),
    fileUrl: z.string().startsWith('file://'),
    selection: z.strictObject({ start: position, end: position, isEmpty: z.boolean() }),
  }),
  at_mentioned: z.strictObject({
    filePath: z.string().min(1),
    lineStart: z.int().min(0).optional(),
    lineEnd: z.int().min(0).optional(),
  }),
} as const;

export type Notifications = { [Method in keyof typeof NOTIFICATIONS]: z.infer<(typeof NOTIFICATIONS)[Method]> };
export type SelectionChanged = Notifications['selection_changed'];
export type AtMentioned = Notifications['at_mentioned'];
