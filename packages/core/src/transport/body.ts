import type { IncomingMessage } from 'node:http';

export type Body =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly status: 400 | 413; readonly why: string };

/** A JSON body of at most `max` bytes. The server's request time-out ends one that never comes. */
export function readJson(request: IncomingMessage, max: number): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = Number(request.headers['content-length'] ?? 0) > max ? Number.POSITIVE_INFINITY : 0;
    const refuse = (status: 400 | 413, why: string) => resolve({ ok: false, status, why });
    const tooLarge = () => refuse(413, `the message is larger than ${max} bytes`);
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= max) chunks.push(chunk);
      else {
        // The rest is read and dropped, so that the answer is not lost in a reset.
        chunks.length = 0;
        tooLarge();
      }
    });
    request.on('end', () => (size > max ? tooLarge() : resolve(parse(Buffer.concat(chunks)))));
    request.on('error', () => refuse(400, 'the message was cut off'));
    request.on('close', () => refuse(400, 'the message was cut off'));
  });
}

function parse(bytes: Buffer): Body {
  try {
    return { ok: true, value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return { ok: false, status: 400, why: 'the message is not JSON' };
  }
}
