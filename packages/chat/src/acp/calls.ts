import type { ChatEvent, ToolCall } from '../events.ts';
import type { ToolCallUpdate, ToolCallWire } from './schema.ts';
import { ShellOutput } from './shell-output.ts';
import { BLANK_CALL, toolPatch } from './updates.ts';

const MAX_CALLS = 1_000;

interface Known {
  call: ToolCall;
  readonly output: ShellOutput;
}

/**
 * What an agent has told of its calls since the turn began. Later messages name only what changes: Codex asks for
 * permission without the diff that it told before, and tells a command's output piece by piece.
 */
export class Calls {
  readonly #known = new Map<string, Known>();

  clear(): void {
    this.#known.clear();
  }

  /** What a message about a call means to a reader. */
  events(update: ToolCallUpdate): ChatEvent[] {
    const known = this.#learn(update);
    const shell = known.output.add(update);
    const patch = { ...toolPatch(update), ...(shell ? { shell } : {}) };
    known.call = { ...known.call, ...patch };
    if (update.sessionUpdate === 'tool_call') return [{ type: 'tool', call: { ...BLANK_CALL, ...patch } }];
    return Object.keys(patch).length > 1 ? [{ type: 'tool', call: patch }] : [];
  }

  /** All that is known of the call that a permission is about. */
  whole(wire: ToolCallWire): ToolCall {
    return this.#learn(wire).call;
  }

  /** Nobody will tell the end of these any more. */
  givenUp(): ChatEvent[] {
    const open = [...this.#known.values()].filter(
      ({ call: { status } }) => status === 'pending' || status === 'running',
    );
    return open.map(({ call: { id } }) => ({ type: 'tool', call: { id, status: 'failed' } }));
  }

  #learn(wire: ToolCallWire): Known {
    const patch = toolPatch(wire);
    const before = this.#known.get(patch.id);
    if (before) {
      before.call = { ...before.call, ...patch };
      return before;
    }
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= MAX_CALLS) this.#known.delete(oldest);
    const known = { call: { ...BLANK_CALL, ...patch }, output: new ShellOutput() };
    this.#known.set(patch.id, known);
    return known;
  }
}
