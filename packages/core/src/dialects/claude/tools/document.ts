import * as z from 'zod';
import { absolutePath, defineTool, json } from '../../tool.ts';
import type { ClaudeLink } from '../link.ts';

const input = z.object({ filePath: absolutePath });

export const checkDocumentDirty = defineTool({
  name: 'checkDocumentDirty',
  description: 'Whether an open document has unsaved changes.',
  input,
  run: async ({ filePath }, link: ClaudeLink) => {
    const document = visible(link, filePath);
    if (!document) return json(notOpen(filePath));
    link.note('document', [filePath], '');
    return json({ success: true, filePath, isDirty: document.dirty, isUntitled: false });
  },
});

export const saveDocument = defineTool({
  name: 'saveDocument',
  description: 'Saves an open document.',
  needs: 'save',
  input,
  run: async ({ filePath }, link: ClaudeLink) => {
    if (!visible(link, filePath)) return json(notOpen(filePath));
    try {
      if (!(await link.house.editor.save(filePath))) return json(notOpen(filePath));
    } catch (error) {
      return json({ success: false, filePath, saved: false, message: (error as Error).message });
    }
    return json({ success: true, filePath, saved: true, message: 'Document saved successfully' });
  },
});

/** A denied document is as good as not open. */
function visible(link: ClaudeLink, path: string) {
  return link.house.policy.denies(path) ? undefined : link.house.workspace.document(path);
}

function notOpen(path: string) {
  return { success: false, message: `Document not open: ${path}` };
}
