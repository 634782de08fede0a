import { randomUUID } from 'node:crypto';
import type { PermissionAnswer, Vote } from '../connection.ts';
import type { Answered, ChatEvent, PermissionOption, ToolCall } from '../events.ts';
import { allowOnce, askEvent, reject } from './permissions.ts';
import type { PermissionWire } from './schema.ts';

/** What the agent waits for; its request is answered when somebody decides. */
interface Open {
  readonly options: readonly PermissionOption[];
  /** Paths that a yes is about. */
  readonly paths: readonly string[];
  readonly settle: (answer: PermissionAnswer, answers?: Readonly<Record<string, string>>) => void;
}

export interface PermissionReply {
  readonly outcome: { readonly outcome: 'selected'; readonly optionId: string } | { readonly outcome: 'cancelled' };
  /** Qwen's own addition, for its questions. */
  readonly answers?: Readonly<Record<string, string>>;
}

/** The permissions and questions of one agent that wait for an answer. */
export class Asks {
  readonly #open = new Map<string, Open>();
  readonly #tell: (event: ChatEvent) => void;
  readonly #allowed: (paths: readonly string[]) => void;

  constructor(tell: (event: ChatEvent) => void, allowed: (paths: readonly string[]) => void) {
    this.#tell = tell;
    this.#allowed = allowed;
  }

  /** `call`: all that is known of what it is about. */
  permission(wire: PermissionWire, call: ToolCall, signal: AbortSignal): Promise<PermissionReply> {
    const id = randomUUID();
    const options = wire.options.map(({ optionId, name, kind }) => ({ id: optionId, name, kind }));
    const diffs = call.content.flatMap((part) => (part.type === 'diff' ? [part.path] : []));
    const paths = [...diffs, ...call.locations.map(({ path }) => path)];
    return this.#ask(id, askEvent(id, wire, call), options, paths, signal);
  }

  /** `key` of each answer as the question's. */
  async question(event: ChatEvent & { type: 'question' }, signal: AbortSignal): Promise<PermissionReply['answers']> {
    const options = [{ id: 'answer', name: 'Answer', kind: 'allow_once' }] as const;
    const reply = await this.#ask(event.request.id, event, options, [], signal);
    return reply.outcome.outcome === 'selected' ? (reply.answers ?? {}) : undefined;
  }

  vote(id: string, answer: PermissionAnswer): Vote {
    return this.#settle(id, answer, 'here');
  }

  answer(id: string, answers: Readonly<Record<string, string>> | undefined): Vote {
    const options = this.#open.get(id)?.options ?? [];
    const chosen = answers === undefined ? reject(options) : allowOnce(options);
    return this.#settle(id, chosen ? { optionId: chosen.id } : { cancelled: true }, 'here', answers);
  }

  /** The turn was cancelled, or the agent is gone. */
  cancelAll(): void {
    for (const id of [...this.#open.keys()]) this.#settle(id, { cancelled: true }, 'agent');
  }

  #ask(
    id: string,
    event: ChatEvent,
    options: readonly PermissionOption[],
    paths: readonly string[],
    signal: AbortSignal,
  ): Promise<PermissionReply> {
    return new Promise((resolve) => {
      const settle: Open['settle'] = (answer, answers) => {
        const outcome =
          'optionId' in answer
            ? ({ outcome: 'selected', optionId: answer.optionId } as const)
            : ({ outcome: 'cancelled' } as const);
        resolve({ outcome, ...(answers ? { answers } : {}) });
      };
      this.#open.set(id, { options, paths, settle });
      signal.addEventListener('abort', () => this.#settle(id, { cancelled: true }, 'agent'), { once: true });
      this.#tell(event);
    });
  }

  #settle(
    id: string,
    answer: PermissionAnswer,
    by: 'here' | 'agent',
    answers?: Readonly<Record<string, string>>,
  ): Vote {
    const open = this.#open.get(id);
    if (!open) return 'late';
    this.#open.delete(id);
    if ('optionId' in answer && isYes(open.options, answer.optionId)) this.#allowed(open.paths);
    const told: Answered =
      'optionId' in answer
        ? { outcome: 'selected', optionId: answer.optionId, by: 'here' }
        : { outcome: 'cancelled', by };
    this.#tell({ type: 'answered', id, answer: told });
    open.settle(answer, answers);
    return 'counted';
  }
}

function isYes(options: readonly PermissionOption[], id: string): boolean {
  return options.find((option) => option.id === id)?.kind.startsWith('allow') ?? false;
}
