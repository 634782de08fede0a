import { resolve } from 'node:path';
import * as z from 'zod';
import { defineTool, type ToolCall } from './tool.ts';

/** How often a client that waits is told that we are still here. */
const PROGRESS_MS = 5_000;

const path = z.string().min(1).describe('Absolute, or relative to the working directory');

export const openFile = defineTool({
  name: 'open_file',
  title: 'Open a file',
  description: 'Shows a file of the workspace to the user in the editor, at a line or with lines selected.',
  input: z.object({
    path,
    line: z.int().min(1).optional(),
    endLine: z.int().min(1).optional().describe('Selects from line to here'),
  }),
  output: z.object({ path: z.string() }),
  reads: false,
  run: async ({ path: file, line, endLine }, { editor }) => {
    const opened = await editor.ask<{ path: string }>('open', {
      path: resolve(file),
      ...(line === undefined ? {} : { line: line - 1 }),
      ...(line === undefined || endLine === undefined ? {} : { endLine: endLine - 1 }),
    });
    return {
      text: `Opened ${opened.path}${line === undefined ? '' : ` at line ${line}`}.`,
      value: { path: opened.path },
    };
  },
});

type Outcome =
  | { readonly decision: 'accepted'; readonly text: string; readonly amended: boolean }
  | { readonly decision: 'rejected' }
  | { readonly decision: 'withdrawn'; readonly reason: string };

export const showDiff = defineTool({
  name: 'show_diff',
  title: 'Show a diff and wait',
  description:
    'Shows the user a proposed new text of a file as a diff in the editor, where they can change it, and waits until they accept ' +
    'or reject it. Nothing is written: after an acceptance write exactly the returned text to the file.',
  input: z.object({ path, text: z.string().describe('The whole new text of the file') }),
  output: z.object({
    decision: z.enum(['accepted', 'rejected', 'withdrawn']),
    text: z.string().optional().describe('What to write, with the changes the user made'),
    amended: z.boolean().optional(),
    reason: z.string().optional(),
  }),
  reads: false,
  run: async ({ path: file, text }, call) => {
    const stop = breathe(call, file);
    try {
      const { signal } = call.context.mcpReq;
      const input = { path: resolve(file), text };
      const { review: _review, ...outcome } = await call.editor.ask<Outcome & { review: string }>(
        'propose',
        input,
        signal,
      );
      return { text: words(outcome as Outcome, file), value: outcome };
    } finally {
      stop();
    }
  },
});

function words(outcome: Outcome, file: string): string {
  switch (outcome.decision) {
    case 'accepted':
      return outcome.amended
        ? `Accepted with changes by the user. Nothing is written yet: write this text to ${file}:\n${outcome.text}`
        : `Accepted as proposed. Nothing is written yet: write the proposed text to ${file}.`;
    case 'rejected':
      return `Rejected. Leave ${file} as it is.`;
    case 'withdrawn':
      return `Nobody decided: the diff was closed (${outcome.reason}).`;
  }
}

/** Many clients give up after a minute without a word; a person may think longer. */
function breathe({ context }: ToolCall, file: string): () => void {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  const begun = Date.now();
  const tell = () => {
    const progress = Math.round((Date.now() - begun) / 1000);
    const params = { progressToken, progress, message: `waiting for a decision on ${file} (${progress} s)` };
    context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  tell();
  const timer = setInterval(tell, PROGRESS_MS);
  return () => clearInterval(timer);
}
