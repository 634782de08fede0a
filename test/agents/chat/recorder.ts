// Listens to a connection: what happened, what it amounts to, and waiting for it.
import assert from 'node:assert/strict';
import type { AgentConnection } from '../../../packages/chat/src/connection.ts';
import { applyAll, type Conversation, EMPTY } from '../../../packages/chat/src/conversation.ts';
import type { ChatEvent, TurnEnd } from '../../../packages/chat/src/events.ts';
import { waitFor } from '../wait.ts';

export class Recorder {
  readonly connection: AgentConnection;
  readonly events: ChatEvent[] = [];
  #applied = 0;
  #conversation = EMPTY;

  constructor(connection: AgentConnection) {
    this.connection = connection;
    connection.subscribe((event) => this.events.push(event));
  }

  get conversation(): Conversation {
    this.#conversation = applyAll(this.#conversation, this.events.slice(this.#applied));
    this.#applied = this.events.length;
    return this.#conversation;
  }

  until<T>(what: string, look: () => T, ms = 20_000): Promise<NonNullable<T>> {
    return waitFor(what, look, ms, async () => this.evidence());
  }

  /** The first such event after a place in the record. */
  async event<T extends ChatEvent['type']>(
    type: T,
    from = 0,
    matches: (event: ChatEvent & { type: T }) => boolean = () => true,
    ms?: number,
  ): Promise<ChatEvent & { type: T }> {
    const find = () =>
      this.events.slice(from).find((event): event is ChatEvent & { type: T } => {
        return event.type === type && matches(event as ChatEvent & { type: T });
      });
    return this.until(`a ${type} event`, find, ms);
  }

  /** Says something and waits for the end of that turn. */
  async turn(text: string): Promise<{ reason: TurnEnd; events: ChatEvent[] }> {
    const from = this.events.length;
    const { promptId } = await this.connection.prompt([{ type: 'text', text }]);
    return this.ended(promptId, from);
  }

  async ended(promptId: string, from = 0): Promise<{ reason: TurnEnd; events: ChatEvent[] }> {
    const end = await this.event('turn-end', from, (event) => event.promptId === promptId, 30_000);
    return { reason: end.reason, events: this.events.slice(from) };
  }

  /** What the agent said in answer to the newest prompt. */
  get said(): string {
    const last = this.conversation.items.findLast((item) => item.type === 'message' && item.role === 'agent');
    return last?.type === 'message' ? last.text : '';
  }

  get agentText(): string {
    const messages = this.conversation.items.filter((item) => item.type === 'message' && item.role === 'agent');
    return messages.map((item) => (item.type === 'message' ? item.text : '')).join('');
  }

  notice(code: string): void {
    const codes = this.events.flatMap((event) => (event.type === 'notice' ? [event.notice.code] : []));
    assert.ok(codes.includes(code), `a notice ${code}; there were: ${codes.join(', ') || 'none'}`);
  }

  evidence(): string {
    const lines = this.events.slice(-40).map((event) => `  ${JSON.stringify(event).slice(0, 300)}`);
    return `--- the last events\n${lines.join('\n')}`;
  }
}
