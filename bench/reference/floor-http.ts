import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Launch } from '../subject.ts';

/**
 * The least that answers: reads a JSON body and says yes; a GET is an event stream. No checks, no protocol, no files.
 * What is broadcast is written as it is, without encoding.
 */
export const launch: Launch = async () => {
  const streams = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('retry: 1000\n\n');
      streams.add(response);
      response.once('close', () => streams.delete(response));
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id } = JSON.parse(Buffer.concat(chunks).toString());
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'floor' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const broadcast = (text: string) => {
    for (const stream of streams) stream.write(text);
  };
  return {
    port: (server.address() as AddressInfo).port,
    tokens: { http: '' },
    open: async () => {},
    select: broadcast,
    broadcast,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
