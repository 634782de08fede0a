import type { Log } from '@tandem/core';
import { askEvent } from '../acp/permissions.ts';
import { eventsOf } from '../acp/updates.ts';
import type { ChatEvent, PermissionOption, QueuedPrompt, TurnEnd } from '../events.ts';
import { Said } from '../said.ts';
import { type DaemonEvent, type Envelope, EVENTS, type EventData, type EventType } from './schema.ts';

/** What an event asks of the connection itself. */
export type Control =
  /** What we have is not all there was: load it again. */
  | { readonly kind: 'resync'; readonly reason: string }
  /** The session is no longer alive on the daemon; its history is. */
  | { readonly kind: 'died'; readonly reason: string }
  | { readonly kind: 'closed'; readonly reason: string }
  /** This stream is over, nothing else. */
  | { readonly kind: 'dropped'; readonly reason: string };

export interface Translation {
  readonly events: readonly ChatEvent[];
  readonly control?: Control;
}

/** Things that other clients can do and that have no place here. They are said, not hidden. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  user_shell_command: 'Another client ran a shell command in this session; it is not shown here.',
  session_branched: 'Another client branched this session; the branch is not shown here.',
  mid_turn_message_injected: 'Another client spoke into the running turn; its message is not shown here.',
};

const STOP_REASONS: ReadonlySet<string> = new Set([
  'end_turn',
  'cancelled',
  'max_tokens',
  'max_turn_requests',
  'refusal',
]);

/** Turns a daemon's frames into chat events: the live ones, and those of a history. */
export class Translator {
  readonly #isOwn: (clientId: string | undefined) => boolean;
  readonly #log: Log;
  readonly #asks = new Map<string, readonly PermissionOption[]>();
  #waiting: QueuedPrompt[] = [];
  #takenBack = new Set<string>();
  #running: string | undefined;
  #lastPrompt: string | undefined;
  readonly #said = new Said();

  constructor(isOwn: (clientId: string | undefined) => boolean, log: Log) {
    this.#isOwn = isOwn;
    this.#log = log;
  }

  get running(): string | undefined {
    return this.#running;
  }

  /** What can be answered with; `undefined` when it is not waiting (any more). */
  optionsOf(askId: string): readonly PermissionOption[] | undefined {
    return this.#asks.get(askId);
  }

  read(envelope: Envelope): Translation {
    const event = this.#check(envelope);
    if (event) return this.#translate(event);
    const unsupported = UNSUPPORTED[envelope.type];
    if (unsupported === undefined) return { events: [] };
    return { events: [{ type: 'notice', notice: { level: 'info', message: unsupported, code: 'unsupported' } }] };
  }

