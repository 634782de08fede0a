// The companion inside a window, found and asked as the tandem command does it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../agents/wait.ts';
import { type Control, controlOf } from '../../support/control.ts';
import { HttpAgent, type Message } from '../../support/http-agent.ts';
import { SocketAgent } from '../../support/socket-agent.ts';

export interface ListedReview {
  readonly id: string;
  readonly agent: string;
  readonly path: string;
  readonly state: string;
}

/** Undefined until it has written its record. */
export function companionOf(home: string, pid: number): EditorCompanion | undefined {
  const folder = join(home, '.tandem', 'run');
  if (!existsSync(folder)) return undefined;
  const name = readdirSync(folder).find((each) => new RegExp(`\\b${pid}-\\d+\\.json$`).test(each));
  const record = name === undefined ? undefined : JSON.parse(readFileSync(join(folder, name), 'utf8'));
  if (record === undefined || record.stoppedAt !== undefined) return undefined;
  return new EditorCompanion(controlOf(home, record.port), record);
}

export class EditorCompanion {
  readonly record: Message;
  readonly #control: Control;

  constructor(control: Control, record: Message) {
    this.#control = control;
    this.record = record;
  }

  get port(): number {
    return this.#control.port;
  }

  async ask(verb: string, input: unknown = {}): Promise<Message> {
    const reply = await this.#control.ask(verb, input);
    if (reply.status !== 200) throw new Error(`${verb}: ${reply.status} ${JSON.stringify(reply.json)}`);
    return reply.json;
  }

  reviews(): Promise<ListedReview[]> {
    return this.ask('review/list');
  }

  async links(): Promise<Message[]> {
    return (await this.ask('status')).links;
  }

  /** Waits for an open review of this path. */
  async review(path: string, agent?: string): Promise<ListedReview> {
    const find = async () =>
      (await this.reviews()).find((each) => each.path === path && (agent ?? each.agent) === each.agent);
    return waitFor(`a review of ${path}`, find, 20_000);
  }

  async noReviews(): Promise<void> {
    await waitFor('no review to wait', async () => (await this.reviews()).length === 0);
  }

  /** A raw client that speaks as Gemini CLI or Qwen Code does. */
  async agent(dialect: 'gemini' | 'qwen' = 'gemini'): Promise<HttpAgent> {
    return new HttpAgent(this.port, await this.#token(dialect)).connect();
  }

  /** A raw client that speaks as Claude Code does. */
  async claude(): Promise<SocketAgent> {
    return new SocketAgent(this.port, await this.#token('claude')).connect();
  }

  async #token(dialect: string): Promise<string> {
    const { dialects } = await this.ask('status');
    const file = dialects.find((each: Message) => each.dialect === dialect).files[0];
    return JSON.parse(readFileSync(file, 'utf8')).authToken;
  }
}
