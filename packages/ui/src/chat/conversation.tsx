import { useEffect } from 'preact/hooks';
import { heard, t } from '../l10n/t.ts';
import { Announcer } from './announcer.tsx';
import { AskArea } from './asks.tsx';
import type { ChatClient } from './client.ts';
import { Composer } from './composer.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { Head } from './head.tsx';
import { HistoryView } from './history.tsx';
import { LocalityView } from './locality.tsx';
import { MessageList } from './message-list.tsx';
import type { OpenChat } from './open-chat.ts';
import { Queue } from './queue.tsx';

export function ConversationView({ chat, client }: { chat: OpenChat; client: ChatClient }) {
  const view = chat.view.value;
  const { status } = chat.conversation.value.connection;
  // Also when its host was started anew under our eyes.
  useEffect(() => (status === 'stopped' ? client.look(chat) : undefined), [client, chat, status]);
  return (
    <section
      class="conversation"
      id="conversation"
      role="tabpanel"
      aria-label={t('Conversation with {0}', chat.agent.name)}
    >
      <Head chat={chat} client={client} />
      <ConnectionBanner chat={chat} />
      {view === 'history' && <HistoryView chat={chat} client={client} />}
      {view === 'locality' && <LocalityView chat={chat} />}
      {view === 'talk' && <MessageList chat={chat} />}
      <Announcer chat={chat} />
      <div class="chat-foot">
        <AskArea chat={chat} />
        <Queue chat={chat} />
        <ProblemLine chat={chat} />
        <Composer chat={chat} begun={client.begun === chat.id} />
      </div>
    </section>
  );
}

function ProblemLine({ chat }: { chat: OpenChat }) {
  const problem = chat.problem.value;
  if (!problem) return null;
  return (
    <div class="problem" role="alert">
      <span>{heard(problem.message)}</span>
      <button type="button" class="link" onClick={() => (chat.problem.value = undefined)}>
        {t('Dismiss')}
      </button>
    </div>
  );
}
