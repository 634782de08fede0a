import * as z from 'zod';
import type { CodeOutput } from '../../../editor/port.ts';
import { type Block, defineTool, failure, text } from '../../tool.ts';
import type { ClaudeLink } from '../link.ts';

/** One of the two tools that the CLI shows to its model. */
export const executeCode = defineTool({
  name: 'executeCode',
  description:
    "Runs Python code in the editor's Jupyter kernel, with the workspace folder as its working directory, and returns text and images. " +
    'Everything that is run persists between calls until the kernel is restarted. ' +
    'Avoid declaring variables or changing the state of the kernel unless the user asks for it.',
  needs: 'executeCode',
  input: z.object({ code: z.string().describe('The Python code to run in the kernel.') }),
  run: async ({ code }, link: ClaudeLink, call) => {
    const { editor } = link.house;
    if (!editor.can.executeCode || !editor.executeCode) return failure('This editor cannot run code.');
    let outputs: readonly CodeOutput[];
    try {
      outputs = await editor.executeCode(code, call.signal);
    } catch (error) {
      return failure(`The code was not run: ${(error as Error).message}`);
    }
    if (outputs.length === 0) return text('(no output)');
    if (!call.signal.aborted) link.note('output', [], outputs.map(summary).join('\n'));
    const failed = outputs.some((output) => output.type === 'error');
    return { content: outputs.map(block), ...(failed ? { isError: true } : {}) };
  },
});

function block(output: CodeOutput): Block {
  return output.type === 'error' ? { type: 'text', text: output.text } : output;
}

function summary(output: CodeOutput): string {
  return output.type === 'image' ? `[${output.mimeType}]` : output.text;
}
