import { type JSONRPCMessage, Server, type Transport } from '@modelcontextprotocol/server';
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
