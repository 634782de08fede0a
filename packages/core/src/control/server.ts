import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as z from 'zod';
import type { Companion } from '../companion.ts';
import type { Limits } from '../limits.ts';
import { Refusal } from '../refusal.ts';
import { readJson } from '../transport/body.ts';
import { introduction, welcome } from './guest.ts';
import { VERBS } from './verbs.ts';

/** `POST /control/<verb>` with the input as JSON; the answer is the result or `{error}`. `attach` is answered with a stream. */
export async function answerControl(
  companion: Companion,
  limits: Limits,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const reply = (status: number, value: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value ?? null));
  };
  const body = await readJson(request, limits.messageBytes);
  if (!body.ok) return reply(body.status, { error: body.why });
  const name = request.url?.replace('/control/', '') ?? '';
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if ((!verb && name !== 'attach') || request.method !== 'POST')
    return reply(404, { error: 'there is no such command' });
  const input = (verb?.input ?? introduction).safeParse(body.value);
  if (!input.success) {
    const fields = input.error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`);
    return reply(400, { error: fields.join('; ') });
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    if (!verb) return welcome(companion, response, input.data as z.infer<typeof introduction>);
    reply(200, await verb.run(input.data, companion, { signal: gone.signal }));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    reply(error.status, { error: error.message });
  }
}
