// OpenAI Responses API, as much of it as Codex uses.
import type { ServerResponse } from 'node:http';
import { type Api, type FakeModel, sendJson, startModel, type ToolCall, type Turn } from './model.ts';

interface Item {
  type: string;
  role?: string;
  content?: { text?: string }[];
  output?: unknown;
}
interface Body {
  model: string;
  stream?: boolean;
  input?: Item[];
  tools?: unknown[];
}

export const start = (): Promise<FakeModel> => startModel(api);

const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };

const api: Api = {
  read(url, body) {
    if (!url.endsWith('/responses')) return undefined;
    const { model, stream = false, input = [], tools = [] } = body as Body;
    return { turns: input.map(turn).filter(beginsTurn), agentic: tools.length > 0, stream, model };
  },

  answer(res, _ask, step, serial) {
    const id = `resp_${serial}`;
    res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    event(res, 'response.created', { response: { id } });
    if ('text' in step) say(res, step.text, `msg_${serial}`);
    else
      for (const [i, call] of step.calls.entries())
        event(res, 'response.output_item.done', { item: item(call, serial, i) });
    event(res, 'response.completed', { response: { id, usage } });
    res.end();
  },

  other(res, url) {
    sendJson(res, 404, { error: { message: `no route ${url}` } });
  },
};

function turn({ type, role, content, output }: Item): Turn {
  const text = Array.isArray(content) ? content.map((part) => part.text ?? '').join('\n') : '';
  if (type.endsWith('_output')) return { role: 'other', text: '', results: asText(output) };
  if (type !== 'message' || role === 'assistant') return { role: 'model', text, results: '' };
  // What Codex says of itself comes in the user's name, in tags.
  const typed = role === 'user' && !/^<(\w+)>[\s\S]*<\/\1>\s*$/.test(text);
  return { role: typed ? 'user' : 'other', text, results: '' };
}

/** Calls of one answer come as items of their own; they are one turn of the model. */
function beginsTurn({ role }: Turn, at: number, turns: Turn[]): boolean {
  return role !== 'model' || turns[at - 1]?.role !== 'model';
}

function asText(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}

function say(res: ServerResponse, text: string, id: string): void {
  const message = { type: 'message', role: 'assistant', id };
  event(res, 'response.output_item.added', { item: { ...message, content: [] } });
  for (const delta of text.split(/(?<= )/)) event(res, 'response.output_text.delta', { item_id: id, delta });
  event(res, 'response.output_item.done', { item: { ...message, content: [{ type: 'output_text', text }] } });
}

function item(call: ToolCall, serial: number, index: number): object {
  const ids = { id: `item_${serial}_${index}`, call_id: `call_${serial}_${index}` };
  switch (call.tool) {
    case 'named':
      return { type: 'function_call', name: call.name, arguments: JSON.stringify(call.input), ...ids };
    case 'read':
      return {
        type: 'function_call',
        name: 'exec_command',
        arguments: JSON.stringify({ cmd: `cat ${call.path}` }),
        ...ids,
      };
    case 'write':
      return { ...patch(`*** Add File: ${call.path}\n${lines('+', call.content)}`), ...ids };
    case 'edit':
      return {
        ...patch(`*** Update File: ${call.path}\n@@\n${lines('-', call.old)}\n${lines('+', call.new)}`),
        ...ids,
      };
  }
}

function patch(body: string): object {
  return { type: 'custom_tool_call', name: 'apply_patch', input: `*** Begin Patch\n${body}\n*** End Patch` };
}

/** Codex changes whole lines. */
function lines(sign: string, text: string): string {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => sign + line)
    .join('\n');
}

function event(res: ServerResponse, type: string, data: object): void {
  res.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
}
