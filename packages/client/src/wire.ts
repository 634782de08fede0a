import type { Endpoint } from './endpoint.ts';

export type ConnectFailure =
  /** No file of a companion fits. */
  | 'nobody'
  /** Nothing listens there. */
  | 'refused'
  /** It listens, and does not take our token. */
  | 'unauthorized'
  /** Something answers, but not as a companion. */
  | 'not a companion';

export class ConnectError extends Error {
  readonly code: ConnectFailure;

  constructor(code: ConnectFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Asked for something while no companion is connected, or the connection broke before the answer. */
export class NotConnected extends Error {}

/** The companion did not announce it, so it was not asked. */
export class Unsupported extends Error {}

export interface ToolResult {
  readonly texts: readonly string[];
  readonly isError: boolean;
}

/** One connection to one companion. */
export interface Wire {
  readonly endpoint: Endpoint;
  /** How the other end calls itself in the handshake. */
  readonly server: { readonly name: string; readonly version: string };
  /** The tools it announced. */
  readonly tools: ReadonlySet<string>;
  call(tool: string, input: object, signal?: AbortSignal): Promise<ToolResult>;
  notify(method: string, params: object): Promise<void>;
  /** After a loss: comes back with the same session if the companion lets it. Absent where there is no session. */
  resume?(): Promise<boolean>;
  close(): Promise<void>;
}

export interface WireEvents {
  notified(method: string, params: unknown): void;
  /** The connection broke. `cleanly`: the companion said goodbye and may be back, so nothing of ours is forgotten there. */
  lost(cleanly: boolean, askedToWaitMs?: number): void;
  /** Something came that is no message; it is left out. */
  garbled(error: Error): void;
}

/** How we introduce ourselves. */
export interface AgentName {
  readonly name: string;
  /** As people write it. */
  readonly title: string;
  readonly version: string;
}

export type OpenWire = (endpoint: Endpoint, agent: AgentName, events: WireEvents) => Promise<Wire>;

/** Above this Node fires a timer at once. A person may think as long as they like. */
export const NO_TIMEOUT_MS = 2 ** 31 - 1;

export function failureOf(error: unknown, { port }: Endpoint): ConnectError {
  if (error instanceof ConnectError) return error;
  const cause = (error as { cause?: unknown }).cause ?? error;
  const { code, message } = cause as { code?: string; message?: string };
  const options = { cause: error };
  if (code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === 'EHOSTUNREACH') {
    return new ConnectError('refused', `nothing answers on port ${port} (${code})`, options);
  }
  return new ConnectError('not a companion', `port ${port} did not answer as a companion: ${message}`, options);
}

export function refusedToken({ port }: Endpoint): ConnectError {
  return new ConnectError('unauthorized', `the companion on port ${port} does not take our token`);
}
