import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Control, controlOf } from './control.ts';
import { HttpAgent } from './http-agent.ts';
import { SocketAgent } from './socket-agent.ts';
import { until, type World } from './world.ts';

/** Where a companion is reached, in this process or in another. */
export interface Address {
  readonly port: number;
  readonly world: World;
  token(dialect: string): string;
}

/** Agents that behave: connected before the trouble starts, and still served in the middle of it and after it. */
export class Neighbours {
  readonly #http: HttpAgent[];
  readonly #claude: SocketAgent | undefined;
  readonly #control: Control;
  readonly #world: World;
  #turn = 0;

  private constructor(world: World, control: Control, http: HttpAgent[], claude: SocketAgent | undefined) {
    this.#world = world;
    this.#control = control;
    this.#http = http;
    this.#claude = claude;
  }

  static async connect(
    t: TestContext,
    address: Address,
    dialects: readonly string[] = ['gemini', 'qwen', 'claude'],
  ): Promise<Neighbours> {
    const { port } = address;
    const names = dialects.filter((name) => name !== 'claude');
    const http = await Promise.all(names.map((name) => new HttpAgent(port, address.token(name)).connect()));
    const claude = dialects.includes('claude')
      ? await new SocketAgent(port, address.token('claude')).connect()
      : undefined;
    t.after(() => {
      for (const agent of http) agent.drop();
      claude?.socket.terminate();
    });
    return new Neighbours(address.world, controlOf(address.world.home, port), http, claude);
  }

  /** Each proposes an edit, somebody accepts it on the command line, and each gets its own answer. */
  async work(): Promise<void> {
    this.#turn += 1;
    await Promise.all([
      ...this.#http.map((agent, index) => this.#workOverHttp(agent, `http-${index}-${this.#turn}`)),
      ...(this.#claude ? [this.#workOverSocket(this.#claude, `claude-${this.#turn}`)] : []),
    ]);
  }

  async #workOverHttp(agent: HttpAgent, name: string): Promise<void> {
    const filePath = join(this.#world.workspace, name);
    const answer = await agent.call('openDiff', { filePath, newContent: `${name} proposed` });
    assert.deepEqual(answer.result?.content, [], JSON.stringify(answer));
    await this.#accept(filePath, `${name} accepted`);
    const told = await until(`a decision for ${name}`, () =>
      agent.notified('ide/diffAccepted').find((params) => params.filePath === filePath),
    );
    assert.equal(told.content, `${name} accepted`);
  }

  async #workOverSocket(agent: SocketAgent, name: string): Promise<void> {
    const path = join(this.#world.workspace, name);
    const id = agent.ask('tools/call', {
      name: 'openDiff',
      arguments: { old_file_path: path, new_file_path: path, new_file_contents: 'proposed', tab_name: name },
    });
    await this.#accept(path, `${name} accepted`);
    const answer = await until(`a decision for ${name}`, () => agent.answerTo(id));
    assert.deepEqual(
      answer.result?.content.map((block: { text: string }) => block.text),
      ['FILE_SAVED', `${name} accepted`],
    );
  }

  async #accept(path: string, text: string): Promise<void> {
    const review = await until(`the review of ${path}`, async () => {
      const list = await this.#control.ask('review/list');
      assert.equal(list.status, 200, list.text);
      return list.json.find((each: { path: string }) => each.path === path);
    });
    const accepted = await this.#control.ask('review/accept', { id: review.id, text });
    assert.equal(accepted.status, 200, accepted.text);
  }
}
