import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Companion } from '../companion.ts';
import type { Limits } from '../limits.ts';
import { Refusal } from '../refusal.ts';
import { readJson } from '../transport/body.ts';
import { VERBS } from './verbs.ts';

/** `POST /control/<verb>` with the input as JSON; the answer is the result or `{error}`. */
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
  if (!verb || request.method !== 'POST') return reply(404, { error: 'there is no such command' });
  const input = verb.input.safeParse(body.value);
  if (!input.success) {
    const fields = input.error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`);
    return reply(400, { error: fields.join('; ') });
  }
  try {
    reply(200, await verb.run(input.data, companion));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    reply(error.status, { error: error.message });
  }
}
