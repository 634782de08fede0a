import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { heard, t } from '../l10n/t.ts';
import { tParts } from '../l10n/t-parts.ts';
import { nameOf } from '../paths.ts';
import type { Tab } from '../protocol.ts';
import { Icon } from './icons.tsx';
import type { Store } from './store.ts';

export function DocumentPane({ store }: { store: Store }) {
  const path = store.active.value;
  const tab = store.shell.value.tabs.find((each) => each.path === path);
  return (
    <div class="documents">
      <Tabs store={store} />
      {tab && tab.conflict !== 'none' && <Conflict store={store} tab={tab} />}
      {path === undefined ? <Welcome store={store} /> : <Editor key={path} store={store} path={path} />}
    </div>
  );
}

function Tabs({ store }: { store: Store }) {
  const { tabs } = store.shell.value;
  if (tabs.length === 0) return null;
  return (
    <div class="tabs" role="tablist" aria-label={t('Open files')} onKeyDown={(event) => moveInTabs(store, event)}>
      {tabs.map((tab) => (
        <TabButton key={tab.path} store={store} tab={tab} current={tab.path === store.active.value} />
      ))}
    </div>
  );
}

function TabButton({ store, tab, current }: { store: Store; tab: Tab; current: boolean }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (current) element.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <div ref={element} class={`tab ${current ? 'current' : ''} ${tab.preview ? 'preview' : ''}`} role="presentation">
      <button
        type="button"
        role="tab"
        aria-selected={current}
        aria-controls="document"
        tabIndex={current ? 0 : -1}
        data-path={tab.path}
        title={tab.path}
        onClick={() => void store.openFile(tab.path, true)}
        onDblClick={() => void store.openFile(tab.path)}
        onAuxClick={(event) => event.button === 1 && void store.closeTab(tab.path)}
      >
        {nameOf(tab.path)}
        {tab.preview && <span class="visually-hidden">{t(', preview')}</span>}
        {tab.dirty && (
          <span class="dirty" title={t('Unsaved changes')}>
            <span class="visually-hidden">{t(', unsaved')}</span>
          </span>
        )}
      </button>
      <button
        type="button"
        class="close"
        tabIndex={-1}
        aria-label={t('Close {0}', nameOf(tab.path))}
        title={t('Close (Alt+W)')}
        onClick={() => void store.closeTab(tab.path)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

/** Left and right between tabs, Enter to bring one to the front, Delete to close it. */
function moveInTabs(store: Store, event: KeyboardEvent): void {
  const list = event.currentTarget as HTMLElement;
  const all = [...list.querySelectorAll<HTMLElement>('[role=tab]')];
  const at = all.indexOf(document.activeElement as HTMLElement);
  const path = all[at]?.dataset.path;
  if (path === undefined) return;
  if (event.key === 'ArrowRight') all[(at + 1) % all.length]?.focus();
  else if (event.key === 'ArrowLeft') all.at(at - 1)?.focus();
  else if (event.key === 'Home') all[0]?.focus();
  else if (event.key === 'End') all.at(-1)?.focus();
  else if (event.key === 'Delete') void store.closeTab(path);
  else return;
  event.preventDefault();
}

function Conflict({ store, tab }: { store: Store; tab: Tab }) {
  const gone = tab.conflict === 'deleted';
  return (
    <div class="conflict" role="alert">
      <span>
        {gone ? t('This file was deleted on disk.') : t('This file was changed on disk, and you have unsaved changes.')}
      </span>
      {!gone && (
        <button type="button" onClick={() => void store.ask('reload', { path: tab.path })}>
          {t('Take the disk’s')}
        </button>
      )}
      <button type="button" onClick={() => void store.save(tab.path, true)}>
        {gone ? t('Write it again') : t('Overwrite with mine')}
      </button>
    </div>
  );
}

function Editor({ store, path }: { store: Store; path: string }) {
  const host = useRef<HTMLDivElement>(null);
  const view = store.documents.view(path);
  const note = store.documents.note(path);
  const hidden = note !== undefined && view?.state.doc.length === 0;
  // Before the next frame, in which it may be given the keyboard.
  useLayoutEffect(() => {
    if (!view || hidden || !host.current) return;
    host.current.replaceChildren(view.dom);
    view.requestMeasure();
  }, [view, hidden]);
  return (
    <>
      {note && !hidden && <div class="note">{heard(note)}</div>}
      <div class="editor" id="document" role="tabpanel" aria-label={nameOf(path)} ref={host}>
        {hidden && <p class="not-text">{heard(note)}</p>}
      </div>
    </>
  );
}

function Welcome({ store }: { store: Store }) {
  return (
    <div class="welcome">
      <h1>{nameOf(store.shell.value.folders[0] ?? 'Tandem')}</h1>
      <p>{t('Start an agent in a terminal, in this folder. It connects by itself.')}</p>
      <Starts store={store} />
      <p class="hint">
        {tParts('{0} {1} goes to a file · {2} shows all keys', <kbd>Ctrl</kbd>, <kbd>P</kbd>, <kbd>F1</kbd>)}
      </p>
    </div>
  );
}

/** The exact line for each agent, with a button that copies it. */
export function Starts({ store }: { store: Store }) {
  return (
    <ul class="starts">
      {store.shell.value.published.map((each) => (
        <li key={each.dialect}>
          <span class="agent-name">{each.agent}</span>
          {each.error ? (
            <span class="bad">{heard(each.error)}</span>
          ) : (
            <>
              <span class="line">
                <code>{each.start}</code>
                <button
                  type="button"
                  class="bare"
                  aria-label={t('Copy the line for {0}', each.agent)}
                  title={t('Copy')}
                  onClick={() => void store.copy(each.start)}
                >
                  <Icon name="copy" />
                </button>
              </span>
              {each.once && <span class="hint">{t('the first time: {0}', heard(each.once))}</span>}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
