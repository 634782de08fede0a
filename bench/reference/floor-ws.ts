import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { Launch } from '../subject.ts';

/** The least that sends on a WebSocket. */
export const launch: Launch = async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  const broadcast = (text: string) => {
    for (const socket of server.clients) socket.send(text);
  };
  return {
    port: (server.address() as AddressInfo).port,
    tokens: { http: '' },
    open: async () => {},
    select: broadcast,
    broadcast,
    async stop() {
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
