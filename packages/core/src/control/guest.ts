import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import type { Companion } from '../companion.ts';
import type { LedgerEntry } from '../editor/ledger.ts';
import type { AgentInfo, Link } from '../links.ts';
import { LinksFull } from '../links.ts';
import { Refusal } from '../refusal.ts';

export const introduction = z.object({
  name: z.string().min(1).max(200),
  version: z.string().max(100).optional(),
  pid: z.int().positive().optional(),
});

/** Bytes on an idle stream, so that a guest that vanished is noticed. */
const BREATH_MS = 25_000;

/**
 * An agent without a dialect of its own: it came over the control endpoint (`tandem mcp`) and asks. The request that it
 * came with stays open; when it ends, the guest has left, and its reviews with it.
 */
export class GuestLink implements Link {
  readonly id = `mcp-${randomUUID().slice(0, 8)}`;
  readonly since = Date.now();
  readonly session = '';
  /** It looks for the next companion by itself. */
  readonly returnsByItself = true;
  readonly agent: AgentInfo;
  readonly #companion: Companion;
  readonly #stream: ServerResponse;

  constructor(companion: Companion, stream: ServerResponse, { name, version, pid }: z.infer<typeof introduction>) {
    this.#companion = companion;
    this.#stream = stream;
    this.agent = {
      id: 'mcp',
      name,
      ...(version === undefined ? {} : { version }),
      ...(pid === undefined ? {} : { pid }),
    };
  }

  /** It is only ever asked. */
  context(): void {}

  note(what: LedgerEntry['what'], paths: readonly string[], text: string): void {
    this.#companion.ledger.note({ link: this.id, agent: this.agent.id, what, paths, text });
  }

  /** Until the other end goes or the companion stops. */
  stay(): void {
    this.#companion.links.add(this);
    const breath = setInterval(() => this.#stream.write('\n'), BREATH_MS);
    this.#stream.once('close', () => {
      clearInterval(breath);
      this.#companion.links.remove(this); // the desk withdraws its reviews
    });
    this.#stream.writeHead(200, { 'content-type': 'application/x-ndjson' });
    this.#stream.write(`${JSON.stringify({ link: this.id })}\n`);
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stream.closed) return resolve();
      this.#stream.once('close', () => resolve());
      this.#stream.end();
    });
  }
}

export function welcome(companion: Companion, stream: ServerResponse, input: z.infer<typeof introduction>): void {
  try {
    new GuestLink(companion, stream, input).stay();
  } catch (error) {
    if (error instanceof LinksFull) throw new Refusal(503, error.message);
    throw error;
  }
}

export function guestOf(companion: Companion, link: string): GuestLink {
  const guest = companion.links.all.find((each) => each.id === link);
  if (guest instanceof GuestLink) return guest;
  throw new Refusal(410, `${link} is not attached; attach first`);
}
