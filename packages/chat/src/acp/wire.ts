import { Readable, Writable } from 'node:stream';
import { type AnyMessage, type ClientConnection, client, ndJsonStream, RequestError } from '@agentclientprotocol/sdk';
import type { Log } from '@tandem/core';
import * as z from 'zod';
import type { Child } from '../child.ts';
import { Elicitation } from './elicitation.ts';
import { PermissionWire } from './schema.ts';

/** What an agent may ask of us or tell us. */
export interface WireHost {
  update(sessionId: string, update: unknown): void;
  permission(wire: PermissionWire, signal: AbortSignal): Promise<object>;
  elicitation(wire: Elicitation, signal: AbortSignal): Promise<object>;
  read(request: ReadRequest): Promise<object>;
  write(request: WriteRequest): Promise<object>;
  /** Something beyond the protocol. */
  extra(method: string, params: unknown): void;
  readonly log: Log;
}

export type ReadRequest = z.infer<typeof ReadRequest>;
export type WriteRequest = z.infer<typeof WriteRequest>;

const Update = z.object({ sessionId: z.string(), update: z.unknown() });
const ReadRequest = z.object({ path: z.string(), line: z.number().nullish(), limit: z.number().nullish() });
const WriteRequest = z.object({ path: z.string(), content: z.string() });

const MAX_MESSAGE = 128 * 1024 * 1024;

/**
 * The protocol on a child's streams. Params are read with our own schemas, not the library's: agents send fields and
 * updates that its version does not know, and one unknown field must not cost the message.
 */
export function connect(child: Child, host: WireHost): ClientConnection {
  const { stdin, stdout } = child.process;
  if (!stdin || !stdout) throw new Error('the agent has no streams');
  stdin.on('error', () => undefined); // the exit tells it
  const { writable, readable } = ndJsonStream(
    Writable.toWeb(stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(stdout) as ReadableStream<Uint8Array>,
    { maxMessageBytes: MAX_MESSAGE },
  );
  return client({ name: 'tandem' })
    .onRequest('session/request_permission', parser(PermissionWire), ({ params, signal }) =>
      host.permission(params, signal),
    )
    .onRequest('elicitation/create', parser(Elicitation), ({ params, signal }) => host.elicitation(params, signal))
    .onRequest('fs/read_text_file', parser(ReadRequest), ({ params }) => host.read(params))
    .onRequest('fs/write_text_file', parser(WriteRequest), ({ params }) => host.write(params))
    .onRequest('*', ({ method }) => {
      host.log('debug', `the agent asked for ${method}, which is not offered`);
      throw RequestError.methodNotFound(method);
    })
    .onNotification('*', ({ method, params }) => host.extra(method, params))
    .connect({ writable, readable: readable.pipeThrough(updatesTo(host)) });
}

/** The library drops each update that its own schema does not know, before any handler sees it; so they go past it. */
function updatesTo(host: WireHost): TransformStream<AnyMessage, AnyMessage> {
  return new TransformStream({
    transform(message, controller) {
      if (!('method' in message) || message.method !== 'session/update') return controller.enqueue(message);
      const update = Update.safeParse(message.params);
      if (update.success) host.update(update.data.sessionId, update.data.update);
    },
  });
}

function parser<T extends z.ZodType>(type: T): (params: unknown) => z.infer<T> {
  return (params) => {
    const parsed = type.safeParse(params);
    if (parsed.success) return parsed.data;
    throw RequestError.invalidParams({ issue: parsed.error.issues[0]?.message });
  };
}
