// An OpenAI-compatible model for conversations: it can think, stream at the test's pace, hang and fail.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Piece = { text: string } | { thought: string };

/** One answer of the model. An async iterable lets the test decide when the next piece comes. */
export type Answer =
  | { pieces: Iterable<Piece> | AsyncIterable<Piece> }
  | { call: { name: string; input: object }; before?: string }
  /** The stream opens and nothing comes. */
  | { hang: true }
  | { fail: number };

interface Message {
  role: string;
  content?: string | { text?: string; type?: string; image_url?: { url?: string } }[] | null;
}
interface Body {
  model: string;
  stream?: boolean;
  messages?: Message[];
  tools?: unknown[];
}

const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

export interface HeardPrompt {
  readonly keyword: string | undefined;
  readonly model: string;
  readonly text: string;
  /** As addresses that hold the data. */
  readonly images: readonly string[];
  /** What the tools have given back since. */
  readonly results: string;
}

/** A prompt that contains a keyword gets the keyword's answers, one after the other. */
export class ChatModel {
  readonly prompts: HeardPrompt[] = [];
  readonly #scripts = new Map<string, Answer[]>();
  readonly #server = createServer((req, res) => void this.#serve(req, res).catch(() => res.destroy()));
  #serial = 0;

  static async start(): Promise<ChatModel> {
    const model = new ChatModel();
    await new Promise<void>((resolve) => model.#server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  script(keyword: string, answers: Answer[]): void {
    this.#scripts.set(keyword, answers);
  }

  /** What reached the model with the newest prompt that named the keyword. */
  heard(keyword: string): string {
    return this.last(keyword)?.text ?? '';
  }

  /** The newest request of a prompt that named the keyword. */
  last(keyword: string): HeardPrompt | undefined {
    return this.prompts.findLast((prompt) => prompt.keyword === keyword);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = JSON.parse((await read(req)) || '{}') as Body;
    if (!req.url?.endsWith('/chat/completions')) {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ object: 'list', data: [{ id: 'fake-a' }, { id: 'fake-b' }] }));
      return;
    }
    this.#serial += 1;
    const answer = this.#choose(body);
    if ('fail' in answer) {
      res.writeHead(answer.fail, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ error: { message: `scripted failure ${answer.fail}`, type: 'fake', code: 'fake' } }));
      return;
    }
    await (body.stream ? this.#stream(res, body, answer) : this.#whole(res, body, answer));
  }

  /** The newest prompt picks the script; how often the model has answered since picks the answer. */
  #choose({ messages = [], tools = [], model }: Body): Answer {
    const at = messages.findLastIndex((message) => message.role === 'user' && textOf(message).trim() !== '');
    const prompt = messages[at];
    const text = prompt ? textOf(prompt) : '';
    const keyword = [...this.#scripts.keys()]
      .filter((each) => text.includes(each))
      .sort((a, b) => text.lastIndexOf(b) - text.lastIndexOf(a))[0];
    const agentic = tools.length > 0;
    const results = messages.slice(at + 1).filter(({ role }) => role === 'tool');
    if (agentic)
      this.prompts.push({ keyword, model, text, images: imagesOf(prompt), results: results.map(textOf).join('\n') });
    if (!agentic || keyword === undefined) return { pieces: [{ text: 'ok' }] };
    const step = messages.slice(at + 1).filter(({ role }) => role === 'assistant').length;
    return this.#scripts.get(keyword)?.[step] ?? { pieces: [{ text: `nothing after step ${step} of ${keyword}` }] };
  }

  async #stream(res: ServerResponse, body: Body, answer: Exclude<Answer, { fail: number }>): Promise<void> {
    const base = { id: `chatcmpl-${this.#serial}`, object: 'chat.completion.chunk', created: 1, model: body.model };
    const say = (value: object) => res.write(`data: ${JSON.stringify({ ...base, ...value })}\n\n`);
    const delta = (part: object, finish_reason: string | null = null) =>
      say({ choices: [{ index: 0, delta: part, finish_reason }] });
    res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    delta({ role: 'assistant', content: '' });
    if ('hang' in answer) return;
    if ('call' in answer) {
      if (answer.before) delta({ content: answer.before });
      delta({ tool_calls: [{ index: 0, ...this.#call(answer.call) }] });
      delta({}, 'tool_calls');
    } else {
      for await (const piece of answer.pieces) {
        if (res.destroyed) return;
        delta('text' in piece ? { content: piece.text } : { reasoning_content: piece.thought });
      }
      delta({}, 'stop');
    }
    say({ choices: [], usage });
    res.end('data: [DONE]\n\n');
  }

  async #whole(res: ServerResponse, body: Body, answer: Exclude<Answer, { fail: number }>): Promise<void> {
    let content = '';
    if ('pieces' in answer) for await (const piece of answer.pieces) content += 'text' in piece ? piece.text : '';
    const calls = 'call' in answer ? { tool_calls: [this.#call(answer.call)] } : {};
    res.writeHead(200, { 'content-type': 'application/json' });
    const message = { role: 'assistant', content, ...calls };
    const choices = [{ index: 0, message, finish_reason: 'call' in answer ? 'tool_calls' : 'stop' }];
    res.end(JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model: body.model, choices, usage }));
  }

  #call({ name, input }: { name: string; input: object }): object {
    const id = `call_${this.#serial}`;
    return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
  }
}

/** Pieces that come when the test says so. */
export class Tap implements AsyncIterable<Piece> {
  readonly #ready: Piece[] = [];
  #closed = false;
  #wake: () => void = () => {};

  push(...pieces: Piece[]): void {
    this.#ready.push(...pieces);
    this.#wake();
  }

  end(): void {
    this.#closed = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Piece> {
    for (;;) {
      const piece = this.#ready.shift();
      if (piece) yield piece;
      else if (this.#closed) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

function textOf({ content }: Message): string {
  return typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n');
}

function imagesOf(message: Message | undefined): string[] {
  const { content } = message ?? {};
  return Array.isArray(content) ? content.flatMap((part) => part.image_url?.url ?? []) : [];
}

async function read(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
