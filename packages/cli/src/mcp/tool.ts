import type { ServerContext } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { Attachment } from './attachment.ts';

/** One tool of the MCP server: what it is for, what it takes and gives, and what it does. Lines and columns count from 1. */
export interface EditorTool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /** It only looks. */
  readonly reads: boolean;
  run(input: z.infer<Input>, call: ToolCall): Promise<Answer<z.infer<Output>>>;
}

export interface ToolCall {
  readonly editor: Attachment;
  readonly context: ServerContext;
}

export interface Answer<T> {
  /** For the model to read. */
  readonly text: string;
  readonly value: T;
}

/** Keeps the types of one tool while it is written, and forgets them for the list. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: EditorTool<Input, Output>,
): EditorTool {
  return tool as unknown as EditorTool;
}
