import type { Attachment, Item, PlanEntry, TurnEnd } from '@tandem/chat/view';
import { Component } from 'preact';
import { heard, type Text, t } from '../l10n/t.ts';
import { wayTo } from '../paths.ts';
import { CopyButton } from './copy-button.tsx';
import { Fold } from './fold.tsx';
import { ChatIcon } from './icons.tsx';
import { Markdown, type MarkdownHost } from './markdown/markdown.tsx';
import type { OpenChat } from './open-chat.ts';
import { partName } from './part-name.ts';
import { ToolCard } from './tool-card.tsx';

interface ItemProps {
  readonly item: Item;
  readonly chat: OpenChat;
  readonly live: boolean;
}

/** Drawn again only when it is another object: the model keeps those that did not change. */
export class ItemView extends Component<ItemProps> {
  override shouldComponentUpdate(next: ItemProps): boolean {
    return next.item !== this.props.item || next.live !== this.props.live;
  }

  override render({ item, chat, live }: ItemProps) {
    switch (item.type) {
      case 'message':
        return item.role === 'user' ? (
          <UserMessage item={item} chat={chat} />
        ) : (
          <AgentMessage text={item.text} chat={chat} live={live} />
        );
      case 'thought':
        return <Thought id={item.key} text={item.text} chat={chat} live={live} />;
      case 'tool':
        return <ToolCard call={item.call} review={item.review} chat={chat} id={item.key} />;
      case 'plan':
        return <Plan entries={item.entries} />;
      case 'notice':
        return <p class={`chat-notice ${item.notice.level}`}>{heard(item.notice.message)}</p>;
      case 'end':
        return <TurnEndLine item={item} />;
    }
  }
}

export function markdownHost(chat: OpenChat): MarkdownHost {
  return {
    folders: chat.around.folders.value,
    openFile: (path, line) => chat.around.openFile(path, line),
    copy: (text) => chat.around.copy(text),
  };
}

function UserMessage({ item, chat }: { item: Item & { type: 'message' }; chat: OpenChat }) {
  return (
    <article class="said user" aria-label={t('You')}>
      {item.elsewhere && <span class="hint">{t('from another window')}</span>}
      <div class="said-text">{item.text}</div>
      {item.attachments && <Attachments attachments={item.attachments} chat={chat} />}
    </article>
  );
}

function Attachments({ attachments, chat }: { attachments: readonly Attachment[]; chat: OpenChat }) {
  const folders = chat.around.folders.value;
  return (
    <ul class="attachments" aria-label={t('Along with it')}>
      {attachments.map((each, i) => (
        <li key={i}>
          {each.type === 'image' ? (
            <img class="thumbnail" src={imageSource(each)} alt={t('attached')} />
          ) : each.type === 'file' ? (
            <button
              type="button"
              class="chip"
              title={wayTo(folders, each.path)}
              onClick={() => chat.around.openFile(each.path, each.lines?.start)}
            >
              {partName(each)}
              {each.unsaved ? t(', unsaved') : ''}
            </button>
          ) : (
            <span class="chip">{each.label}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp', 'image/avif']);

/** Only pictures that are nothing but pictures. */
export function imageSource({ mimeType, data }: { mimeType: string; data: string }): string {
  return PICTURES.has(mimeType) && /^[A-Za-z0-9+/=\s]*$/.test(data) ? `data:${mimeType};base64,${data}` : '';
}

function AgentMessage({ text, chat, live }: { text: string; chat: OpenChat; live: boolean }) {
  return (
    <article class="said agent" aria-label={chat.agent.name}>
      <Markdown text={text} host={markdownHost(chat)} live={live} />
      {!live && (
        <div class="said-tools">
          <CopyButton text={text} copy={chat.around.copy} label={t('Copy the message')} />
        </div>
      )}
    </article>
  );
}

function Thought({ id, text, chat, live }: { id: string; text: string; chat: OpenChat; live: boolean }) {
  const first = text.trim().split('\n', 1)[0]?.replaceAll('*', '').slice(0, 120) ?? '';
  return (
    <Fold
      chat={chat}
      id={id}
      class="thought"
      head={
        <>
          <ChatIcon name="think" />
          <span class="fold-title">{live ? t('Thinking…') : t('Thought')}</span>
          <span class="hint path">{first}</span>
        </>
      }
    >
      {() => <Markdown text={text} host={markdownHost(chat)} live={live} />}
    </Fold>
  );
}

const PLAN_WORDS = { pending: 'to do', in_progress: 'in progress', completed: 'done' } as const;

function Plan({ entries }: { entries: readonly PlanEntry[] }) {
  const done = entries.filter(({ status }) => status === 'completed').length;
  return (
    <section class="plan" aria-label={t('Plan')}>
      <div class="plan-head">
        <ChatIcon name="plan" />
        <span class="fold-title">{t('Plan')}</span>
        <progress max={entries.length} value={done} aria-label={t('Progress of the plan')} />
        <span class="hint">{t('{0} of {1}', done, entries.length)}</span>
      </div>
      <ol>
        {entries.map((entry, i) => (
          <li key={i} class={entry.status}>
            <span class="plan-mark" aria-hidden="true">
              {entry.status === 'completed' && <ChatIcon name="check" />}
            </span>
            <span>
              {entry.content}
              <span class="visually-hidden">
                {t(', ')}
                {t(PLAN_WORDS[entry.status])}
              </span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const ENDS: Readonly<Partial<Record<TurnEnd, Text>>> = {
  cancelled: 'Stopped.',
  max_tokens: 'It stopped at the limit of tokens.',
  max_turn_requests: 'It stopped at the limit of steps for one turn.',
  refusal: 'The model refused to answer.',
  error: 'It failed.',
  interrupted: 'It was cut off.',
};

function TurnEndLine({ item }: { item: Item & { type: 'end' } }) {
  const words = ENDS[item.reason];
  const bad = item.reason === 'error' || item.reason === 'interrupted' || item.reason === 'refusal';
  return (
    <p class={`chat-notice ${bad ? 'error' : 'info'}`}>
      {words === undefined ? item.reason : t(words)}
      {item.message && ` ${heard(item.message)}`}
    </p>
  );
}
