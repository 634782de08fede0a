// Anthropic Messages API, as much of it as Claude Code uses.
import type { ServerResponse } from 'node:http';
import { type Api, type FakeModel, type Step, sendJson, startModel, type ToolCall, type Turn } from './model.ts';

interface Block {
  type: string;
  text?: string;
  content?: unknown;
}
interface Body {
  model: string;
  stream?: boolean;
  messages?: { role: string; content: string | Block[] }[];
  tools?: unknown[];
}

export const start = (): Promise<FakeModel> => startModel(api);

const api: Api = {
  read(url, body) {
    if (!url.startsWith('/v1/messages') || url.startsWith('/v1/messages/count_tokens')) return undefined;
    const { model, stream = false, messages = [], tools = [] } = body as Body;
    return { turns: messages.map(turn), agentic: tools.length > 0, stream, model };
  },

  answer(res, ask, step, serial) {
    const content = blocks(step, serial);
    const message = { id: `msg_${serial}`, type: 'message', role: 'assistant', model: ask.model, stop_sequence: null };
    const stop_reason = 'calls' in step ? 'tool_use' : 'end_turn';
    const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
    if (!ask.stream) {
      sendJson(res, 200, { ...message, content, stop_reason, usage });
      return;
    }
    res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    event(res, 'message_start', { message: { ...message, content: [], stop_reason: null, usage } });
    for (const [index, block] of content.entries()) streamBlock(res, block, index);
    event(res, 'message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } });
    event(res, 'message_stop', {});
    res.end();
  },

  other(res, url) {
    if (url.startsWith('/v1/messages/count_tokens')) sendJson(res, 200, { input_tokens: 10 });
    else sendJson(res, 404, { type: 'error', error: { type: 'not_found_error', message: `no route ${url}` } });
  },
};

function turn({ role, content }: { role: string; content: string | Block[] }): Turn {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const text = blocks.map((block) => block.text ?? '').join('\n');
  const results = blocks.filter(({ type }) => type === 'tool_result').map((block) => asText(block.content));
  // Editor context travels as messages of role "system" between the others.
  return {
    role: role === 'assistant' ? 'model' : role === 'user' ? 'user' : 'other',
    text,
    results: results.join('\n'),
  };
}

function asText(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

type Content = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: object };

function blocks(step: Step, serial: number): Content[] {
  if ('text' in step) return [{ type: 'text', text: step.text }];
  return step.calls.map((call, i) => ({ type: 'tool_use', id: `toolu_${serial}_${i}`, ...tool(call) }));
}

function tool(call: ToolCall): { name: string; input: object } {
  if (call.tool === 'named') return { name: call.name, input: call.input };
  const file_path = call.path;
  switch (call.tool) {
    case 'read':
      return { name: 'Read', input: { file_path } };
    case 'write':
      return { name: 'Write', input: { file_path, content: call.content } };
    case 'edit':
      return { name: 'Edit', input: { file_path, old_string: call.old, new_string: call.new } };
  }
}

function streamBlock(res: ServerResponse, block: Content, index: number): void {
  const content_block = block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };
  event(res, 'content_block_start', { index, content_block });
  const delta =
    block.type === 'text'
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
  event(res, 'content_block_delta', { index, delta });
  event(res, 'content_block_stop', { index });
}

function event(res: ServerResponse, type: string, data: object): void {
  res.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
}
