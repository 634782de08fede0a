import * as z from 'zod';
import { defineTool, text } from '../../tool.ts';
import type { ClaudeLink } from '../link.ts';

/** The CLI calls it at the start of every prompt; it concerns this link's reviews only. */
export const closeAllDiffTabs = defineTool({
  name: 'closeAllDiffTabs',
  description: 'Closes every diff that this agent opened.',
  input: z.object({}),
  run: async (_input, link: ClaudeLink) => {
    const count = link.diffs.closeAll();
    link.promptBegan();
    return text(`CLOSED_${count}_DIFF_TABS`);
  },
});
