import * as z from 'zod';

/** What we may send; the agents disconnect for good at one notification that does not fit, so ours are strict. */
const position = z.strictObject({ line: z.int().min(1), character: z.int().min(1) });

const openFile = z.strictObject({
  path: z.string().min(1),
  timestamp: z.int().min(0),
  isActive: z.boolean().optional(),
  selectedText: z.string().max(16_384).optional(),
  cursor: position.optional(),
});

export const NOTIFICATIONS = {
  'ide/contextUpdate': z.strictObject({
    workspaceState: z.strictObject({ openFiles: z.array(openFile).max(10), isTrusted: z.boolean().optional() }),
  }),
  'ide/diffAccepted': z.strictObject({ filePath: z.string(), content: z.string().min(1) }),
  'ide/diffRejected': z.strictObject({ filePath: z.string() }),
} as const;

export type Notifications = { [Method in keyof typeof NOTIFICATIONS]: z.infer<(typeof NOTIFICATIONS)[Method]> };
export type IdeContext = Notifications['ide/contextUpdate'];
