import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { defineTool, json } from '../../tool.ts';
import type { ClaudeLink } from '../link.ts';

export const getWorkspaceFolders = defineTool({
  name: 'getWorkspaceFolders',
  description: 'The folders that are open in the editor.',
  input: z.object({}),
  run: async (_input, link: ClaudeLink) => {
    const paths = link.house.workspace.folders;
    const folders = paths.map((path) => ({ name: basename(path), uri: pathToFileURL(path).href, path }));
    return json({ success: true, folders, ...(paths[0] === undefined ? {} : { rootPath: paths[0] }) });
  },
});
