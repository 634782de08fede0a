// OpenAI chat completions API, as much of it as Qwen Code uses.
import type { ServerResponse } from 'node:http';
import { type Api, type FakeModel, type Step, sendJson, startModel, type ToolCall, type Turn } from './model.ts';

interface Message {
  role: string;
  content?: string | { text?: string }[] | null;
}
interface Body {
  model: string;
  stream?: boolean;
  messages?: Message[];
  tools?: unknown[];
}

export const start = (): Promise<FakeModel> => startModel(api);

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

const api: Api = {
  read(url, body) {
    if (!url.includes('/chat/completions')) return undefined;
    const { model, stream = false, messages = [], tools = [] } = body as Body;
    return { turns: messages.map(turn), agentic: tools.length > 0, stream, model };
  },

  answer(res, ask, step, serial) {
    const base = { id: `chatcmpl-${serial}`, created: Math.floor(Date.now() / 1000), model: ask.model };
    const finish_reason = 'calls' in step ? 'tool_calls' : 'stop';
    if (!ask.stream) {
      const message = { role: 'assistant', ...content(step, serial) };
      sendJson(res, 200, {
        ...base,
        object: 'chat.completion',
        choices: [{ index: 0, finish_reason, message }],
        usage,
      });
      return;
    }
    const chunk = { ...base, object: 'chat.completion.chunk' };
    res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    const delta = { role: 'assistant', ...content(step, serial) };
    event(res, { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] });
    event(res, { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] });
    event(res, { ...chunk, choices: [], usage });
    res.end('data: [DONE]\n\n');
  },

  other(res, url) {
    if (url.endsWith('/models')) sendJson(res, 200, { object: 'list', data: [{ id: 'fake', object: 'model' }] });
    else sendJson(res, 404, { error: { message: `no route ${url}` } });
  },
};

function turn({ role, content: value }: Message): Turn {
  const text = typeof value === 'string' ? value : (value ?? []).map((part) => part.text ?? '').join('\n');
  if (role === 'tool') return { role: 'other', text: '', results: text };
  return { role: role === 'assistant' ? 'model' : role === 'user' ? 'user' : 'other', text, results: '' };
}

function content(step: Step, serial: number): object {
  if ('text' in step) return { content: step.text };
  const tool_calls = step.calls.map((call, index) => ({
    index,
    id: `call_${serial}_${index}`,
    type: 'function',
    function: tool(call),
  }));
  return { content: null, tool_calls };
}

function tool(call: ToolCall): { name: string; arguments: string } {
  if (call.tool === 'named') return { name: call.name, arguments: JSON.stringify(call.input) };
  const file_path = call.path;
  switch (call.tool) {
    case 'read':
      return { name: 'read_file', arguments: JSON.stringify({ file_path }) };
    case 'write':
      return { name: 'write_file', arguments: JSON.stringify({ file_path, content: call.content }) };
    case 'edit':
      return { name: 'edit', arguments: JSON.stringify({ file_path, old_string: call.old, new_string: call.new }) };
  }
}

function event(res: ServerResponse, data: object): void {
  res.write(`data: ${JSON.stringify(data)}\n\n`);
}
