import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import type { Candidate } from '@tandem/client';
import type { AgentId } from '../../run/agents.ts';
import type { Probe } from '../model.ts';

const TIMEOUT_MS = 2_000;

/**
 * Knocks as the agent would, and goes before a link is made: over HTTP without a session, over WebSocket without a key
 * where the companion is ours and checks the token first; another one's token can only be tried with a whole handshake.
 */
export async function probe(agent: AgentId, candidate: Candidate, isOurs: boolean): Promise<Probe> {
  const { port, token } = candidate;
  if (port === undefined) return { answer: 'other', what: 'the file names no port' };
  const request = agent === 'claude' ? upgrade(port, token, isOurs) : get(port, token);
  const answer = await exchange(port, request);
  if (answer === 'refused' || answer === 'silent') return { answer };
  const status = Number(/^HTTP\/1\.\d (\d{3})/.exec(answer)?.[1]);
  if (Number.isNaN(status)) return { answer: 'other', what: 'a program that does not speak HTTP' };
  if (status === 401) return { answer: 'token' };
  if (status === 403) return { answer: 'host' };
  if (agent === 'claude') return ofUpgrade(status, answer, isOurs);
  const isStream = status === 200 && /^content-type: text\/event-stream/im.test(answer);
  return isStream || [400, 405, 406].includes(status) ? { answer: 'companion' } : other(status, answer);
}

function ofUpgrade(status: number, answer: string, isOurs: boolean): Probe {
  if (status === 101) {
    return /^sec-websocket-protocol: mcp\s*$/im.test(answer) ? { answer: 'companion' } : { answer: 'subprotocol' };
  }
  return isOurs && status === 400 ? { answer: 'companion' } : other(status, answer);
}

function other(status: number, answer: string): Probe {
  const server = /^server: (.*)$/im.exec(answer)?.[1]?.trim();
  return { answer: 'other', what: `${server ?? 'a web server'}, which answers ${status}` };
}

function get(port: number, token: string | undefined): string {
  return head('GET /mcp', port, [
    'Accept: text/event-stream',
    'Connection: close',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
  ]);
}

function upgrade(port: number, token: string | undefined, isOurs: boolean): string {
  return head('GET /', port, [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Protocol: mcp',
    ...(isOurs ? [] : [`Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`]),
    ...(token === undefined ? [] : [`X-Claude-Code-Ide-Authorization: ${token}`]),
  ]);
}

function head(line: string, port: number, headers: readonly string[]): string {
  // A token with a line break in it would be a header of its own.
  const safe = headers.map((header) => header.replace(/[\r\n]/g, ''));
  return [`${line} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...safe, '', ''].join('\r\n');
}

/** What comes back until the head is complete; bare sockets, because no proxy and no library may have a say. */
function exchange(port: number, request: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    let got = '';
    const done = (answer: string) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(TIMEOUT_MS, () => done(got || 'silent'));
    socket.once('connect', () => socket.write(request));
    socket.once('error', () => done(got || 'refused'));
    socket.once('close', () => done(got || 'an empty answer'));
    socket.on('data', (chunk: Buffer) => {
      got += chunk.toString('latin1');
      if (got.includes('\r\n\r\n') || got.length > 16_384) done(got);
    });
  });
}
