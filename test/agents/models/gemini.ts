// Gemini generateContent API, as much of it as Gemini CLI uses.
import { type Api, type FakeModel, type Step, sendJson, startModel, type ToolCall, type Turn } from './model.ts';

interface Content {
  role?: string;
  parts?: { text?: string; functionResponse?: { response?: unknown } }[];
}
interface Body {
  contents?: Content[];
  tools?: unknown[];
  generationConfig?: { responseMimeType?: string; responseJsonSchema?: unknown };
}

export const start = (): Promise<FakeModel> => startModel(api);

const api: Api = {
  read(url, body) {
    const route = /models\/([^:/]+):(streamGenerateContent|generateContent)/.exec(url);
    if (route === null) return undefined;
    const { contents = [], tools = [], generationConfig: config = {} } = (body ?? {}) as Body;
    const wantsJson = config.responseMimeType === 'application/json' || config.responseJsonSchema !== undefined;
    const [, model = '', method] = route;
    const agentic = tools.length > 0 && !wantsJson;
    return { turns: contents.map(turn), agentic, stream: method === 'streamGenerateContent', model };
  },

  answer(res, ask, step, serial) {
    const candidate = { content: { role: 'model', parts: parts(step, serial) }, finishReason: 'STOP', index: 0 };
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
    const body = { candidates: [candidate], usageMetadata, modelVersion: ask.model };
    if (!ask.stream) {
      sendJson(res, 200, body);
      return;
    }
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.end(`data: ${JSON.stringify(body)}\r\n\r\n`);
  },

  other(res, url) {
    if (url.includes(':countTokens')) sendJson(res, 200, { totalTokens: 10 });
    else sendJson(res, 404, { error: { code: 404, message: `no route ${url}` } });
  },
};

function turn({ role, parts = [] }: Content): Turn {
  const text = parts.map((part) => part.text ?? '').join('\n');
  const results = parts.flatMap(({ functionResponse: result }) => (result ? [JSON.stringify(result.response)] : []));
  return { role: role === 'model' ? 'model' : 'user', text, results: results.join('\n') };
}

function parts(step: Step, serial: number): object[] {
  if ('text' in step) return [{ text: step.text }];
  return step.calls.map((call, i) => ({ functionCall: { id: `call-${serial}-${i}`, ...tool(call) } }));
}

function tool(call: ToolCall): { name: string; args: object } {
  if (call.tool === 'named') return { name: call.name, args: call.input };
  const file_path = call.path;
  switch (call.tool) {
    case 'read':
      return { name: 'read_file', args: { file_path } };
    case 'write':
      return { name: 'write_file', args: { file_path, content: call.content } };
    case 'edit':
      return {
        name: 'replace',
        args: { file_path, instruction: 'As scripted.', old_string: call.old, new_string: call.new },
      };
  }
}
