import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { CommandError } from '../errors.ts';
import { VERSION } from '../version.ts';
import { Attachment } from './attachment.ts';
import { openFile, showDiff } from './doing.ts';
import { getDiagnostics, getLedger, getOpenEditors, getSelection, getWorkspaceFolders } from './looking.ts';
import type { EditorTool } from './tool.ts';

export const TOOLS: readonly EditorTool[] = [
  getSelection,
  getOpenEditors,
  getDiagnostics,
  openFile,
  showDiff,
  getWorkspaceFolders,
  getLedger,
];

const INSTRUCTIONS =
  "The user's editor: what they look at, what its language servers complain of, and a way to show them a change before it is made. " +
  'Call get_diagnostics after you have changed code.';

/** Serves the editor's tools on standard input and output until the client lets go. */
export async function serveMcp(port: number | undefined): Promise<void> {
  let server: McpServer | undefined;
  const attachment = new Attachment(port, () => {
    const client = server?.server.getClientVersion();
    return { name: client?.title ?? client?.name ?? 'MCP client', version: client?.version };
  });
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
  });
  const handle = serveStdio(() => {
    server = create(attachment);
    return server;
  });
  await ended;
  await attachment.close();
  await handle.close();
}

export function create(attachment: Attachment): McpServer {
  const server = new McpServer(
    { name: 'tandem', title: 'Tandem', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  // So that `tandem status` shows the agent before its first question; without a companion the question will say so.
  server.server.oninitialized = () => void attachment.attach().catch(() => {});
  for (const tool of TOOLS) register(server, tool, attachment);
  return server;
}

function register(server: McpServer, tool: EditorTool, editor: Attachment): void {
  const { name, title, description, input, output, reads } = tool;
  const annotations = { readOnlyHint: reads, destructiveHint: false, openWorldHint: false };
  const config = { title, description, inputSchema: input, outputSchema: output, annotations };
  server.registerTool(name, config, async (args, context): Promise<CallToolResult> => {
    try {
      const { text, value } = await tool.run(args, { editor, context });
      return { content: [{ type: 'text', text }], structuredContent: value };
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      const text = error.hint === undefined ? error.message : `${error.message}. ${error.hint}`;
      return { content: [{ type: 'text', text }], isError: true };
    }
  });
}
