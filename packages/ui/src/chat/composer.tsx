import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../l10n/t.ts';
import { wayTo } from '../paths.ts';
import { mentioned, wordAt } from './completion.ts';
import { ComposerBar } from './composer-bar.tsx';
import { ChatIcon } from './icons.tsx';
import { imageSource } from './items.tsx';
import type { OpenChat } from './open-chat.ts';
import { partName } from './part-name.ts';
import { picturesOf } from './pictures.ts';
import type { FilePart } from './protocol.ts';
import { SuggestionList, useSuggestions } from './suggestions.tsx';

/** Where one writes: Enter sends, Shift+Enter begins a line, / and @ complete, Escape stops what runs. */
export function Composer({ chat, begun }: { chat: OpenChat; begun: boolean }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  const [over, setOver] = useState(false);
  const { draft } = chat;
  const text = draft.text.value;
  const { running } = chat.conversation.value;
  const suggestions = useSuggestions(chat, text, caret);

  useEffect(() => {
    // The button that began it is gone, and the keyboard with it; a user who went elsewhere stays there.
    if (begun && document.activeElement === document.body) field.current?.focus();
  }, []);
  useLayoutEffect(() => grow(field.current), [text]);
  useEffect(() => {
    // Not `text`: a key may have come since it was drawn.
    if (field.current && field.current.value !== draft.text.value) field.current.value = draft.text.value;
  }, [text]);
  const complete = (at: number) => {
    const chosen = suggestions.list[at];
    const written = field.current?.value ?? '';
    const word = wordAt(written, field.current?.selectionStart ?? 0);
    if (!chosen || !word || !field.current) return;
    if (chosen.path !== undefined) draft.named.set(chosen.insert.trimEnd(), chosen.path);
    const next = written.slice(0, word.from) + chosen.insert + written.slice(word.to);
    field.current.value = next;
    field.current.selectionStart = field.current.selectionEnd = word.from + chosen.insert.length;
    draft.write(next);
    setCaret(field.current.selectionStart);
  };
  const submit = () => void send(chat);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (suggestions.key(event, complete)) return event.preventDefault();
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      submit();
    } else if (event.key === 'Escape' && running !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      void chat.perform({ do: 'cancel' });
    } else if (event.key === 'ArrowUp' && text === '') {
      event.preventDefault();
      upwards(chat, field.current);
    }
  };
  const take = async (files: Iterable<File>) => {
    if (chat.capabilities.value?.images === false) {
      chat.problem.value = { message: t('{0} takes no pictures.', chat.agent.name) };
      return;
    }
    const pictures = await picturesOf(files, (message) => (chat.problem.value = { message }));
    if (pictures.length > 0) draft.pictures.value = [...draft.pictures.value, ...pictures];
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void take(files);
  };
  const onDrop = (event: DragEvent) => {
    setOver(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void take(files);
  };
  const onCaret = () => setCaret(field.current?.selectionStart ?? 0);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a place to drop pictures; the paste key does the same
    <div
      class={`composer ${over ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <SuggestionList suggestions={suggestions} pick={complete} />
      <Attached chat={chat} />
      <textarea
        ref={field}
        rows={1}
        aria-label={t('Message to {0}', chat.agent.name)}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls="chat-suggestions"
        {...(suggestions.list.length > 0 ? { 'aria-activedescendant': `chat-suggestion-${suggestions.at}` } : {})}
        placeholder={running === undefined ? t('Message to {0}…', chat.agent.name) : t('Goes after what it does now…')}
        defaultValue={text}
        onInput={(event) => {
          draft.write(event.currentTarget.value);
          onCaret();
        }}
        onKeyDown={onKeyDown}
        onKeyUp={onCaret}
        onClick={onCaret}
        onPaste={onPaste}
      />
      <ComposerBar chat={chat} send={submit} take={take} />
    </div>
  );
}

/** In an empty field: to what waits for an answer, else the last prompt comes again. */
function upwards(chat: OpenChat, field: HTMLTextAreaElement | null): void {
  const waiting = field?.closest('.chat-foot')?.querySelector<HTMLElement>('[data-answer]');
  if (waiting) return waiting.focus();
  const said = chat.conversation.value.items.findLast((item) => item.type === 'message' && item.role === 'user');
  if (said?.type === 'message') chat.draft.write(said.text);
}

/** On its way the field is empty; if it does not arrive, the words are there again. */
async function send(chat: OpenChat): Promise<void> {
  const { draft } = chat;
  const text = draft.text.value.trim();
  const [attached, pictures, named] = [draft.attached.value, draft.pictures.value, new Map(draft.named)];
  if ((text === '' && pictures.length === 0) || !chat.ready) return;
  const mentions = [...attached, ...mentioned(text, named)];
  const images = pictures.map(({ mimeType, data }) => ({ mimeType, data }));
  draft.clear();
  chat.view.value = 'talk';
  const taken = await chat.perform({
    do: 'prompt',
    draft: {
      text,
      ...(mentions.length > 0 ? { mentions } : {}),
      ...(images.length > 0 ? { images } : {}),
      context: shares(chat),
    },
  });
  if (taken !== undefined || draft.text.value !== '') return;
  draft.write(text);
  draft.attached.value = attached;
  draft.pictures.value = pictures;
  for (const [written, path] of named) draft.named.set(written, path);
}

const CONTEXT = 'chat-context';

/** Whether what the user looks at goes along. */
export function shares(chat: OpenChat): boolean {
  return chat.around.memory.get(CONTEXT) !== 'off';
}

export function setShares(chat: OpenChat, on: boolean): void {
  chat.around.memory.set(CONTEXT, on ? undefined : 'off');
}

function grow(field: HTMLTextAreaElement | null): void {
  if (!field) return;
  field.style.height = 'auto';
  field.style.height = `${Math.min(field.scrollHeight + 2, 240)}px`;
}

function Attached({ chat }: { chat: OpenChat }) {
  const { attached, pictures } = chat.draft;
  if (attached.value.length + pictures.value.length === 0) return null;
  const folders = chat.around.folders.value;
  const drop = (part: FilePart) => (attached.value = attached.value.filter((each) => each !== part));
  return (
    <ul class="attachments" aria-label={t('Goes along')}>
      {attached.value.map((part) => (
        <li key={partName(part)} class="chip" title={wayTo(folders, part.path)}>
          {partName(part)}
          <Remove label={t('Leave {0} out', partName(part))} run={() => drop(part)} />
        </li>
      ))}
      {pictures.value.map((picture, i) => (
        <li key={i} class="chip">
          <img class="thumbnail" src={imageSource(picture)} alt={picture.name} />
          <Remove
            label={t('Leave {0} out', picture.name)}
            run={() => (pictures.value = pictures.value.filter((each) => each !== picture))}
          />
        </li>
      ))}
    </ul>
  );
}

function Remove({ label, run }: { label: string; run: () => void }) {
  return (
    <button type="button" class="bare" aria-label={label} title={label} onClick={run}>
      <ChatIcon name="close" />
    </button>
  );
}
