import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

/** The same library with a tool that answers at once: nobody to attach to, nothing to ask. */
serveStdio(() => {
  const server = new McpServer({ name: 'floor', version: '1' });
  server.registerTool('get_diagnostics', { inputSchema: z.object({}) }, async () => ({
    content: [{ type: 'text', text: 'No problems are reported.' }],
  }));
  return server;
});
