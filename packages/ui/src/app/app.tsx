import { useEffect } from 'preact/hooks';
import { AgentsPanel } from './agents-panel.tsx';
import { ContextPanel } from './context-panel.tsx';
import { DocumentPane } from './document-pane.tsx';
import { FilesPanel } from './files-panel.tsx';
import { LedgerPane } from './ledger-pane.tsx';
import { ReviewPane } from './review-pane.tsx';
import { ReviewsPanel } from './reviews-panel.tsx';
import { StatusBar } from './status-bar.tsx';
import { nameOf, type Panel, type Store } from './store.ts';

const PANELS: readonly { readonly id: Panel; readonly label: string; readonly digit: string }[] = [
  { id: 'files', label: 'Files', digit: '1' },
  { id: 'reviews', label: 'Reviews', digit: '2' },
  { id: 'agents', label: 'Agents', digit: '3' },
  { id: 'context', label: 'Context', digit: '4' },
];

export function App({ store }: { store: Store }) {
  useEffect(() => keys(store), [store]);
  const state = store.connection.state.value;
  if (state.kind === 'refused') return <Refused why={state.why} />;
  return (
    <div class={`page ${store.sidebar.value ? 'with-sidebar' : ''}`}>
      <header class="bar">
        <span class="brand">Tandem</span>
        <span class="folder" title={store.shell.value.folders.join('\n')}>
          {store.shell.value.folders.map(nameOf).join(', ')}
        </span>
        <nav aria-label="Panels">
          {PANELS.map((panel) => (
            <PanelButton key={panel.id} store={store} {...panel} />
          ))}
        </nav>
      </header>
      {store.sidebar.value && (
        <aside class="sidebar" aria-label={PANELS.find((panel) => panel.id === store.panel.value)?.label ?? ''}>
          <Sidebar store={store} />
        </aside>
      )}
      <main class="main">
        <Main store={store} />
      </main>
      <StatusBar store={store} />
      <Toasts store={store} />
    </div>
  );
}

function PanelButton({ store, id, label, digit }: { store: Store; id: Panel; label: string; digit: string }) {
  const count = id === 'reviews' ? store.waiting.value : id === 'agents' ? store.shell.value.agents.length : 0;
  const pressed = store.sidebar.value && store.panel.value === id;
  return (
    <button
      type="button"
      class="tool"
      aria-pressed={pressed}
      title={`${label} (Alt+${digit})`}
      onClick={() => store.openPanel(id)}
    >
      {label}
      {count > 0 && <span class={`badge ${id === 'reviews' ? 'hot' : ''}`}>{count}</span>}
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
  }
}

function Main({ store }: { store: Store }) {
  const main = store.main.value;
  if (main.kind === 'review') return <ReviewPane key={main.id} store={store} id={main.id} />;
  if (main.kind === 'ledger') return <LedgerPane store={store} />;
  return <DocumentPane store={store} />;
}

function Toasts({ store }: { store: Store }) {
  return (
    <div class="toasts" role="status" aria-live="polite">
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
          <button type="button" class="link quiet" aria-label="Dismiss" onClick={() => store.dismiss(toast.id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}

function Refused({ why }: { why: string }) {
  return (
    <div class="refused" role="alert">
      <h1>Tandem</h1>
      <p>{why}</p>
      <p>
        Open the address that the terminal shows, or get a new one there with <code>tandem workbench --url</code>.
      </p>
    </div>
  );
}

/** Keys that work wherever the caret is; none of them types a letter. */
function keys(store: Store): () => void {
  const listener = (event: KeyboardEvent) => {
    if (!event.altKey || event.ctrlKey || event.metaKey) return;
    const panel = PANELS.find(({ digit }) => event.code === `Digit${digit}`);
    if (panel) store.openPanel(panel.id);
    else if (event.code === 'Period') store.stepReview(1);
    else if (event.code === 'Comma') store.stepReview(-1);
    else return;
    event.preventDefault();
  };
  window.addEventListener('keydown', listener);
  return () => window.removeEventListener('keydown', listener);
}