  /** Told by us where the daemon has no event for it; says nothing if it is known. */
  begin(promptId: string): ChatEvent[] {
    if (this.#running === promptId) return [];
    this.#running = promptId;
    return [...this.#unqueue(promptId), { type: 'turn-start', promptId }];
  }

  /** The history is over and no turn runs: one that did not end was cut off. The daemon's own record has no ends. */
  settle(active: boolean, interrupted: boolean): ChatEvent[] {
    if (active) return [];
    const promptId = this.#running ?? (interrupted ? this.#lastPrompt : undefined);
    const cut = [...this.#asks.keys()].flatMap((id) => this.closeAsk(id, 'agent'));
    if (promptId === undefined) return cut;
    this.#running = undefined;
    return [...cut, { type: 'turn-end', promptId, reason: 'interrupted' }];
  }

  queue(waiting: readonly QueuedPrompt[]): ChatEvent[] {
    const changed = JSON.stringify(waiting) !== JSON.stringify(this.#waiting);
    this.#waiting = [...waiting];
    return changed ? [{ type: 'queue', waiting }] : [];
  }

  /** Something waits for an answer; these are the ways to give it. */
  ask(requestId: string, event: ChatEvent, options: readonly PermissionOption[]): ChatEvent[] {
    this.#asks.set(requestId, options);
    return [event];
  }

  /** Nobody here can answer it any more, and nobody told us how it ended. */
  closeAsk(id: string, by: 'elsewhere' | 'agent'): ChatEvent[] {
    if (!this.#asks.delete(id)) return [];
    return [{ type: 'answered', id, answer: { outcome: 'cancelled', by } }];
  }

  #check(envelope: Envelope): DaemonEvent | undefined {
    const { type, id, promptId, originatorClientId } = envelope;
    if (!(type in EVENTS)) {
      this.#log('debug', `daemon event ${type} is not used`);
      return undefined;
    }
    const checked = EVENTS[type as EventType].safeParse(envelope.data);
    if (checked.success) return { type, data: checked.data, id, promptId, originatorClientId } as DaemonEvent;
    const kind = kindOf(envelope.data);
    this.#log('debug', `daemon event ${type}${kind} is not understood: ${checked.error.issues[0]?.message}`);
    return undefined;
  }

  #translate(event: DaemonEvent): Translation {
    switch (event.type) {
      case 'session_update':
        return { events: this.#update(event) };
      case 'permission_request':
        return { events: this.#permission(event.data) };
      case 'permission_resolved':
      case 'permission_already_resolved':
        return { events: this.#resolved(event.data) };
      case 'permission_forbidden':
        return { events: this.#forbidden(event.data) };
      case 'turn_complete':
        return { events: this.#complete(event.data) };
      case 'turn_error':
        return { events: this.#failed(event.data) };
      case 'model_switched':
        return { events: this.#said.choice('model', event.data.modelId) };
      case 'model_switch_failed':
        return notice('error', `The model was not switched: ${event.data.error}`, 'model-switch');
      case 'approval_mode_changed':
        return { events: this.#said.choice('mode', event.data.next) };
      case 'session_metadata_updated':
        return { events: this.#said.title(event.data.displayName) };
      case 'pending_prompt_added':
        return { events: this.#added(event.data, this.#isOwn(event.originatorClientId)) };
      case 'pending_prompt_started':
        return { events: this.begin(event.data.promptId) };
      case 'pending_prompt_completed':
        return { events: this.#pendingCompleted(event.data) };
      case 'session_snapshot':
        return {
          events: [
            ...this.#said.choice('model', event.data.currentModelId),
            ...this.#said.choice('mode', event.data.currentApprovalMode),
          ],
        };
      case 'history_truncated':
        return notice('info', 'Earlier messages of this session are not shown.', 'history-truncated');
      case 'state_resync_required':
        return control('resync', event.data.reason);
      case 'session_rewound':
        return control('resync', 'another client went back in the session');
      case 'session_died':
        return control('died', event.data.reason ?? 'the session died');
      case 'session_closed':
        return control('closed', event.data.reason ?? 'the session was closed');
      case 'client_evicted':
        return control('dropped', event.data.reason ?? 'evicted');
      case 'stream_error':
        return control('dropped', event.data.error);
      case 'mid_turn_message_injected':
        return notice('info', UNSUPPORTED.mid_turn_message_injected ?? '', 'unsupported');
      case 'prompt_cancelled': // the turn's end tells it too, and tells which
      case 'replay_complete':
      case 'slow_client_warning':
        return { events: [] };
    }
  }

  #update({ data, promptId, originatorClientId }: DaemonEvent & { type: 'session_update' }): ChatEvent[] {
    const events = eventsOf(data, data.sessionUpdate === 'user_message_chunk' ? promptId : undefined);
    switch (data.sessionUpdate) {
      case 'user_message_chunk': {
        this.#lastPrompt = promptId ?? data._meta?.promptId ?? this.#lastPrompt;
        const start = promptId === undefined ? [] : this.begin(promptId);
        const own = originatorClientId === undefined || this.#isOwn(originatorClientId);
        const marked = events.map((event) => (own || event.type !== 'message' ? event : { ...event, elsewhere: true }));
        return [...start, ...marked];
      }
      case 'current_mode_update':
        return this.#said.choice('mode', data.currentModeId);
      case 'session_info_update':
        return this.#said.title(data.title);
      default:
        return events;
    }
  }

  #permission({ requestId, ...wire }: EventData<'permission_request'>): ChatEvent[] {
    const options = wire.options.map(({ optionId, name, kind }) => ({ id: optionId, name, kind }));
    return this.ask(requestId, askEvent(requestId, wire), options);
  }

  #resolved({ requestId, outcome, voterClientId }: EventData<'permission_resolved'>): ChatEvent[] {
    if (!this.#asks.delete(requestId)) return [];
    const by = this.#isOwn(voterClientId) ? 'here' : 'elsewhere';
    if (outcome.outcome === 'selected') {
      return [{ type: 'answered', id: requestId, answer: { outcome: 'selected', optionId: outcome.optionId, by } }];
    }
    const whose = voterClientId === undefined ? 'agent' : by;
    return [{ type: 'answered', id: requestId, answer: { outcome: 'cancelled', by: whose } }];
  }

  #forbidden({ clientId, reason }: EventData<'permission_forbidden'>): ChatEvent[] {
    if (!this.#isOwn(clientId)) return [];
    const message = `The daemon does not let this client answer (${reason}).`;
    return [{ type: 'notice', notice: { level: 'warning', message, code: 'forbidden' } }];
  }

  #complete({ promptId, stopReason }: EventData<'turn_complete'>): ChatEvent[] {
    if (this.#takenBack.delete(promptId)) return [{ type: 'turn-end', promptId, reason: 'taken-back' }];
    if (STOP_REASONS.has(stopReason)) return this.#end(promptId, stopReason as TurnEnd);
    return this.#end(promptId, 'error', `the turn ended with ${stopReason}`);
  }

  #end(promptId: string, reason: TurnEnd, message?: string): ChatEvent[] {
    if (this.#running === promptId) this.#running = undefined;
    return [{ type: 'turn-end', promptId, reason, ...(message === undefined ? {} : { message }) }];
  }

  /** The agent's process died under it; `session_died` follows, and the turn can be continued. */
  #failed({ promptId, message }: EventData<'turn_error'>): ChatEvent[] {
    if (/^agent channel closed/.test(message)) return this.#end(promptId, 'interrupted');
    return this.#end(promptId, 'error', message);
  }

  #added({ promptId, text }: EventData<'pending_prompt_added'>, own: boolean): ChatEvent[] {
    if (this.#waiting.some((each) => each.promptId === promptId) || this.#running === promptId) return [];
    return this.queue([...this.#waiting, { promptId, text, own }]);
  }

  #pendingCompleted({ promptId, state }: EventData<'pending_prompt_completed'>): ChatEvent[] {
    if (state === 'removed') this.#takenBack.add(promptId);
    return this.#unqueue(promptId);
  }

  #unqueue(promptId: string): ChatEvent[] {
    return this.queue(this.#waiting.filter((each) => each.promptId !== promptId));
  }

  /** What is current was told by somebody else. */
  know(events: readonly ChatEvent[]): void {
    this.#said.know(...events);
  }
}

function notice(level: 'info' | 'warning' | 'error', message: string, code: string): Translation {
  return { events: [{ type: 'notice', notice: { level, message, code } }] };
}

/** The daemon's words, for people. */
const REASONS: Readonly<Record<string, string>> = {
  channel_closed: "the agent's process ended",
  daemon_shutdown: 'the daemon is shutting down',
  ring_evicted: 'more happened than the daemon keeps',
  epoch_reset: 'the daemon began anew',
  client_close: 'another client closed it',
};

function control(kind: Control['kind'], reason: string): Translation {
  return { events: [], control: { kind, reason: REASONS[reason] ?? reason } };
}

/** Which update it was, for the log. */
function kindOf(data: unknown): string {
  const update = (data as { update?: { sessionUpdate?: unknown } } | null)?.update?.sessionUpdate;
  return typeof update === 'string' ? `/${update}` : '';
}
