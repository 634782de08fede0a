import { useEffect, useRef } from 'preact/hooks';
import { t } from '../l10n/t.ts';
import { moveAlong } from './arrows.ts';
import type { ChatClient } from './client.ts';
import { ConversationView } from './conversation.tsx';
import type { OpenChat } from './open-chat.ts';
import { StartView } from './start.tsx';

/** Several conversations, one in front. */
export function ChatPanel({ client }: { client: ChatClient }) {
  const { current } = client;
  if (!client.attached.value) return <p class="empty">…</p>;
  const chat = current.value;
  return (
    <div class="chat">
      {showsTabs(client) && <Tabs client={client} />}
      {chat ? <ConversationView key={chat.id} chat={chat} client={client} /> : <StartView client={client} />}
    </div>
  );
}

/** One conversation needs no tabs: its head says what it is. */
function showsTabs({ chats, currentId }: ChatClient): boolean {
  return chats.value.length > 1 || (chats.value.length === 1 && currentId.value === undefined);
}

function Tabs({ client }: { client: ChatClient }) {
  return (
    <div class="chat-tabs">
      <div role="tablist" aria-label={t('Conversations')} onKeyDown={(event) => moveAlong(event, '[role=tab]', 'row')}>
        {client.chats.value.map((chat) => (
          <Tab key={chat.id} chat={chat} client={client} />
        ))}
      </div>
    </div>
  );
}

function Tab({ chat, client }: { chat: OpenChat; client: ChatClient }) {
  const front = client.currentId.value === chat.id;
  const element = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (front) element.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [front]);
  const { running, asks } = chat.conversation.value;
  const state = asks.length > 0 ? 'asks' : running !== undefined ? 'works' : 'idle';
  return (
    <button
      ref={element}
      type="button"
      role="tab"
      class={`chat-tab ${front ? 'current' : ''}`}
      aria-selected={front}
      aria-controls="conversation"
      tabIndex={front ? 0 : -1}
      title={`${chat.agent.name}: ${chat.title}`}
      onClick={() => (client.currentId.value = chat.id)}
    >
      <span class={`state ${state}`} aria-hidden="true" />
      <span class="chat-tab-title">{chat.title}</span>
      <span class="chat-tab-agent">{chat.agent.name}</span>
      {state === 'asks' && <span class="visually-hidden">{t(', waits for your answer')}</span>}
      {state === 'works' && <span class="visually-hidden">{t(', works')}</span>}
    </button>
  );
}
