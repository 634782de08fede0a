import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../l10n/t.ts';
import { commandsFor, filesFor, type Suggestion, type Word, wordAt } from './completion.ts';
import type { OpenChat } from './open-chat.ts';

/** The list of files is asked for when the first @ is written, and is believed so long. */
const FRESH_MS = 10_000;

export interface Suggestions {
  readonly word: Word | undefined;
  readonly list: readonly Suggestion[];
  readonly at: number;
  /** Whether the key was meant for the list. */
  key(event: KeyboardEvent, complete: (at: number) => void): boolean;
}

export function useSuggestions(chat: OpenChat, text: string, caret: number): Suggestions {
  const [at, setAt] = useState(0);
  const [files, setFiles] = useState<{ paths: readonly string[]; until: number }>({ paths: [], until: 0 });
  /** The word for which the user wants no list. */
  const [dismissed, dismiss] = useState('');
  const found = wordAt(text, caret);
  const mark = found ? `${found.kind} ${found.from}` : '';
  const word = found && mark !== dismissed ? found : undefined;
  useEffect(() => {
    if (mark !== dismissed) dismiss('');
    if (found?.kind !== 'file' || files.until > Date.now()) return;
    void chat.around.files().then((paths) => setFiles({ paths, until: Date.now() + FRESH_MS }));
  }, [mark]);
  useEffect(() => setAt(0), [word?.kind, word?.text]);
  const { commands } = chat.conversation.value;
  const folders = chat.around.folders.value;
  const list = useMemo(() => {
    if (!word) return [];
    return word.kind === 'command' ? commandsFor(word.text, commands) : filesFor(word.text, files.paths, folders);
  }, [word?.kind, word?.text, commands, files.paths, folders]);
  const key = (event: KeyboardEvent, complete: (at: number) => void) => {
    if (list.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return false;
    // A command that is written out is meant as it is.
    const whole = list.length === 1 && word?.kind === 'command' && list[0]?.insert.trim() === `/${word.text}`;
    if (event.key === 'ArrowDown') setAt((at + 1) % list.length);
    else if (event.key === 'ArrowUp') setAt((at - 1 + list.length) % list.length);
    else if (event.key === 'Tab' || (event.key === 'Enter' && !event.shiftKey && !whole)) complete(at);
    else if (event.key === 'Escape') {
      dismiss(mark);
      event.stopPropagation();
    } else return false;
    return true;
  };
  return { word, list, at: Math.min(at, Math.max(0, list.length - 1)), key };
}

export function SuggestionList({ suggestions, pick }: { suggestions: Suggestions; pick: (at: number) => void }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(
    () => list.current?.children[suggestions.at]?.scrollIntoView({ block: 'nearest' }),
    [suggestions.at, suggestions.list],
  );
  if (suggestions.list.length === 0) return null;
  return (
    <div
      ref={list}
      id="chat-suggestions"
      class="suggestions"
      role="listbox"
      aria-label={suggestions.word?.kind === 'command' ? t('Commands') : t('Files')}
    >
      {suggestions.list.map((suggestion, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
        <div
          key={suggestion.insert}
          id={`chat-suggestion-${i}`}
          role="option"
          aria-selected={i === suggestions.at}
          tabIndex={-1}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => pick(i)}
        >
          <span>{suggestion.label}</span>
          <span class="hint path">{suggestion.detail}</span>
        </div>
      ))}
    </div>
  );
}
