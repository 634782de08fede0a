import { useEffect } from 'preact/hooks';
import { type Text, t } from '../l10n/t.ts';
import { tParts } from '../l10n/t-parts.ts';
import { nameOf } from '../paths.ts';
import { AgentsPanel } from './agents-panel.tsx';
import { ChatColumn } from './chat-column.tsx';
import { ClosedPane } from './closed-pane.tsx';
import { ContextPanel } from './context-panel.tsx';
import { HelpDialog, QuestionDialog } from './dialogs.tsx';
import { DocumentPane } from './document-pane.tsx';
import { FilesPanel } from './files-panel.tsx';
import { GoToFile } from './go-to-file.tsx';
import { Icon } from './icons.tsx';
import { listenForKeys, PANELS } from './keys.ts';
import { LedgerPane } from './ledger-pane.tsx';
import { ProblemsPanel } from './problems-panel.tsx';
import { ReviewPane } from './review-pane.tsx';
import { ReviewsPanel } from './reviews-panel.tsx';
import { Splitter } from './splitter.tsx';
import { StatusBar } from './status-bar.tsx';
import type { Panel, Store } from './store.ts';

export function App({ store }: { store: Store }) {
  useEffect(() => listenForKeys(store), [store]);
  const state = store.connection.state.value;
  const { folders } = store.shell.value;
  const label = t(PANELS.find((panel) => panel.id === store.panel.value)?.label ?? 'Files');
  // Once there is text on the page, it stays, whatever becomes of the connection.
  if (state.kind === 'refused' && folders.length === 0) return <Refused why={state.why} />;
  return (
    <div
      class={`page ${store.sidebar.value ? 'with-sidebar' : ''} ${store.chat.shown.value ? 'with-chat' : ''}`}
      style={{ '--side': `${store.sidebarWidth.value}px`, '--chat': `${store.chat.width.value}px` }}
    >
      <header class="bar">
        <span class="brand">
          <span class="mark" aria-hidden="true" />
          Tandem
        </span>
        <span class="folder" title={folders.join('\n')}>
          {folders.map(nameOf).join(', ')}
        </span>
        <nav aria-label={t('Panels')}>
          {PANELS.map((panel) => (
            <PanelButton key={panel.id} store={store} {...panel} />
          ))}
          <ChatButton store={store} />
          <button
            type="button"
            class="tool"
            aria-label={t('Keyboard help')}
            title={t('Keyboard (F1)')}
            onClick={() => (store.overlay.value = 'help')}
          >
            ?
          </button>
        </nav>
      </header>
      {store.sidebar.value && (
        <aside class="sidebar" id="sidebar" aria-label={label}>
          <Sidebar store={store} />
        </aside>
      )}
      {store.sidebar.value && !store.narrow.value && (
        <Splitter label={t('Width of the sidebar')} width={store.sidebarWidth} side="left" min={180} max={560} />
      )}
      <main class="main">
        <Away store={store} />
        <Main store={store} />
      </main>
      {store.chat.shown.value && <ChatColumn store={store} />}
      <StatusBar store={store} />
      <Toasts store={store} />
      <Overlays store={store} />
    </div>
  );
}

function PanelButton({ store, id, label, digit }: { store: Store; id: Panel; label: Text; digit: string }) {
  const count = id === 'reviews' ? store.waiting.value : id === 'agents' ? store.shell.value.agents.length : 0;
  const pressed = store.sidebar.value && store.panel.value === id;
  return (
    <button
      type="button"
      class="tool"
      aria-pressed={pressed}
      title={t('{0} (Alt+{1})', t(label), digit)}
      onClick={() => store.openPanel(id)}
    >
      {t(label)}
      {count > 0 && <span class={`badge ${id === 'reviews' ? 'hot' : ''}`}>{count}</span>}
    </button>
  );
}

function ChatButton({ store }: { store: Store }) {
  const waiting = store.chat.waiting.value;
  const working = store.shell.value.chats.some((chat) => chat.running);
  return (
    <button
      type="button"
      class="tool"
      aria-pressed={store.chat.shown.value}
      title={t('{0} (Alt+{1})', t('Chat'), 6)}
      onClick={() => (store.chat.shown.value ? store.chat.show(false) : store.chat.toggle())}
    >
      {t('Chat')}
      {waiting > 0 && <span class="badge hot">{waiting}</span>}
      {waiting === 0 && working && (
        <span class="badge">
          …<span class="visually-hidden">{t(' an agent works')}</span>
        </span>
      )}
    </button>
  );
}

function Sidebar({ store }: { store: Store }) {
  switch (store.panel.value) {
    case 'files':
      return <FilesPanel store={store} />;
    case 'reviews':
      return <ReviewsPanel store={store} />;
    case 'agents':
      return <AgentsPanel store={store} />;
    case 'context':
      return <ContextPanel store={store} />;
    case 'problems':
      return <ProblemsPanel store={store} />;
  }
}

function Main({ store }: { store: Store }) {
  const main = store.main.value;
  switch (main.kind) {
    case 'review':
      return <ReviewPane key={main.id} store={store} id={main.id} />;
    case 'closed':
      return <ClosedPane store={store} closed={main.closed} />;
    case 'ledger':
      return <LedgerPane store={store} />;
    case 'document':
      return <DocumentPane store={store} />;
  }
}

/** The workbench is gone, for now or for good. What was typed stays. */
function Away({ store }: { store: Store }) {
  const state = store.connection.state.value;
  if (state.kind === 'connected' || store.shell.value.folders.length === 0) return null;
  if (state.kind === 'refused') {
    return (
      <div class="away strong" role="alert">
        {t(state.why)} {t('Open the address that the terminal shows.')}{' '}
        {t('Unsaved text stays here as long as this window is open.')}
      </div>
    );
  }
  return (
    <div class="away">{t('The workbench is away. What you type is kept here and goes to it when it is back.')}</div>
  );
}

function Overlays({ store }: { store: Store }) {
  const close = () => (store.overlay.value = 'none');
  const question = store.question.value;
  return (
    <>
      {store.overlay.value === 'go to file' && <GoToFile store={store} close={close} />}
      {store.overlay.value === 'help' && <HelpDialog close={close} />}
      {question && <QuestionDialog key={question.title} store={store} question={question} />}
    </>
  );
}

function Toasts({ store }: { store: Store }) {
  return (
    <div class="toasts" role="status" aria-live="polite" aria-label={t('Messages')}>
      {store.toasts.value.map((toast) => (
        <div key={toast.id} class={`toast ${toast.level}`}>
          <span>{toast.message}</span>
          {toast.action && (
            <button
              type="button"
              class="link"
              onClick={() => {
                toast.action?.run();
                store.dismiss(toast.id);
              }}
            >
              {toast.action.label}
            </button>
          )}
          <button type="button" class="bare" aria-label={t('Dismiss')} onClick={() => store.dismiss(toast.id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}

function Refused({ why }: { why: Text }) {
  return (
    <div class="refused" role="alert">
      <h1>Tandem</h1>
      <p>{t(why)}</p>
      <p>
        {tParts(
          'Open the address that the terminal shows, or get a new one there with {0}.',
          <code>tandem workbench --url</code>,
        )}
      </p>
    </div>
  );
}
