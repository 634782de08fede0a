import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { WebSocketServer } from 'ws';
import type { DialectName, Endpoint } from '../../src/index.ts';

/** A companion by hand that says whatever the test wants it to say, right or wrong. */
export interface RawCompanion {
  readonly endpoint: Endpoint;
  /** Sends this text as it is to everybody who listens. */
  say(text: string): void;
  notify(method: string, params: unknown): void;
  /** How many listen. */
  streams(): number;
}

type Message = { readonly id?: unknown; readonly method?: string };

function answerTo(message: Message, tools: readonly string[]): object | undefined {
  if (message.id === undefined) return undefined;
  const result =
    message.method === 'initialize'
      ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1' } }
      : message.method === 'tools/list'
        ? { tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })) }
        : { content: [] };
  return { jsonrpc: '2.0', id: message.id, result };
}

export async function rawCompanion(t: TestContext, dialect: DialectName): Promise<RawCompanion> {
  const server = createServer();
  const { say, streams } = dialect === 'claude' ? overSocket(server) : overHttp(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: { dialect, port, token: 'raw' },
    say,
    streams,
    notify: (method, params) => say(JSON.stringify({ jsonrpc: '2.0', method, params })),
  };
}

function overSocket(server: Server): Pick<RawCompanion, 'say' | 'streams'> {
  const sockets = new WebSocketServer({ server, handleProtocols: () => 'mcp' });
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => {
      const answer = answerTo(JSON.parse(data.toString()), ['openDiff']);
      if (answer) socket.send(JSON.stringify(answer));
    });
  });
  return {
    say: (text) => {
      for (const socket of sockets.clients) socket.send(text);
    },
    streams: () => sockets.clients.size,
  };
}

function overHttp(server: Server): Pick<RawCompanion, 'say' | 'streams'> {
  const streams = new Set<ServerResponse>();
  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
      streams.add(response);
      response.on('close', () => streams.delete(response));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const answer = text === '' ? undefined : answerTo(JSON.parse(text), ['openDiff', 'closeDiff']);
    if (!answer) return void response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'raw-session' });
    response.end(JSON.stringify(answer));
  });
  return {
    say: (text) => {
      for (const stream of streams) stream.write(`data: ${text}\n\n`);
    },
    streams: () => streams.size,
  };
}
