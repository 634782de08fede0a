import * as z from 'zod';
import { absolutePath, defineTool, json, type Tool, text } from '../tool.ts';
import type { IdeMcpLink } from './link.ts';

const openDiff = defineTool({
  name: 'openDiff',
  description: 'Shows a proposed new content for a file as a diff that the user can edit, accept or reject.',
  needs: 'review',
  input: z.object({ filePath: absolutePath, newContent: z.string() }),
  run: async ({ filePath, newContent }, link: IdeMcpLink) => {
    link.diffs.open(filePath, newContent);
    return text();
  },
});

const closeDiff = defineTool({
  name: 'closeDiff',
  description: 'Closes the diff of a file and returns the text it held.',
  needs: 'review',
  input: z.object({ filePath: absolutePath, suppressNotification: z.boolean().optional() }),
  run: async ({ filePath, suppressNotification }, link: IdeMcpLink) =>
    // The agents parse the text as JSON; a bare text would lose the user's edits.
    json({ content: link.diffs.close(filePath, suppressNotification ?? false) ?? null }),
});

/** Announced together or not at all: with one of them alone an agent could open what it cannot close. */
export const TOOLS: readonly Tool<IdeMcpLink>[] = [openDiff, closeDiff];
