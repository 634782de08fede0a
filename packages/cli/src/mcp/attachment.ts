import { type ClientRequest, request } from 'node:http';
import type { CompanionRecord } from '@tandem/core';
import { ask, findCompanion } from '../control-client.ts';
import { CommandError } from '../errors.ts';

export interface Introduction {
  readonly name: string;
  readonly version?: string | undefined;
}

interface Attached {
  readonly companion: CompanionRecord;
  readonly link: string;
  readonly stream: ClientRequest;
}

/**
 * Our place at this folder's companion. One request stays open for as long as we are here: when it ends, from whichever
 * side, the companion takes our reviews away. A companion that restarts is found again with the next question.
 */
export class Attachment {
  readonly #port: number | undefined;
  readonly #introduction: () => Introduction;
  #attached: Promise<Attached> | undefined;
  #closed = false;

  constructor(port: number | undefined, introduction: () => Introduction) {
    this.#port = port;
    this.#introduction = introduction;
  }

  /** Rejects with a `CommandError` that says what is missing and what to do. */
  async ask<T>(verb: string, input: object = {}, signal?: AbortSignal): Promise<T> {
    const { companion, link } = await this.attach();
    return ask<T>(companion, `guest/${verb}`, { ...input, link }, signal);
  }

  attach(): Promise<Attached> {
    if (this.#closed) return Promise.reject(new CommandError(1, 'the MCP client is gone'));
    this.#attached ??= this.#find().catch((error) => {
      this.#attached = undefined; // the next question looks again
      throw error;
    });
    return this.#attached;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const attached = await this.#attached?.catch(() => undefined);
    attached?.stream.destroy();
  }

  async #find(): Promise<Attached> {
    const companion = await findCompanion(this.#port);
    const { name, version } = this.#introduction();
    const body = JSON.stringify({ name, ...(version ? { version } : {}), pid: process.pid });
    const headers = { authorization: `Bearer ${companion.controlToken}`, 'content-type': 'application/json' };
    const place = { host: '127.0.0.1', port: companion.port, path: '/control/attach', method: 'POST', agent: false };
    const stream = request({ ...place, headers });
    const link = await new Promise<string>((resolve, reject) => {
      const gone = (error?: Error) => {
        this.#attached = undefined;
        reject(new CommandError(1, `the companion does not answer: ${error?.message ?? 'it hung up'}`));
      };
      stream.on('error', gone);
      stream.on('close', () => gone());
      stream.on('response', (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += text.includes('\n') ? '' : chunk;
          if (!text.includes('\n')) return;
          resolve((JSON.parse(text) as { link: string }).link);
        });
        response.on('error', gone);
        response.on('end', () => reject(refusal(response.statusCode ?? 0, text)));
      });
      stream.end(body);
    });
    return { companion, link, stream };
  }
}

function refusal(status: number, text: string): CommandError {
  if (status === 404) return new CommandError(1, 'the companion is an older Tandem', 'restart it');
  try {
    return new CommandError(1, (JSON.parse(text) as { error: string }).error);
  } catch {
    return new CommandError(1, `the companion answered ${status}`);
  }
}
