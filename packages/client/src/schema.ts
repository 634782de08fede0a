import * as z from 'zod';

/** What companions tell. Keys we do not know are fine; a wrong type is not. */
const position = z.object({ line: z.number(), character: z.number() });

export const CONTEXT_UPDATE = z.object({
  workspaceState: z
    .object({
      openFiles: z
        .array(
          z.object({
            path: z.string(),
            timestamp: z.number(),
            isActive: z.boolean().optional(),
            selectedText: z.string().optional(),
            cursor: position.optional(),
          }),
        )
        .optional(),
      isTrusted: z.boolean().optional(),
    })
    .optional(),
});
export const DIFF_ACCEPTED = z.object({ filePath: z.string(), content: z.string() });
/** `diffClosed` is the older word and may carry a content that does not count. */
export const DIFF_REJECTED = z.object({ filePath: z.string() });

export const SELECTION_CHANGED = z.object({
  text: z.string().optional(),
  filePath: z.string().optional(),
  selection: z.object({ start: position, end: position }).nullish(),
});
export const AT_MENTIONED = z.object({
  filePath: z.string(),
  lineStart: z.number().optional(),
  lineEnd: z.number().optional(),
});

export function fieldsOf(error: z.ZodError): string[] {
  return error.issues.map((issue) => `${issue.path.join('.') || 'params'}: ${issue.message}`);
}
