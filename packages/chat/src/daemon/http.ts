import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type * as z from 'zod';
import { ErrorBody } from './schema.ts';

/** Where a daemon is. This never leaves the host process. */
export interface DaemonAddress {
  readonly url: string;
  readonly token: string | undefined;
}

/** The daemon answered, and it was a no. Its words only; no address. */
export class DaemonRefusal extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly body: z.infer<typeof ErrorBody>;

  constructor(status: number, body: z.infer<typeof ErrorBody>) {
    super(body.data?.details ?? body.error ?? `the daemon answered ${status}`);
    this.status = status;
    this.code = body.code === undefined ? undefined : String(body.code);
    this.body = body;
  }
}

/** No answer: refused, dropped, or silent for too long. */
export class DaemonUnreachable extends Error {
  /** Nobody listens there: whoever answers next is another daemon. */
  readonly nobody: boolean;

  constructor(message: string, nobody = false) {
    super(message);
    this.nobody = nobody;
  }
}

export interface Asking {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** The first request may wait until the daemon's runtime is up, a load until a long history is read. */
const TIMEOUT_MS = 70_000;
const MAX_ANSWER = 128 * 1024 * 1024;
/** A shorter one may be a word. */
const SECRET_LENGTH = 8;

/** Speaks HTTP to one daemon. Each request has a socket of its own: the daemon drops idle ones after five seconds. */
export class DaemonHttp {
  readonly #base: URL;
  readonly #token: string | undefined;

  constructor({ url, token }: DaemonAddress) {
    this.#base = new URL(url);
    this.#token = token?.trim() || undefined;
  }

  /** What our own words must not hold. */
  get secrets(): readonly string[] {
    return [...(this.#token === undefined ? [] : [this.#token]), this.#base.origin, this.#base.host];
  }

  /** JSON of the daemon, `undefined` for anything else. An agent that prints its environment must not carry our token on. */
  parse(text: string): unknown {
    const secret = this.#token;
    if (secret === undefined || secret.length < SECRET_LENGTH || !text.includes(secret)) return jsonOf(text);
    return jsonOf(text, (_, value) => (typeof value === 'string' ? value.replaceAll(secret, '[secret]') : value));
  }

  async ask<T extends z.ZodType>(path: string, answer: T, asking: Asking = {}): Promise<z.infer<T>> {
    const text = await this.send(path, asking);
    const parsed = answer.safeParse(this.parse(text));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw new DaemonUnreachable(`the daemon's answer is not understood: ${issue?.path.join('.')} ${issue?.message}`);
  }

  async send(path: string, asking: Asking = {}): Promise<string> {
    const body = asking.body === undefined ? undefined : Buffer.from(JSON.stringify(asking.body));
    const length = body ? { 'content-type': 'application/json', 'content-length': String(body.length) } : {};
    const response = await this.#open(
      path,
      {
        method: asking.method ?? 'GET',
        headers: { accept: 'application/json', ...length, ...asking.headers },
        timeout: asking.timeoutMs ?? TIMEOUT_MS,
      },
      body,
    );
    const text = await readAll(response);
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return text;
    throw refusal(status, text);
  }

  /** An event stream; `idleMs` without a byte counts as a drop. */
  async stream(
    path: string,
    options: { headers: Readonly<Record<string, string>>; signal: AbortSignal; idleMs: number },
  ): Promise<IncomingMessage> {
    const { headers, signal, idleMs } = options;
    const response = await this.#open(path, {
      method: 'GET',
      headers: { accept: 'text/event-stream', ...headers },
      timeout: idleMs,
      signal,
    });
    if (response.statusCode === 200) return response;
    throw refusal(response.statusCode ?? 0, await readAll(response));
  }

  #open(path: string, options: RequestOptions, body?: Buffer): Promise<IncomingMessage> {
    const url = new URL(path, this.#base);
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const authorization = this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` };
    return new Promise((resolve, reject) => {
      const headers = { ...authorization, ...(options.headers as Record<string, string>) };
      const request = send(url, { ...options, headers, agent: false }, resolve);
      request.on('timeout', () => request.destroy(new DaemonUnreachable('the daemon does not answer')));
      request.on('error', (error) => reject(unreachable(error)));
      request.end(body);
    });
  }
}

async function readAll(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > MAX_ANSWER) throw new DaemonUnreachable("the daemon's answer is too large");
    }
  } catch (error) {
    throw unreachable(error);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Node's own messages name the address. */
export function unreachable(error: unknown): Error {
  if (error instanceof DaemonUnreachable || error instanceof DaemonRefusal) return error;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ABORT_ERR') return new DaemonUnreachable('the connection was given up');
  if (code === 'ECONNREFUSED') return new DaemonUnreachable('no daemon answers at its address', true);
  return new DaemonUnreachable(`the connection to the daemon broke${code === undefined ? '' : ` (${code})`}`);
}

/** Unknown routes answer with a page, not with JSON. */
function refusal(status: number, text: string): DaemonRefusal {
  const body = ErrorBody.safeParse(jsonOf(text));
  return new DaemonRefusal(status, body.success ? body.data : ErrorBody.parse({}));
}

function jsonOf(text: string, reviver?: (key: string, value: unknown) => unknown): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text, reviver);
  } catch {
    return undefined;
  }
}
