import type { Store } from './store.ts';

export function StatusBar({ store }: { store: Store }) {
  const state = store.connection.state.value;
  const { agents, sharing, windows } = store.shell.value;
  const connection =
    state.kind === 'connected'
      ? 'connected'
      : state.kind === 'waiting'
        ? `reconnecting in ${state.seconds} s`
        : 'connecting…';
  return (
    <footer class="status">
      <span class={`dot ${state.kind}`} aria-hidden="true" />
      <span role="status">{connection}</span>
      <span>{agents.length === 0 ? 'no agent' : agents.map((agent) => agent.name).join(', ')}</span>
      <span class="spacer" />
      {store.main.value.kind === 'document' && store.active.value && <span>{store.caret.value}</span>}
      {windows > 1 && <span>{windows} windows</span>}
      <button type="button" class="link" title="What agents are told" onClick={() => store.openPanel('context')}>
        sharing: {sharing}
      </button>
    </footer>
  );
}
