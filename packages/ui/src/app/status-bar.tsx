import { t } from '../l10n/t.ts';
import { ProblemCount } from './problems-panel.tsx';
import type { Store } from './store.ts';

export function StatusBar({ store }: { store: Store }) {
  const state = store.connection.state.value;
  const { agents, sharing, windows } = store.shell.value;
  const tab = store.shell.value.tabs.find((each) => each.path === store.active.value);
  const words = {
    connected: 'connected',
    waiting: 'reconnecting…',
    connecting: 'connecting…',
    refused: 'not connected',
  } as const;
  return (
    <footer class="status">
      <span class={`dot ${state.kind}`} aria-hidden="true" />
      <span role="status" aria-label={t('Connection')}>
        {t(words[state.kind])}
      </span>
      <span class="agents">{agents.length === 0 ? t('no agent') : agents.map((agent) => agent.name).join(', ')}</span>
      <ProblemCount store={store} />
      <span class="spacer" />
      {store.main.value.kind === 'document' && tab && (
        <>
          <span title={t('Line and column')}>{store.caret.value}</span>
          <span class="wide">{tab.readOnly ? t('{0}, read-only', tab.language) : tab.language}</span>
        </>
      )}
      {windows > 1 && <span>{t('{0} windows', windows)}</span>}
      <button type="button" class="link" title={t('What agents are told')} onClick={() => store.openPanel('context')}>
        {t('sharing: {0}', t(sharing))}
      </button>
    </footer>
  );
}
