import { randomUUID } from 'node:crypto';
import { mkdir, unlink, writeFile } from 'node:fs/promises';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import express, { type Request, type Response } from 'express';
import { z } from 'zod';
import type { Launch } from '../subject.ts';

/**
 * A companion as the official ones are built: express, the SDK's server and transport for every session, zod on what
 * leaves. Where it differs from them it does less (no CORS package, no log, the diff's left side is not read), so the
 * comparison errs in its favour.
 */

const contextUpdate = z.object({
  jsonrpc: z.literal('2.0'),
  method: z.literal('ide/contextUpdate'),
  params: z.object({
    workspaceState: z
      .object({
        openFiles: z
          .array(
            z.object({
              path: z.string(),
              timestamp: z.number(),
              isActive: z.boolean().optional(),
              selectedText: z.string().optional(),
              cursor: z.object({ line: z.number(), character: z.number() }).optional(),
            }),
          )
          .optional(),
        isTrusted: z.boolean().optional(),
      })
      .optional(),
  }),
});

const openDiffInput = { filePath: z.string(), newContent: z.string() };
const closeDiffInput = { filePath: z.string(), suppressNotification: z.boolean().optional() };

interface OpenFile {
  path: string;
  timestamp: number;
  isActive?: boolean;
  selectedText?: string;
  cursor?: { line: number; character: number };
}

export const launch: Launch = async (world) => {
  const token = randomUUID();
  const transports: Record<string, StreamableHTTPServerTransport> = {};
  const diffs = new Map<string, string>();
  let openFiles: OpenFile[] = [];

  const tell = (transport: StreamableHTTPServerTransport) => {
    const params = { workspaceState: { openFiles, isTrusted: true } };
    void transport.send(contextUpdate.parse({ jsonrpc: '2.0', method: 'ide/contextUpdate', params }));
  };

  const app = express();
  app.use(express.json({ limit: '64mb' }));
  app.use((request, response, next) => {
    const port = (server.address() as AddressInfo).port;
    if (request.headers.origin !== undefined) response.status(403).json({ error: 'Request denied' });
    else if (![`127.0.0.1:${port}`, `localhost:${port}`].includes(request.headers.host ?? '')) {
      response.status(403).json({ error: 'Invalid Host header' });
    } else if (request.headers.authorization !== `Bearer ${token}`) response.status(401).send('Unauthorized');
    else next();
  });

  app.post('/mcp', async (request: Request, response: Response) => {
    const known = transports[sessionOf(request)];
    if (known) return known.handleRequest(request, response, request.body);
    if (!isInitializeRequest(request.body)) {
      const error = { code: -32000, message: 'Bad Request: No valid session ID provided' };
      response.status(400).json({ jsonrpc: '2.0', error, id: null });
      return;
    }
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (session) => {
        transports[session] = transport;
      },
    });
    const keepAlive = setInterval(
      () => void transport.send({ jsonrpc: '2.0', method: 'ping' }).catch(() => {}),
      60_000,
    );
    transport.onclose = () => {
      clearInterval(keepAlive);
      delete transports[transport.sessionId ?? ''];
    };
    await createServer(diffs).connect(transport as Transport);
    await transport.handleRequest(request, response, request.body);
  });

  const session = async (request: Request, response: Response) => {
    const transport = transports[sessionOf(request)];
    if (!transport) {
      response.status(400).send('Invalid or missing session ID');
      return;
    }
    // The promise of a stream settles only when the stream ends, so the first context does not wait for it.
    if (request.method === 'GET') setImmediate(() => tell(transport));
    await transport.handleRequest(request, response);
  };
  app.get('/mcp', session);
  app.delete('/mcp', session);

  const server = await new Promise<HttpServer>((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  const port = (server.address() as AddressInfo).port;
  const folder = join(world.tmp, 'gemini', 'ide');
  await mkdir(folder, { recursive: true });
  const file = join(folder, `gemini-ide-server-${process.pid}-${port}.json`);
  await unlink(file).catch(() => {});
  const content = JSON.stringify({ port, workspacePath: world.workspace, authToken: token });
  await writeFile(file, content, { mode: 0o600, flag: 'wx' });

  const broadcast = (text: string) => {
    openFiles = openFiles.map((each, index) =>
      index > 0 ? each : { ...each, isActive: true, cursor: { line: 34, character: 1 }, selectedText: text },
    );
    for (const transport of Object.values(transports)) tell(transport);
  };
  return {
    port,
    tokens: { http: token },
    async open(paths) {
      openFiles = paths.map((path) => ({ path, timestamp: Date.now() }));
    },
    select: broadcast,
    broadcast,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await unlink(file);
    },
  };
};

function createServer(diffs: Map<string, string>): McpServer {
  const server = new McpServer({ name: 'reference', version: '1.0.0' }, { capabilities: { logging: {} } });
  server.registerTool(
    'openDiff',
    { description: 'Open a diff view to create or modify a file.', inputSchema: openDiffInput },
    async ({ filePath, newContent }) => {
      diffs.set(filePath, newContent);
      return { content: [] };
    },
  );
  server.registerTool(
    'closeDiff',
    { description: 'Close an open diff view for a specific file.', inputSchema: closeDiffInput },
    async ({ filePath }) => {
      const content = diffs.get(filePath);
      diffs.delete(filePath);
      return { content: [{ type: 'text', text: JSON.stringify({ content }) }] };
    },
  );
  return server;
}

function sessionOf(request: Request): string {
  const header = request.headers['mcp-session-id'];
  return (Array.isArray(header) ? header[0] : header) ?? '';
}
