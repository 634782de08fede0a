import { useEffect, useRef } from 'preact/hooks';
import type { Tab } from '../protocol.ts';
import { nameOf, type Store } from './store.ts';

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
    <div class="tabs" role="tablist" aria-label="Open files">
      {tabs.map((tab) => (
        <div
          key={tab.path}
          class={`tab ${tab.path === store.active.value ? 'current' : ''} ${tab.preview ? 'preview' : ''}`}
        >
          <button
            type="button"
            role="tab"
            aria-selected={tab.path === store.active.value}
            title={tab.path}
            onClick={() => void store.openFile(tab.path)}
            onAuxClick={(event) => event.button === 1 && void store.closeTab(tab.path)}
          >
            {nameOf(tab.path)}
            {tab.dirty && (
              <span class="dirty" title="Unsaved changes">
                <span class="visually-hidden">, unsaved</span>●
              </span>
            )}
          </button>
          <button
            type="button"
            class="close"
            aria-label={`Close ${nameOf(tab.path)}`}
            onClick={() => void store.closeTab(tab.path)}
          >
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}

function Conflict({ store, tab }: { store: Store; tab: Tab }) {
  const gone = tab.conflict === 'deleted';
  return (
    <div class="conflict" role="alert">
      <span>
        {gone ? 'This file was deleted on disk.' : 'This file was changed on disk, and you have unsaved changes.'}
      </span>
      {!gone && (
        <button type="button" class="link" onClick={() => void store.ask('reload', { path: tab.path })}>
          Take the disk’s
        </button>
      )}
      <button type="button" class="link" onClick={() => void store.save(tab.path, true)}>
        {gone ? 'Write it again' : 'Overwrite with mine'}
      </button>
    </div>
  );
}

function Editor({ store, path }: { store: Store; path: string }) {
  const host = useRef<HTMLDivElement>(null);
  const view = store.documents.view(path);
  const note = store.documents.note(path);
  useEffect(() => {
    if (!view || !host.current) return;
    host.current.replaceChildren(view.dom);
    view.requestMeasure();
  }, [view]);
  return (
    <>
      {note && <div class="note">{note}</div>}
      <div class="editor" ref={host} />
    </>
  );
}

function Welcome({ store }: { store: Store }) {
  return (
    <div class="welcome">
      <h1>{nameOf(store.shell.value.folders[0] ?? 'Tandem')}</h1>
      <p>Start an agent in a terminal, in this folder. It connects by itself.</p>
      <Starts store={store} />
      <p class="hint">
        <kbd>Alt</kbd>+<kbd>1</kbd>…<kbd>4</kbd> panels · <kbd>Alt</kbd>+<kbd>.</kbd> next review
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
            <span class="bad">{each.error}</span>
          ) : (
            <>
              <code>{each.start}</code>
              <button
                type="button"
                class="link"
                aria-label={`Copy the line for ${each.agent}`}
                onClick={() => void copy(store, each.start)}
              >
                Copy
              </button>
              {each.once && <span class="hint">the first time: {each.once}</span>}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

async function copy(store: Store, text: string): Promise<void> {
  await navigator.clipboard.writeText(text).then(
    () => store.toast('info', 'Copied.'),
    () => store.toast('warning', 'The browser does not let this page copy.'),
  );
}
