import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { listTools, toolResult } from './tools.ts';
import { ConnectError, failureOf, type OpenWire, refusedToken } from './wire.ts';

/** The agents' own limit for the answer to a tool call. */
const CALL_MS = 600_000;
const STREAM_MS = 10_000;

/** Gemini CLI's and Qwen Code's wire: MCP over streamable HTTP, with a session that outlives its stream. */
export const openHttpWire: OpenWire = async (endpoint, agent, events) => {
  const { host = '127.0.0.1', port, token } = endpoint;
  const stream = new Stream();
  let up = false;
  let broken = false;
  /** It broke while the handshake was still going on. */
  let early: (() => void) | undefined;
  /** The transport's own way back, which knows the session; taken when we say so. */
  let again: (() => void) | undefined;
  const transport = new StreamableHTTPClientTransport(new URL(`http://${host}:${port}/mcp`), {
    requestInit: { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } },
    fetch: async (url, init) => {
      if (init?.method !== 'GET') return checked(await fetch(url, init));
      const response = await fetch(url, init).catch((error) => {
        stream.settle(false);
        throw error;
      });
      stream.settle(response.ok || response.status === 405); // 405: it has no stream and never tells anything
      return response;
    },
    reconnectionOptions: {
      initialReconnectionDelay: 0,
      maxReconnectionDelay: 0,
      reconnectionDelayGrowFactor: 1,
      maxRetries: Number.POSITIVE_INFINITY,
    },
    reconnectionScheduler: (reconnect, delay, attempt) => {
      again = reconnect;
      if (attempt > 0) return;
      const cleanly = !broken;
      broken = false;
      if (up) events.lost(cleanly, delay);
      else early = () => events.lost(cleanly, delay);
    },
  });
  const client = new Client(agent, { capabilities: {} });
  client.fallbackNotificationHandler = async ({ method, params }) => events.notified(method, params);
  client.onerror = (error) => {
    if (error.message.startsWith('SSE stream disconnected')) broken = true;
    else if (error.name === 'ZodError' || error instanceof SyntaxError) events.garbled(error);
  };
  const checked = (response: Response): Response => {
    if (response.status === 401) throw refusedToken(endpoint);
    return response;
  };
  try {
    const opened = stream.next();
    await client.connect(transport);
    const tools = await listTools(client);
    if (!(await opened)) throw new ConnectError('not a companion', `port ${port} does not give us its event stream`);
    up = true;
    if (early) setImmediate(early);
    return {
      endpoint,
      server: client.getServerVersion() ?? { name: '', version: '' },
      tools,
      call: async (name, input, signal) =>
        toolResult(
          await client.callTool({ name, arguments: { ...input } }, { timeout: CALL_MS, ...(signal ? { signal } : {}) }),
        ),
      notify: (method, params) => client.notification({ method, params: { ...params } }),
      resume: () => {
        const outcome = stream.next();
        again?.();
        return outcome;
      },
      close: async () => {
        up = false;
        // So that the companion need not wait for us; one that does not know the request does not matter.
        await transport.terminateSession().catch(() => {});
        await client.close();
      },
    };
  } catch (error) {
    await client.close();
    throw failureOf(error, endpoint);
  }
};

/** Whether the next attempt to open the event stream works. */
class Stream {
  #settle: ((ok: boolean) => void) | undefined;

  next(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), STREAM_MS).unref();
      this.#settle = (ok) => {
        clearTimeout(timer);
        resolve(ok);
      };
    });
  }

  settle(ok: boolean): void {
    this.#settle?.(ok);
  }
}
