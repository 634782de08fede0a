import { type JSONRPCMessage, Server, type Transport } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { House } from '../house.ts';

/** The MCP object of one link; never shared between two. */
export function createProtocol(house: House, dialect: string, link: string): Server {
  const server = new Server(
    { name: 'tandem', title: 'Tandem', version: house.version },
    { capabilities: { tools: {} } },
  );
  server.onerror = (error) => house.log('debug', `${dialect} ${link}: ${error.message}`);
  return server;
}

/**
 * Sends a notification that fits its schema (ALL-10). One that does not is held back, because a single malformed one
 * disconnects some agents for good; the answer then says what was wrong with it.
 */
export function notify<Schemas extends Readonly<Record<string, z.ZodObject>>, Method extends keyof Schemas & string>(
  server: Server,
  schemas: Schemas,
  method: Method,
  params: z.infer<Schemas[Method]>,
): string | undefined {
  const checked = schemas[method]?.safeParse(params);
  if (!checked?.success) {
    return `a ${method} was held back: ${checked?.error.issues.map((issue) => issue.path.join('.')).join(', ')}`;
  }
  // The agent may be gone this moment; its reviews are closed elsewhere.
  server.notification({ method, params }).catch((error: Error) => server.onerror?.(error));
  return undefined;
}

/** Shows every message of a transport to whoever records the wire. */
export function tapped<T extends Transport>(transport: T, house: House, dialect: string, link: string): T {
  const wire = house.wire;
  if (!wire) return transport;
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    wire({ dialect, link, direction: 'out', message });
    return send(message, options);
  };
  let receive: Transport['onmessage'];
  Object.defineProperty(transport, 'onmessage', {
    get: () => receive,
    set: (listener: Transport['onmessage']) => {
      receive = (message: JSONRPCMessage, extra) => {
        wire({ dialect, link, direction: 'in', message });
        listener?.(message, extra);
      };
    },
  });
  return transport;
}
