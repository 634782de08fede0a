import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../l10n/t.ts';
import { moveAlong } from './arrows.ts';
import type { ChatClient } from './client.ts';
import { fileNameOf, markdownOf } from './export.ts';
import { ChatIcon, type ChatIconName } from './icons.tsx';
import type { OpenChat } from './open-chat.ts';

const STATES = {
  stopped: 'not running',
  starting: 'starting',
  connected: 'connected',
  reconnecting: 'reconnecting',
  died: 'gone',
  'workspace-mismatch': 'another folder',
  unauthorised: 'not let in',
} as const;

export function Head({ chat, client }: { chat: OpenChat; client: ChatClient }) {
  const [renaming, setRenaming] = useState(false);
  const { connection, session } = chat.conversation.value;
  const via = session?.agent.via === 'daemon' ? ` · ${t('daemon')}` : '';
  const version = session?.agent.version ? ` ${session.agent.version}` : '';
  return (
    <header class="chat-head">
      <span class={`dot ${connection.status}`} aria-hidden="true" />
      <div class="chat-head-words">
        {renaming ? (
          <TitleField chat={chat} done={() => setRenaming(false)} />
        ) : (
          <h2 title={chat.title}>{chat.title}</h2>
        )}
        <span class="hint">
          {chat.agent.name}
          {version}
          {via} · {t(connection.status === 'connected' && !session ? STATES.starting : STATES[connection.status])}
        </span>
      </div>
      <button
        type="button"
        class="bare icon-button"
        aria-label={t('New conversation')}
        title={t('New conversation')}
        onClick={() => (client.currentId.value = undefined)}
      >
        <ChatIcon name="add" />
      </button>
      <Menu chat={chat} client={client} rename={() => setRenaming(true)} />
    </header>
  );
}

function TitleField({ chat, done }: { chat: OpenChat; done: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    const title = field.current?.value.trim() ?? '';
    if (event.key === 'Enter' && title !== '' && title !== chat.title)
      void chat.perform({ do: 'rename-session', title });
    done();
  };
  return (
    <input
      ref={field}
      class="name"
      aria-label={t('Title of the conversation')}
      maxLength={200}
      defaultValue={chat.title}
      onKeyDown={onKeyDown}
      onBlur={done}
    />
  );
}

interface Entry {
  readonly label: string;
  readonly icon: ChatIconName;
  readonly run: () => void;
  readonly disabled?: boolean;
}

function entries(chat: OpenChat, client: ChatClient, rename: () => void): readonly Entry[] {
  const can = chat.capabilities.value;
  const empty = chat.conversation.value.items.length === 0;
  const turn = (view: 'history' | 'locality') => () => (chat.view.value = chat.view.value === view ? 'talk' : view);
  const { around } = chat;
  return [
    {
      label: t('New conversation with {0}', chat.agent.name),
      icon: 'add',
      run: () => void client.start(chat.agent.id),
    },
    { label: t('Earlier conversations'), icon: 'history', run: turn('history'), disabled: !can?.list },
    { label: t('Rename'), icon: 'edit', run: rename, disabled: !can?.rename },
    { label: t('Where does this run?'), icon: 'place', run: turn('locality') },
    {
      label: t('Copy as Markdown'),
      icon: 'copy',
      run: () => void around.copy(markdownOf(chat.title, chat.agent.name, chat.conversation.value)),
      disabled: empty,
    },
    {
      label: t('Export as Markdown…'),
      icon: 'export',
      run: () => around.save(fileNameOf(chat.title), markdownOf(chat.title, chat.agent.name, chat.conversation.value)),
      disabled: empty,
    },
    { label: t('Close and end the agent'), icon: 'close', run: () => void client.close(chat) },
  ];
}

function Menu({ chat, client, rename }: { chat: OpenChat; client: ChatClient; rename: () => void }) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (open) list.current?.querySelector<HTMLElement>('[role=menuitem]:not(:disabled)')?.focus();
  }, [open]);
  useEffect(() => {
    if (!open) return;
    const away = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    window.addEventListener('pointerdown', away);
    return () => window.removeEventListener('pointerdown', away);
  }, [open]);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      event.stopPropagation();
      close();
    } else moveAlong(event, '[role=menuitem]:not(:disabled)', 'column');
  };
  return (
    <div class="menu" ref={root}>
      <button
        ref={button}
        type="button"
        class="bare icon-button"
        aria-label={t('More')}
        title={t('More')}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <ChatIcon name="more" />
      </button>
      {open && (
        <div
          class="menu-list"
          role="menu"
          tabIndex={-1}
          aria-label={t('Conversation')}
          ref={list}
          onKeyDown={onKeyDown}
        >
          {entries(chat, client, rename).map(({ label, icon, run, disabled }) => (
            <button
              key={label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              disabled={disabled}
              onClick={() => {
                close();
                run();
              }}
            >
              <ChatIcon name={icon} />
              {label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
