// An agent that speaks ACP on its standard streams and says as much as it is asked for, as fast as it can:
// "words 20000" in one message, "items 10000" as messages and tool calls by turns.
import { createInterface } from 'node:readline';

const SESSION = 'bench';

interface Request {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly prompt?: readonly { readonly text?: string }[] };
}

/** Waits when the reader is slower. */
async function send(message: object): Promise<void> {
  const room = process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  if (!room) await new Promise<void>((resolve) => process.stdout.once('drain', () => resolve()));
}

const update = (update: object) => send({ method: 'session/update', params: { sessionId: SESSION, update } });
const say = (text: string) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

async function words(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await say(i % 40 === 39 ? `word${i}.\n\n` : `word${i} `);
}

async function items(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    if (i % 2 === 0) await say(`Message ${i} with **bold**, \`code\` and a list:\n\n- one\n- two\n`);
    else
      await update({
        sessionUpdate: 'tool_call',
        toolCallId: `call${i}`,
        title: `Tool call ${i}`,
        kind: 'read',
        status: 'completed',
        content: [{ type: 'content', content: { type: 'text', text: `what it gave, ${i}` } }],
      });
  }
}

async function answer({ id, method, params }: Request): Promise<void> {
  if (id === undefined) return;
  const reply = (result: object) => send({ id, result });
  if (method === 'initialize') return reply({ protocolVersion: 1, agentCapabilities: {}, authMethods: [] });
  if (method === 'session/new') return reply({ sessionId: SESSION });
  if (method !== 'session/prompt') return send({ id, error: { code: -32601, message: 'no such method' } });
  const text = params?.prompt?.map((block) => block.text ?? '').join(' ') ?? '';
  const [, what, count] = /(words|items) (\d+)/.exec(text) ?? [];
  await (what === 'items' ? items : words)(Number(count ?? 0));
  await say(`the end of ${what} ${count}`);
  return reply({ stopReason: 'end_turn' });
}

for await (const line of createInterface({ input: process.stdin })) await answer(JSON.parse(line) as Request);
