import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { PermissionAnswer, PromptBlock, Vote } from '../connection.ts';
import type { DaemonClient } from './client.ts';
import { Cursor } from './cursor.ts';
import { type Asking, DaemonRefusal, DaemonUnreachable, unreachable } from './http.ts';
import {
  Admitted,
  Context,
  Continued,
  Created,
  Envelope,
  type PendingPrompt,
  PendingPrompts,
  Removed,
  Restored,
  SessionSummaryWire,
} from './schema.ts';
import { SseParser } from './sse.ts';

export interface SessionRequest {
  readonly cwd: string;
  /** Always sent: the daemon's own default writes unasked, and it forgets what a session had before. */
  readonly approvalMode: string;
}

/** The daemon says something every 15 s. */
const IDLE_MS = 45_000;

/** One session on a daemon, seen by one client. */
export class DaemonSessionClient {
  readonly id: string;
  readonly cwd: string;
  readonly clientId: string;
  readonly cursor: Cursor;
  readonly #client: DaemonClient;

  private constructor(client: DaemonClient, created: z.infer<typeof Created>, cursor: Cursor) {
    this.#client = client;
    this.id = created.sessionId;
    this.cwd = created.workspaceCwd;
    this.clientId = created.clientId;
    this.cursor = cursor;
  }

  /** A new conversation of its own, or (`single`) the one that all clients of the folder share. */
  static async createOrAttach(
    client: DaemonClient,
    { cwd, approvalMode, scope = 'thread' }: SessionRequest & { readonly scope?: 'thread' | 'single' },
  ): Promise<DaemonSessionClient> {
    // An id of ours makes it safe to ask twice.
    const id = scope === 'thread' && client.has('session_id_override') ? { sessionId: randomUUID() } : {};
    const body = { cwd, approvalMode, sessionScope: scope, ...id };
    const created = await client.http.ask('/session', Created, { method: 'POST', body });
    return new DaemonSessionClient(client, created, new Cursor(0));
  }

  /** The history comes along; what follows it begins at the cursor. */
  static load(client: DaemonClient, id: string, request: SessionRequest): Promise<[DaemonSessionClient, Restored]> {
    return DaemonSessionClient.#restore(client, id, 'load', request);
  }

  static resume(client: DaemonClient, id: string, request: SessionRequest): Promise<[DaemonSessionClient, Restored]> {
    return DaemonSessionClient.#restore(client, id, 'resume', request);
  }

  static async #restore(
    client: DaemonClient,
    id: string,
    how: 'load' | 'resume',
    { cwd, approvalMode }: SessionRequest,
  ): Promise<[DaemonSessionClient, Restored]> {
    const path = `/session/${encodeURIComponent(id)}/${how}`;
    const restored = await client.http.ask(path, Restored, { method: 'POST', body: { cwd, approvalMode } });
    const cursor = new Cursor(restored.lastEventId ?? 0, restored.eventEpoch);
    return [new DaemonSessionClient(client, restored, cursor), restored];
  }

  /**
   * The events after the cursor, each exactly once over any number of calls: the cursor moves on when the next event
   * is asked for, which is when the one before was handled. Ends or throws when the connection drops.
   */
  async *events(signal: AbortSignal): AsyncGenerator<Envelope> {
    const headers = { ...this.#identity, ...this.cursor.headers };
    const body = await this.#client.http.stream(`${this.#path}/events`, { headers, signal, idleMs: IDLE_MS });
    this.cursor.open(String(body.headers['x-qwen-event-epoch'] ?? ''));
    const parser = new SseParser();
    try {
      for await (const chunk of body) {
        for (const frame of parser.push(chunk as Uint8Array)) {
          const envelope = this.#read(frame.data);
          if (envelope.id !== undefined && !this.cursor.isNew(envelope.id)) continue;
          yield envelope;
          if (envelope.id !== undefined) this.cursor.advance(envelope.id);
        }
      }
    } catch (error) {
      throw unreachable(error);
    } finally {
      body.destroy();
    }
  }

  async prompt(blocks: readonly PromptBlock[]): Promise<string> {
    const { promptId } = await this.#ask('/prompt', Admitted, { method: 'POST', body: { prompt: blocks } });
    return promptId;
  }

  async pendingPrompts(): Promise<readonly PendingPrompt[]> {
    return (await this.#ask('/pending-prompts', PendingPrompts)).pendingPrompts;
  }

  async removePending(promptId: string): Promise<boolean> {
    const path = `/pending-prompts/${encodeURIComponent(promptId)}`;
    return (await this.#ask(path, Removed, { method: 'DELETE' })).removed;
  }

  async cancel(): Promise<void> {
    await this.#post('/cancel', {});
  }

  async continueTurn(): Promise<string | undefined> {
    const { accepted, promptId } = await this.#ask('/continue', Continued, { method: 'POST', body: {} });
    return accepted ? promptId : undefined;
  }

  /** The answer holds a masked key and an address; it is not even read. */
  async setModel(modelId: string): Promise<void> {
    await this.#post('/model', { modelId });
  }

  async setMode(mode: string): Promise<void> {
    await this.#post('/approval-mode', { mode });
  }

  async setOption(configId: string, value: string): Promise<void> {
    await this.#post('/config-option', { configId, value });
  }

  /** The first vote counts. A later one finds nothing to vote on, which is no error. */
  async respondToPermission(
    requestId: string,
    answer: PermissionAnswer,
    answers?: Readonly<Record<string, string>>,
  ): Promise<Vote> {
    const outcome = 'optionId' in answer ? { outcome: 'selected', ...answer } : { outcome: 'cancelled' };
    try {
      await this.#post(`/permission/${encodeURIComponent(requestId)}`, { outcome, ...(answers ? { answers } : {}) });
      return 'counted';
    } catch (error) {
      if (error instanceof DaemonRefusal && error.status === 404 && error.code === undefined) return 'late';
      throw error;
    }
  }

  context(): Promise<Context> {
    return this.#ask('/context', Context);
  }

  status(): Promise<z.infer<typeof SessionSummaryWire>> {
    return this.#ask('/status', SessionSummaryWire);
  }

  async heartbeat(): Promise<void> {
    await this.#post('/heartbeat', {});
  }

  /** The last one to leave ends the session; its history stays. */
  async detach(): Promise<void> {
    await this.#client.http.send(`${this.#path}/detach`, {
      method: 'POST',
      body: {},
      headers: this.#identity,
      timeoutMs: 2_000,
    });
  }

  get #path(): string {
    return `/session/${encodeURIComponent(this.id)}`;
  }

  get #identity(): Record<string, string> {
    return { 'x-qwen-client-id': this.clientId };
  }

  #ask<T extends z.ZodType>(path: string, answer: T, asking: Asking = {}): Promise<z.infer<T>> {
    return this.#client.http.ask(`${this.#path}${path}`, answer, { ...asking, headers: this.#identity });
  }

  async #post(path: string, body: object): Promise<void> {
    await this.#client.http.send(`${this.#path}${path}`, { method: 'POST', body, headers: this.#identity });
  }

  #read(data: string): Envelope {
    const envelope = Envelope.safeParse(this.#client.http.parse(data));
    if (envelope.success) return envelope.data;
    throw new DaemonUnreachable('the daemon sent an event that is not of protocol v1');
  }
}
