import type { SessionPage, SessionSummary } from '@tandem/chat/view';
import { useEffect, useState } from 'preact/hooks';
import { locale, t } from '../l10n/t.ts';
import { moveAlong } from './arrows.ts';
import type { ChatClient } from './client.ts';
import type { OpenChat } from './open-chat.ts';

/** Earlier conversations with this agent, as the agent remembers them. */
export function HistoryView({ chat, client }: { chat: OpenChat; client: ChatClient }) {
  const [sessions, setSessions] = useState<readonly SessionSummary[]>();
  const [next, setNext] = useState<string>();
  const connected = chat.conversation.value.connection.status === 'connected';
  const load = async (cursor?: string) => {
    const page = await chat.perform<SessionPage>({ do: 'list-sessions', ...(cursor === undefined ? {} : { cursor }) });
    setSessions((before) => [...(cursor === undefined ? [] : (before ?? [])), ...(page?.sessions ?? [])]);
    setNext(page?.next);
  };
  useEffect(() => {
    if (connected) void load();
  }, [connected]);
  const here = chat.conversation.value.session?.id;
  const fresh = chat.conversation.value.items.length === 0;
  const pick = (session: SessionSummary) => {
    chat.view.value = 'talk';
    if (session.id === here) return;
    // An empty conversation makes room; one with words in it stays, and another is opened beside it.
    if (fresh) void chat.perform({ do: 'load-session', id: session.id });
    else void client.start(chat.agent.id, session.id);
  };
  return (
    <div class="chat-page">
      <PageHead title={t('Earlier conversations')} chat={chat} />
      {sessions === undefined && (
        <p class="empty">{connected ? t('Asking…') : t('When it is connected, they come here.')}</p>
      )}
      {sessions?.length === 0 && <p class="empty">{t('There are none.')}</p>}
      <ul
        class="sessions"
        aria-label={t('Earlier conversations')}
        onKeyDown={(event) => moveAlong(event, '.session', 'column')}
      >
        {sessions?.map((session) => (
          <li key={session.id}>
            <button
              type="button"
              class={`card session ${session.id === here ? 'current' : ''}`}
              aria-current={session.id === here}
              onClick={() => pick(session)}
            >
              <strong>{session.title || t('Untitled')}</strong>
              <span class="hint">
                {session.updatedAt && new Date(session.updatedAt).toLocaleString(locale())}
                {session.running && ` · ${t('works')}`}
                {session.waiting && ` · ${t('waits for an answer')}`}
                {session.id === here && ` · ${t('this one')}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {next !== undefined && (
        <button type="button" class="link" onClick={() => void load(next)}>
          {t('Older ones')}
        </button>
      )}
    </div>
  );
}

export function PageHead({ title, chat }: { title: string; chat: OpenChat }) {
  return (
    <div class="chat-page-head">
      <h3>{title}</h3>
      <button type="button" class="link" onClick={() => (chat.view.value = 'talk')}>
        {t('Back')}
      </button>
    </div>
  );
}
