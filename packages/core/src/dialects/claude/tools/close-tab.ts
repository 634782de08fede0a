import * as z from 'zod';
import { defineTool, text } from '../../tool.ts';
import type { ClaudeLink } from '../link.ts';

/** Comes once or twice after every diff; also answers the diff when the terminal was faster. */
export const closeTab = defineTool({
  name: 'close_tab',
  description: 'Closes a diff by the name of its tab.',
  input: z.object({ tab_name: z.string() }),
  run: async ({ tab_name }, link: ClaudeLink) => {
    link.diffs.close(tab_name);
    return text('TAB_CLOSED');
  },
});
