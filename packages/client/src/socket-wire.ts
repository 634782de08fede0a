import { Client, type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { WebSocket } from 'ws';
import type { Endpoint } from './endpoint.ts';
import { listTools, toolResult } from './tools.ts';
import { ConnectError, failureOf, NO_TIMEOUT_MS, type OpenWire, refusedToken, type WireEvents } from './wire.ts';

const HANDSHAKE_MS = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Claude Code's wire: MCP over one WebSocket. */
export const openSocketWire: OpenWire = async (endpoint, agent, events) => {
  const socket = await openSocket(endpoint);
  const client = new Client(agent, { capabilities: {} });
  let up = false;
  client.fallbackNotificationHandler = async ({ method, params }) => events.notified(method, params);
  client.onclose = () => {
    if (up) events.lost(false); // this dialect has no session: whatever was open there is gone
    up = false;
  };
  try {
    await client.connect(new SocketTransport(socket, events));
    await client.notification({ method: 'ide_connected', params: { pid: process.pid } });
    const tools = await listTools(client);
    const server = client.getServerVersion() ?? { name: '', version: '' };
    if (socket.readyState !== socket.OPEN) throw new ConnectError('refused', 'the companion hung up at once');
    up = true;
    return {
      endpoint,
      server,
      tools,
      call: async (name, input, signal) =>
        toolResult(
          await client.callTool(
            { name, arguments: { ...input } },
            { timeout: NO_TIMEOUT_MS, ...(signal ? { signal } : {}) },
          ),
        ),
      notify: (method, params) => client.notification({ method, params: { ...params } }),
      close: async () => {
        up = false;
        await client.close();
      },
    };
  } catch (error) {
    socket.terminate();
    throw failureOf(error, endpoint);
  }
};

function openSocket(endpoint: Endpoint): Promise<WebSocket> {
  const { host = '127.0.0.1', port, token } = endpoint;
  const socket = new WebSocket(`ws://${host}:${port}/`, ['mcp'], {
    headers: token === undefined ? {} : { 'x-claude-code-ide-authorization': token },
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: MAX_BYTES,
  });
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.on('error', (error) => reject(failureOf(error, endpoint)));
    socket.once('unexpected-response', (_request, response) => {
      socket.terminate();
      const { statusCode } = response;
      if (statusCode === 401) reject(refusedToken(endpoint));
      else reject(new ConnectError('not a companion', `port ${port} answered ${statusCode} instead of a WebSocket`));
    });
  });
}

/** By hand because the library has no WebSocket client; this one needs a header and the subprotocol. */
class SocketTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #socket: WebSocket;
  readonly #events: WireEvents;

  constructor(socket: WebSocket, events: WireEvents) {
    this.#socket = socket;
    this.#events = events;
  }

  async start(): Promise<void> {
    this.#socket.on('message', (data) => this.#receive(data.toString()));
    this.#socket.on('close', () => this.onclose?.());
    this.#socket.on('error', (error) => this.onerror?.(error));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#socket.readyState !== this.#socket.OPEN) throw new Error('the connection is closed');
    this.#socket.send(JSON.stringify(message));
  }

  async close(): Promise<void> {
    this.#socket.close();
  }

  /** As Claude Code does: what is no message is left out, and the connection stays. */
  #receive(text: string): void {
    try {
      this.onmessage?.(parseJSONRPCMessage(JSON.parse(text)));
    } catch (error) {
      this.#events.garbled(error as Error);
    }
  }
}
