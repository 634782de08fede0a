// What the three fake model servers share: a script, a record of every request, and the HTTP around them.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A tool call in neutral words; each API module knows its agent's own tool and argument names. */
export type ToolCall =
  | { tool: 'read'; path: string }
  | { tool: 'write'; path: string; content: string }
  | { tool: 'edit'; path: string; old: string; new: string }
  /** A tool that only one agent has, in its own words. */
  | { tool: 'named'; name: string; input: object };

/** One answer of the model. */
export type Step = { text: string } | { calls: ToolCall[] };

/** One turn of the conversation as the request carries it. */
export interface Turn {
  role: 'user' | 'model' | 'other';
  /** What a person (or the agent's own reminders) wrote; empty for tool results. */
  text: string;
  /** What tools gave back to the model. */
  results: string;
}

/** A model request, read from one API's own form. */
export interface Ask {
  turns: Turn[];
  /** Side calls (titles, summaries, suggestions) offer no tools or want JSON. */
  agentic: boolean;
  stream: boolean;
  model: string;
}

export interface ModelRequest {
  body: unknown;
  /** The text that is new since the model's last answer: the prompt and the editor context around it. */
  fresh: string;
  /** What the tools gave back since the model's last answer. */
  results: string;
  /** The script the prompt named and the position in it; absent for side calls. */
  keyword?: string;
  step?: number;
}

export interface FakeModel {
  readonly url: string;
  readonly port: number;
  /** A prompt that contains the keyword gets these answers, one after the other. */
  script(keyword: string, steps: Step[]): void;
  readonly requests: readonly ModelRequest[];
  /** The requests of the conversation itself, side calls left out. */
  mainRequests(keyword?: string): ModelRequest[];
  close(): Promise<void>;
}

/** One model API: how to read its requests and write its answers. */
export interface Api {
  read(url: string, body: unknown): Ask | undefined;
  answer(res: ServerResponse, ask: Ask, step: Step, serial: number): void;
  /** Any other route. */
  other(res: ServerResponse, url: string): void;
}

export async function startModel(api: Api): Promise<FakeModel> {
  const scripts = new Map<string, Step[]>();
  const requests: ModelRequest[] = [];

  const server = createServer(async (req, res) => {
    const url = req.url ?? '/';
    const body = parse(await readBody(req));
    const ask = api.read(url, body);
    if (ask === undefined) {
      api.other(res, url);
      return;
    }
    const { request, answer } = choose(ask, body, scripts);
    requests.push(request);
    api.answer(res, ask, answer, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    script: (keyword, steps) => scripts.set(keyword, steps),
    requests,
    mainRequests: (keyword) =>
      requests.filter((r) => r.keyword !== undefined && (keyword === undefined || r.keyword === keyword)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The newest prompt picks the script, the answers given since then pick the step. */
function choose(ask: Ask, body: unknown, scripts: Map<string, Step[]>): { request: ModelRequest; answer: Step } {
  const lastAnswer = ask.turns.findLastIndex((turn) => turn.role === 'model');
  const newTurns = ask.turns.slice(lastAnswer + 1);
  const fresh = newTurns.map((turn) => turn.text).join('\n');
  const results = newTurns.map((turn) => turn.results).join('\n');
  const request = { body, fresh, results };
  const at = ask.turns.findLastIndex((turn) => turn.role === 'user' && spoken(turn) !== '');
  const prompt = ask.turns[at];
  const keyword = prompt && lastOf([...scripts.keys()], spoken(prompt));
  if (!ask.agentic || keyword === undefined) return { request, answer: { text: 'ok' } };
  const step = ask.turns.slice(at + 1).filter((turn) => turn.role === 'model').length;
  const answer = scripts.get(keyword)?.[step] ?? { text: `nothing is scripted after step ${step} of ${keyword}` };
  return { request: { ...request, keyword, step }, answer };
}

/** What the user typed stands last: file names before it, in the agent's own words, may look like keywords. */
function lastOf(keywords: string[], text: string): string | undefined {
  const found = keywords.filter((keyword) => text.includes(keyword));
  return found.sort((a, b) => text.lastIndexOf(b) - text.lastIndexOf(a))[0];
}

/** Agents wrap what they add by themselves in reminders (Claude Code not after a tool search); the rest is typed. */
function spoken(turn: Turn): string {
  return turn.text.replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>|^Tool loaded\.$/gm, '').trim();
}

async function readBody(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function sendJson(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
}
