// A connection to the agent of a few lines, and a house for it.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Companion, MemoryEditor, Policy, type Sharing } from '@tandem/core';
import { AcpConnection } from '../../src/acp/connection.ts';
import type { AgentConnection, PromptBlock } from '../../src/connection.ts';
import { applyAll, type Conversation, EMPTY } from '../../src/conversation.ts';
import type { ChatEvent } from '../../src/events.ts';

export const agent = {
  id: 'fake',
  name: 'Fake',
  command: process.execPath,
  args: [fileURLToPath(new URL('agent.mjs', import.meta.url))],
};

export class Talk<C extends AgentConnection = AgentConnection> {
  readonly connection: C;
  readonly events: ChatEvent[] = [];

  constructor(connection: C) {
    this.connection = connection;
    connection.subscribe((event) => this.events.push(event));
  }

  get conversation(): Conversation {
    return applyAll(EMPTY, this.events);
  }

  get said(): string {
    const item = this.conversation.items.findLast((each) => each.type === 'message' && each.role === 'agent');
    return item?.type === 'message' ? item.text : '';
  }

  async until<T>(look: () => T): Promise<NonNullable<T>> {
    for (const deadline = Date.now() + 10_000; ; ) {
      const found = look();
      if (found) return found;
      if (Date.now() > deadline)
        throw new Error(`waited for ${look}\n${JSON.stringify(this.events.slice(-10), null, 1)}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  find<T extends ChatEvent['type']>(type: T, from = 0): Promise<ChatEvent & { type: T }> {
    return this.until(() =>
      this.events.slice(from).find((event): event is ChatEvent & { type: T } => event.type === type),
    );
  }

  async turn(text: string, ...blocks: PromptBlock[]): Promise<string> {
    const { promptId } = await this.connection.prompt([{ type: 'text', text }, ...blocks]);
    await this.until(() => this.events.some((event) => event.type === 'turn-end' && event.promptId === promptId));
    return this.said;
  }
}

export function folder(t: TestContext): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-chat-')));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export async function acpTalk(
  t: TestContext,
  options: Partial<ConstructorParameters<typeof AcpConnection>[0]> = {},
): Promise<Talk<AcpConnection>> {
  const connection = new AcpConnection({ agent, cwd: folder(t), ...options });
  t.after(() => connection.stop());
  const talk = new Talk(connection);
  await connection.start();
  await connection.newSession();
  return talk;
}

/** A companion that publishes nothing and listens nowhere: the desk, the policy and the ledger, with a whole editor. */
export async function house(t: TestContext, sharing: Sharing = 'auto') {
  const path = folder(t);
  const editor = new MemoryEditor({ folders: [path] });
  const places = { home: folder(t), tmp: folder(t), env: {} };
  const companion = new Companion({ editor, policy: new Policy({ sharing }), dialects: [], places });
  await companion.start();
  t.after(() => companion.stop());
  return { companion, editor, path };
}
