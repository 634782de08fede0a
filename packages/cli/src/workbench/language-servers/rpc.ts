import type { Readable, Writable } from 'node:stream';
import { FrameReader, frame } from './framing.ts';

const MAX_MESSAGE = 64 * 1024 * 1024;
/** More than this unread by the server: it hangs, and what is said to it would pile up here. */
const MAX_UNREAD = 64 * 1024 * 1024;
const METHOD_NOT_FOUND = -32601;

export interface RpcHandlers {
  notified(method: string, params: unknown): void;
  /** Answers a request of the server; `undefined` when it is not known. */
  asked(method: string, params: unknown): { result: unknown } | undefined;
  /** What came is no message: the connection is of no more use. */
  broken(why: string): void;
}

interface Waiting {
  readonly timer: NodeJS.Timeout;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** JSON-RPC with one language server over its standard streams. */
export class Rpc {
  readonly #output: Writable;
  readonly #handlers: RpcHandlers;
  readonly #waiting = new Map<number, Waiting>();
  #id = 0;
  #closed = false;

  constructor(input: Readable, output: Writable, handlers: RpcHandlers) {
    this.#output = output;
    this.#handlers = handlers;
    const reader = new FrameReader(MAX_MESSAGE);
    input.on('data', (chunk: Buffer) => {
      if (this.#closed) return;
      try {
        for (const message of reader.read(chunk)) this.#receive(message);
      } catch (error) {
        this.#break((error as Error).message);
      }
    });
    for (const stream of [input, output]) stream.on('error', () => {}); // the process's end tells more
  }

  request(method: string, params: unknown, ms: number, signal?: AbortSignal): Promise<unknown> {
    if (this.#closed) return Promise.reject(new Error('the language server is gone'));
    this.#id += 1;
    const id = this.#id;
    return new Promise((resolve, reject) => {
      const cancel = (why: string) => {
        if (!this.#waiting.delete(id)) return;
        this.notify('$/cancelRequest', { id });
        reject(new Error(why));
      };
      const timer = setTimeout(() => cancel(`no answer to ${method}`), ms);
      signal?.addEventListener('abort', () => cancel(`${method} was cancelled`), { once: true });
      this.#waiting.set(id, { timer, resolve, reject });
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  close(): void {
    this.#closed = true;
    for (const { timer, reject } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new Error('the language server is gone'));
    }
    this.#waiting.clear();
  }

  #receive(value: unknown): void {
    if (typeof value !== 'object' || value === null) return this.#break('not an object');
    const message = value as { id?: unknown; method?: unknown; params?: unknown; result?: unknown; error?: unknown };
    if (typeof message.method === 'string') {
      if (message.id === undefined) this.#handlers.notified(message.method, message.params);
      else this.#answer(message.id, message.method, message.params);
      return;
    }
    const waiting = typeof message.id === 'number' ? this.#waiting.get(message.id) : undefined;
    if (!waiting) return; // too late
    this.#waiting.delete(message.id as number);
    clearTimeout(waiting.timer);
    if (message.error) waiting.reject(new Error(String((message.error as { message?: unknown }).message)));
    else waiting.resolve(message.result);
  }

  #answer(id: unknown, method: string, params: unknown): void {
    const answer = this.#handlers.asked(method, params);
    this.#send({ id, ...(answer ?? { error: { code: METHOD_NOT_FOUND, message: `${method} is not known here` } }) });
  }

  #send(message: object): void {
    if (this.#closed || !this.#output.writable) return;
    if (this.#output.writableLength > MAX_UNREAD) return this.#break('it no longer reads');
    this.#output.write(frame({ jsonrpc: '2.0', ...message }));
  }

  #break(why: string): void {
    if (this.#closed) return;
    this.close();
    this.#handlers.broken(why);
  }
}
