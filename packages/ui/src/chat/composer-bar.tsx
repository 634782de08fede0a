import type { Choice, Usage } from '@tandem/chat/view';
import { useRef, useState } from 'preact/hooks';
import { locale, t } from '../l10n/t.ts';
import { setShares, shares } from './composer.tsx';
import { ChatIcon } from './icons.tsx';
import type { OpenChat } from './open-chat.ts';
import { partName } from './part-name.ts';

interface BarProps {
  readonly chat: OpenChat;
  readonly send: () => void;
  readonly take: (files: Iterable<File>) => Promise<void>;
}

export function ComposerBar({ chat, send, take }: BarProps) {
  const { mode, model, options, usage, running } = chat.conversation.value;
  const empty = chat.draft.text.value.trim() === '' && chat.draft.pictures.value.length === 0;
  return (
    <div class="composer-bar">
      <div class="composer-choices">
        <Looking chat={chat} />
        <AttachSelection chat={chat} />
        {chat.capabilities.value?.images !== false && <AttachPicture take={take} />}
        <Select
          label={t('Mode')}
          value={mode.current}
          choices={mode.available}
          set={(id) => void chat.perform({ do: 'set-mode', id })}
        />
        <Select
          label={t('Model')}
          value={model.current}
          choices={model.available}
          set={(id) => void chat.perform({ do: 'set-model', id })}
        />
        {options.map((option) => (
          <Select
            key={option.id}
            label={option.name}
            value={option.current}
            choices={option.choices}
            set={(value) => void chat.perform({ do: 'set-option', id: option.id, value })}
          />
        ))}
      </div>
      <UsageView usage={usage} />
      {running !== undefined && (
        <button
          type="button"
          class="icon-button stop"
          aria-label={t('Stop')}
          title={t('Stop (Esc)')}
          onClick={() => void chat.perform({ do: 'cancel' })}
        >
          <ChatIcon name="stop" />
        </button>
      )}
      <button
        type="button"
        class="icon-button primary"
        aria-label={running === undefined ? t('Send') : t('Queue')}
        title={running === undefined ? t('Send (Enter)') : t('Send after this turn (Enter)')}
        disabled={empty || !chat.ready}
        onClick={send}
      >
        <ChatIcon name="send" />
      </button>
    </div>
  );
}

/** What the user looks at goes along, unless they say no. */
function Looking({ chat }: { chat: OpenChat }) {
  const [on, setOn] = useState(() => shares(chat));
  const looking = chat.around.looking.value;
  if (!looking) return null;
  const name = partName(looking);
  return (
    <button
      type="button"
      class={`chip looking ${on ? 'on' : ''}`}
      aria-pressed={on}
      aria-label={t('Send {0} along', name)}
      title={on ? t('{0} goes along as what you look at', name) : t('{0} stays here', name)}
      onClick={() => {
        setShares(chat, !on);
        setOn(!on);
      }}
    >
      <ChatIcon name="read" />
      {name}
    </button>
  );
}

function AttachSelection({ chat }: { chat: OpenChat }) {
  const attach = () => {
    const part = chat.around.selection();
    if (part) chat.draft.attach(part);
    else chat.problem.value = { message: t('No file is open that could be attached.') };
  };
  return (
    <button
      type="button"
      class="bare icon-button"
      aria-label={t('Attach the selection')}
      title={t('Attach the selection')}
      onClick={attach}
    >
      <ChatIcon name="selection" />
    </button>
  );
}

function AttachPicture({ take }: { take: (files: Iterable<File>) => Promise<void> }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class="bare icon-button"
        aria-label={t('Attach a picture')}
        title={t('Attach a picture (or paste one)')}
        onClick={() => field.current?.click()}
      >
        <ChatIcon name="picture" />
      </button>
      <input
        ref={field}
        type="file"
        hidden
        multiple
        accept="image/png,image/jpeg,image/gif,image/webp"
        onChange={(event) => {
          void take([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly choices: readonly Choice[];
  readonly set: (id: string) => void;
}

function Select({ label, value, choices, set }: SelectProps) {
  if (choices.length === 0) return null;
  const current = choices.find((choice) => choice.id === value);
  return (
    <span class="choose" title={`${label}: ${current?.description ?? current?.name ?? value ?? '–'}`}>
      <select aria-label={label} value={value ?? ''} onChange={(event) => set(event.currentTarget.value)}>
        {!current && <option value={value ?? ''}>{value || label}</option>}
        {choices.map((choice) => (
          <option key={choice.id} value={choice.id} title={choice.description}>
            {choice.name}
          </option>
        ))}
      </select>
    </span>
  );
}

/** How full the context is, and what the last call cost. */
function UsageView({ usage }: { usage: Usage }) {
  const { used, size } = usage;
  const parts = [
    used === undefined ? '' : inContext(used, size),
    usage.input === undefined ? '' : t('{0} in', count(usage.input)),
    usage.output === undefined ? '' : t('{0} out', count(usage.output)),
    usage.thought ? t('{0} thought', count(usage.thought)) : '',
    usage.cached ? t('{0} from the cache', count(usage.cached)) : '',
  ].filter((part) => part !== '');
  if (parts.length === 0) return null;
  const all = parts.join(t(', '));
  const share = used !== undefined && size ? Math.min(1, used / size) : undefined;
  const shown = used ?? (usage.input ?? 0) + (usage.output ?? 0);
  return (
    <span class={`usage ${share !== undefined && share > 0.8 ? 'full' : ''}`} title={all}>
      <span aria-hidden="true">{share === undefined ? short(shown) : t('{0} %', Math.round(share * 100))}</span>
      <span class="visually-hidden">{t('Usage: {0}', all)}</span>
    </span>
  );
}

function inContext(used: number, size: number | undefined): string {
  if (!size) return t('{0} tokens in the context', count(used));
  return t('{0} of {1} tokens in the context', count(used), count(size));
}

const count = (tokens: number) => tokens.toLocaleString(locale());
const short = (tokens: number) =>
  tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(tokens < 10_000 ? 1 : 0)}k`;
