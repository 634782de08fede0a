import type { ChatEvent } from '../events.ts';
import { pendingAsk } from './pending.ts';
import { Envelope, PendingInteraction, type PendingPrompt, type Restored } from './schema.ts';
import type { Translator } from './translator.ts';

/** What the daemon knows of a session that it has just loaded or resumed. */
export interface Past {
  readonly restored: Restored;
  /** A turn was cut off that can be continued. */
  readonly interrupted: boolean;
  readonly pendingPrompts: readonly PendingPrompt[];
  readonly pendingInteractions: readonly unknown[];
  readonly isOwn: (clientId: string | undefined) => boolean;
}

/** The same as events: what was said, what runs, what waits. */
export function* historyOf(past: Past, translator: Translator): Generator<ChatEvent> {
  const { restored, interrupted } = past;
  for (const frame of [...(restored.compactedReplay ?? []), ...(restored.liveJournal ?? [])]) {
    const envelope = Envelope.safeParse(frame);
    if (!envelope.success) continue;
    // What the mode and model were at some time in the past does not matter.
    const isNews = ({ type }: ChatEvent) => type !== 'mode' && type !== 'model';
    yield* translator.read(envelope.data).events.filter(isNews);
  }
  yield* translator.settle(restored.hasActivePrompt ?? false, interrupted);
  yield* asksOf(past.pendingInteractions, translator);
  const waiting = past.pendingPrompts.filter(({ state }) => state === 'queued');
  yield* translator.queue(
    waiting.map(({ promptId, text, originatorClientId }) => ({ promptId, text, own: past.isOwn(originatorClientId) })),
  );
}

/** Those that the history did not tell: a resumed session has none. */
function* asksOf(pending: readonly unknown[], translator: Translator): Generator<ChatEvent> {
  for (const each of pending) {
    const wire = PendingInteraction.safeParse(each);
    if (!wire.success || translator.optionsOf(wire.data.requestId) !== undefined) continue;
    const ask = pendingAsk(wire.data);
    if (ask) yield* translator.ask(wire.data.requestId, ask.event, ask.options);
  }
}
