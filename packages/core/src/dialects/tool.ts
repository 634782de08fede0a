import { isAbsolute } from 'node:path';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Abilities } from '../editor/port.ts';

/** One tool, in one file: its name, what it takes, what it needs of the editor, and what it does. */
export interface Tool<Context, Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  /** Not announced where the editor cannot do this. */
  readonly needs?: keyof Abilities;
  run(input: z.infer<Input>, context: Context, call: Call): Promise<ToolResult>;
}

export interface Call {
  /** The agent took the request back. */
  readonly signal: AbortSignal;
}

export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mimeType: string; readonly data: string };

export interface ToolResult {
  [key: string]: unknown;
  readonly content: Block[];
  readonly isError?: boolean;
}

/** Keeps the types of one tool's input while it is written, and forgets them for the list. */
export function defineTool<Context, Input extends z.ZodObject>(tool: Tool<Context, Input>): Tool<Context> {
  return tool as unknown as Tool<Context>;
}

export function text(...texts: string[]): ToolResult {
  return { content: texts.map((each) => ({ type: 'text', text: each })) };
}

export function json(value: unknown): ToolResult {
  return text(JSON.stringify(value));
}

export function failure(message: string): ToolResult {
  return { ...text(message), isError: true };
}

/** A file name that means the same thing everywhere. */
export const absolutePath = z
  .string()
  .min(1)
  .refine((path) => !path.includes('\0'), 'must not contain NUL')
  .refine((path) => path.includes('\0') || isAbsolute(path), 'must be an absolute path');

export function announce<Context>(tools: readonly Tool<Context>[], can: Abilities) {
  return tools
    .filter((tool) => tool.needs === undefined || can[tool.needs])
    .map((tool) => ({ name: tool.name, description: tool.description, inputSchema: schemaOf(tool.input) }));
}

/** Finds the tool, checks its input and runs it; a wrong field is named in the error. */
export async function callTool<Context>(
  tools: readonly Tool<Context>[],
  params: { name: string; arguments?: Record<string, unknown> | undefined },
  context: Context,
  call: Call,
): Promise<ToolResult> {
  const tool = tools.find((each) => each.name === params.name);
  if (!tool)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${JSON.stringify(params.name)}`);
  const input = tool.input.safeParse(params.arguments ?? {});
  if (!input.success) {
    const fields = input.error.issues.map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${tool.name}: ${fields.join('; ')}`);
  }
  return tool.run(input.data, context, call);
}

function schemaOf(input: z.ZodObject) {
  const { $schema, ...schema } = z.toJSONSchema(input);
  return schema as { type: 'object' };
}
