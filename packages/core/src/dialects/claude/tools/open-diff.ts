import { lstatSync } from 'node:fs';
import * as z from 'zod';
import { absolutePath, defineTool, failure } from '../../tool.ts';
import type { ClaudeLink } from '../link.ts';

/** Blocks until somebody decides. */
export const openDiff = defineTool({
  name: 'openDiff',
  description: 'Opens a diff of a file against proposed contents and waits until the user saves or rejects it.',
  needs: 'review',
  input: z.object({
    old_file_path: absolutePath,
    new_file_path: absolutePath,
    new_file_contents: z.string(),
    tab_name: z.string().min(1),
  }),
  run: async (input, link: ClaudeLink, call) => {
    if (!link.house.editor.can.review) {
      return failure('This editor cannot show a diff. Answer in the terminal.');
    }
    const isNew = lstatSync(input.old_file_path, { throwIfNoEntry: false }) === undefined;
    const request = {
      path: input.new_file_path,
      proposed: input.new_file_contents,
      tab: input.tab_name,
      isNew,
    };
    return link.diffs.open(request, call.signal);
  },
});
