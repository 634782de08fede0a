import type { Choice, Usage } from '@tandem/chat/view';
import { useRef, useState } from 'preact/hooks';
import { setShares, shares } from './composer.tsx';
import { ChatIcon } from './icons.tsx';
import type { OpenChat } from './open-chat.ts';
import { partName } from './paths.ts';

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
          label="Mode"
          value={mode.current}
          choices={mode.available}
          set={(id) => void chat.perform({ do: 'set-mode', id })}
        />
        <Select
          label="Model"
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
          aria-label="Stop"
          title="Stop (Esc)"
          onClick={() => void chat.perform({ do: 'cancel' })}
        >
          <ChatIcon name="stop" />
        </button>
      )}
      <button
        type="button"
        class="icon-button primary"
        aria-label={running === undefined ? 'Send' : 'Queue'}
        title={running === undefined ? 'Send (Enter)' : 'Send after this turn (Enter)'}
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
      aria-label={`Send ${name} along`}
      title={on ? `${name} goes along as what you look at` : `${name} stays here`}
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
    else chat.problem.value = { message: 'No file is open that could be attached.' };
  };
  return (
    <button
      type="button"
      class="bare icon-button"
      aria-label="Attach the selection"
      title="Attach the selection"
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
        aria-label="Attach a picture"
        title="Attach a picture (or paste one)"
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
    used === undefined ? '' : `${count(used)}${size ? ` of ${count(size)}` : ''} tokens in the context`,
    usage.input === undefined ? '' : `${count(usage.input)} in`,
    usage.output === undefined ? '' : `${count(usage.output)} out`,
    usage.thought ? `${count(usage.thought)} thought` : '',
    usage.cached ? `${count(usage.cached)} from the cache` : '',
  ].filter((part) => part !== '');
  if (parts.length === 0) return null;
  const share = used !== undefined && size ? Math.min(1, used / size) : undefined;
  const shown = used ?? (usage.input ?? 0) + (usage.output ?? 0);
  return (
    <span class={`usage ${share !== undefined && share > 0.8 ? 'full' : ''}`} title={parts.join(', ')}>
      <span aria-hidden="true">{share === undefined ? short(shown) : `${Math.round(share * 100)} %`}</span>
      <span class="visually-hidden">Usage: {parts.join(', ')}</span>
    </span>
  );
}

const count = (tokens: number) => tokens.toLocaleString();
const short = (tokens: number) =>
  tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(tokens < 10_000 ? 1 : 0)}k`;
