import type { ServerResponse } from 'node:http';
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server';
import { isMessage, notAMessage, rpcErrorBody } from './message.ts';

/** Notifications kept for a stream that is away for a moment. */
const MAX_QUEUED = 256;
const EVENT_STREAM = 'text/event-stream';
const MAX_UNREAD_BYTES = 128 * 1024 * 1024;

/** What an agent is told to wait before it opens its stream again. */
export interface StreamWaits {
  readonly retryMs: number;
  readonly restartMs: number;
}

/**
 * One MCP session over streamable HTTP. Written by hand because the library's transport turns unknown session ids
 * away, which would end every agent at a restart, and cannot send keep-alive bytes or a `retry:` hint.
 */
export class HttpSession implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** The agent opened (or reopened) its event stream. */
  onstream?: () => void;
  /** The event stream is gone; it may come back. */
  onstreamlost?: () => void;
  readonly sessionId: string;
  readonly #waits: StreamWaits;
  readonly #waiting = new Map<RequestId, Waiting>();
  readonly #queue: string[] = [];
  #stream: ServerResponse | undefined;
  #mayLend = false;
  #closed = false;

  constructor(sessionId: string, waits: StreamWaits) {
    this.sessionId = sessionId;
    this.#waits = waits;
  }

  async start(): Promise<void> {}

  get hasStream(): boolean {
    return this.#stream !== undefined;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const text = JSON.stringify(message);
    if (!('method' in message) && message.id !== undefined) {
      this.#waiting.get(message.id)?.answer(text);
      this.#waiting.delete(message.id);
    } else if (this.#stream) this.#write(this.#stream, frame(text));
    else if (this.#queue.push(text) > MAX_QUEUED) this.#queue.shift();
  }

  /** An agent that has stopped reading must not fill our memory. */
  #write(stream: ServerResponse, text: string): void {
    stream.write(text);
    if (stream.writableLength > MAX_UNREAD_BYTES) stream.destroy();
  }

  /** Nothing but bytes, so that the agent's time-out does not strike. */
  keepAlive(): void {
    this.#stream?.write(': keep-alive\n\n');
  }

  /**
   * The session began with the companion before us, and its stream comes back only after a while. Until then an answer
   * may go out as a stream and stay open, so that a decision or a selection does not have to wait.
   */
  lendAnswers(): void {
    this.#mayLend = true;
  }

  /** The answer to a POST: the answers to its requests, or 202 when it holds none. */
  accept(body: unknown, response: ServerResponse): void {
    const batch = Array.isArray(body);
    const messages: unknown[] = batch ? body : [body];
    if (messages.length === 0 || !messages.every(isMessage)) {
      reply(response, 400, notAMessage(batch ? undefined : body));
      return;
    }
    const ids = messages.flatMap((message) => ('method' in message && 'id' in message ? [message.id] : []));
    if (new Set(ids).size < ids.length || ids.some((id) => this.#waiting.has(id))) {
      rpcError(response, 400, -32600, 'a request with this id is still being answered');
      return;
    }
    if (ids.length === 0) response.writeHead(202, { 'mcp-session-id': this.sessionId }).end();
    else {
      const lend = this.#mayLend && !this.#stream && !batch && accepts(response, EVENT_STREAM);
      const exchange = lend ? this.#lend(response) : new Exchange(response, this.sessionId, ids.length, batch);
      for (const id of ids) this.#waiting.set(id, exchange);
      response.once('close', () => {
        for (const id of ids) if (this.#waiting.get(id) === exchange) this.#waiting.delete(id);
      });
    }
    for (const message of messages) {
      try {
        this.onmessage?.(message);
      } catch (error) {
        this.onerror?.(error as Error); // the library may choke on what it tries to describe
      }
    }
  }

  openStream(response: ServerResponse): void {
    this.#mayLend = false;
    this.#begin(response, `retry: ${this.#waits.retryMs}\n\n`);
  }

  #lend(response: ServerResponse): Waiting {
    this.#begin(response, ': lent until the stream is back\n\n');
    return { answer: (text) => this.#write(response, frame(text)) };
  }

  #begin(response: ServerResponse, hint: string): void {
    this.#stream?.end(); // lent, or the agent came back before we knew that it had gone
    this.#stream = response;
    response.writeHead(200, {
      'content-type': EVENT_STREAM,
      'cache-control': 'no-cache, no-transform',
      'mcp-session-id': this.sessionId,
    });
    response.write(hint);
    for (const text of this.#queue.splice(0)) response.write(frame(text));
    // Not the request's event: that one fires as soon as the empty body is read.
    response.once('close', () => {
      if (this.#stream !== response) return;
      this.#stream = undefined;
      if (!this.#closed) this.onstreamlost?.();
    });
    this.onstream?.();
  }

  /** Ends the stream with FIN: a reset would make the agent show "disconnected". */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#stream?.end(`retry: ${this.#waits.restartMs}\n\n`);
    this.onclose?.();
  }
}

interface Waiting {
  answer(text: string): void;
}

/** A POST that waits for the answers to its requests. */
class Exchange implements Waiting {
  readonly #response: ServerResponse;
  readonly #sessionId: string;
  readonly #expected: number;
  readonly #batch: boolean;
  readonly #answers: string[] = [];

  constructor(response: ServerResponse, sessionId: string, expected: number, batch: boolean) {
    this.#response = response;
    this.#sessionId = sessionId;
    this.#expected = expected;
    this.#batch = batch;
  }

  answer(text: string): void {
    this.#answers.push(text);
    if (this.#answers.length < this.#expected) return;
    this.#response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': this.#sessionId });
    this.#response.end(this.#batch ? `[${this.#answers.join(',')}]` : this.#answers[0]);
  }
}

export function rpcError(response: ServerResponse, status: number, code: number, message: string): void {
  reply(response, status, rpcErrorBody(null, code, message));
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function accepts(response: ServerResponse, type: string): boolean {
  return response.req.headers.accept?.includes(type) ?? false;
}

function frame(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}
