import * as z from 'zod';
import { isOutside } from '../../../discovery/folders.ts';
import { readTextFile } from '../../../editor/before.ts';
import type { Range } from '../../../editor/model.ts';
import { positionAt } from '../../../editor/text.ts';
import { absolutePath, defineTool, failure, json, text } from '../../tool.ts';
import type { ClaudeLink } from '../link.ts';

export const openFile = defineTool({
  name: 'openFile',
  description: 'Opens a file in the editor and selects the text from one pattern to another.',
  needs: 'openFile',
  input: z.object({
    filePath: absolutePath,
    preview: z.boolean().default(false),
    startText: z.string().optional(),
    endText: z.string().optional(),
    selectToEndOfLine: z.boolean().default(false),
    makeFrontmost: z.boolean().default(true),
  }),
  run: async (input, { house }: ClaudeLink) => {
    const path = input.filePath;
    if (isOutside(house.folders(), path) && !house.workspace.document(path)) {
      return failure(`filePath: ${path} is outside the workspace`);
    }
    const selection = input.startText
      ? find(await contents(house.editor, path), { ...input, startText: input.startText })
      : undefined;
    try {
      const opened = await house.editor.openFile({
        path,
        preview: input.preview,
        focus: input.makeFrontmost,
        ...(selection ? { selection } : {}),
      });
      if (input.makeFrontmost) return text(`Opened file: ${path}`);
      return json({ success: true, filePath: path, languageId: opened.language, lineCount: opened.lineCount });
    } catch (error) {
      return failure(`filePath: ${(error as Error).message}`);
    }
  },
});

async function contents(editor: ClaudeLink['house']['editor'], path: string): Promise<string> {
  const unsaved = await editor.unsavedText(path);
  if (unsaved !== undefined) return unsaved;
  const file = await readTextFile(path);
  return file.kind === 'text' ? file.text : '';
}

/** From the first `startText` to the end of the first `endText` after it; without one, just `startText`. */
export function find(
  content: string,
  pattern: { startText: string; endText?: string | undefined; selectToEndOfLine: boolean },
): Range | undefined {
  const start = content.indexOf(pattern.startText);
  if (start < 0) return undefined;
  let end = start + pattern.startText.length;
  if (pattern.endText) {
    const found = content.indexOf(pattern.endText, end);
    if (found >= 0) end = found + pattern.endText.length;
  }
  if (pattern.selectToEndOfLine) {
    const newline = content.indexOf('\n', end);
    end = newline < 0 ? content.length : newline;
    if (content[end - 1] === '\r') end -= 1;
  }
  return { start: positionAt(content, start), end: positionAt(content, end) };
}
