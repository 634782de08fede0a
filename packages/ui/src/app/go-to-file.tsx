import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../l10n/t.ts';
import { nameOf, wayTo } from '../paths.ts';
import { Dialog } from './dialogs.tsx';
import { rank } from './rank.ts';
import type { Store } from './store.ts';

const SHOWN = 50;

/** Any file by a part of its name. */
export function GoToFile({ store, close }: { store: Store; close: () => void }) {
  const [paths, setPaths] = useState<readonly string[]>();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const { folders, tabs } = store.shell.value;
  useLayoutEffect(() => field.current?.focus(), []);
  useEffect(() => {
    void store.ask('find', {}).then((answer) => setPaths(answer?.paths ?? []));
  }, [store]);
  const open = useMemo(() => tabs.map((tab) => tab.path), [tabs]);
  const found = useMemo(
    () => rank(paths ?? [], query, open, (path) => wayTo(folders, path)).slice(0, SHOWN),
    [paths, query, open, folders],
  );
  const chosen = Math.min(at, found.length - 1);
  useEffect(() => list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' }), [chosen, found]);
  const pick = (path: string | undefined) => {
    if (path === undefined) return;
    close();
    void store.openFile(path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(chosen - 1, 0));
    else if (event.key === 'Enter') pick(found[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog label={t('Go to a file')} close={close}>
      <input
        ref={field}
        class="go-to"
        role="combobox"
        aria-label={t('Name of the file')}
        aria-expanded="true"
        aria-controls="found-files"
        aria-autocomplete="list"
        {...(found.length > 0 ? { 'aria-activedescendant': `found-${chosen}` } : {})}
        placeholder={t('Go to a file…')}
        spellcheck={false}
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="found-files" class="found" role="listbox" aria-label={t('Files')} ref={list}>
        {found.map((path, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
          <div
            key={path}
            id={`found-${i}`}
            role="option"
            aria-selected={i === chosen}
            tabIndex={-1}
            onClick={() => pick(path)}
          >
            <span>{nameOf(path)}</span>
            <span class="hint path">{wayTo(folders, path)}</span>
          </div>
        ))}
      </div>
      {paths && found.length === 0 && <p class="empty">{t('No file has such a name.')}</p>}
    </Dialog>
  );
}
