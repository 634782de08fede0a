import * as z from 'zod';
import type { SharedDocument } from '../../../editor/policy.ts';
import { defineTool, json, type ToolResult } from '../../tool.ts';
import { encode } from '../context.ts';
import type { ClaudeLink } from '../link.ts';

export const getCurrentSelection = defineTool({
  name: 'getCurrentSelection',
  description: 'The selection in the active editor.',
  input: z.object({}),
  run: async (_input, link: ClaudeLink) => answer(link, link.house.context().active, 'No active editor found'),
});

export const getLatestSelection = defineTool({
  name: 'getLatestSelection',
  description: 'The most recent selection, even if its editor is no longer the active one.',
  input: z.object({}),
  run: async (_input, link: ClaudeLink) => answer(link, link.house.context().latestSelection, 'No selection available'),
});

function answer(link: ClaudeLink, document: SharedDocument | undefined, none: string): ToolResult {
  if (!document) return json({ success: false, message: none });
  const selection = encode(document);
  link.note('selection', [document.path], selection.text);
  return json({ success: true, ...selection });
}
