import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { defineTool, json } from '../../tool.ts';
import type { ClaudeLink } from '../link.ts';

export const getOpenEditors = defineTool({
  name: 'getOpenEditors',
  description: 'The documents that are open in the editor.',
  input: z.object({}),
  run: async (_input, link: ClaudeLink) => {
    const { documents } = link.house.context();
    const tabs = documents.map((document) => ({
      uri: pathToFileURL(document.path).href,
      isActive: document.active,
      label: basename(document.path),
      languageId: document.language,
      isDirty: document.dirty,
    }));
    link.note(
      'document',
      documents.map((document) => document.path),
      '',
    );
    return json({ tabs });
  },
});
