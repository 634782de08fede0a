import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import type { ToolResult } from './wire.ts';

/** A companion without tools is one that only tells. */
export async function listTools(client: Client): Promise<ReadonlySet<string>> {
  if (!client.getServerCapabilities()?.tools) return new Set();
  const { tools } = await client.listTools();
  return new Set(tools.map((tool) => tool.name));
}

export function toolResult(result: CallToolResult): ToolResult {
  const texts = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return { texts, isError: result.isError === true };
}
