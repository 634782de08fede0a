import { heard, locale, t } from '../l10n/t.ts';
import { Starts } from './document-pane.tsx';
import type { Store } from './store.ts';

export function AgentsPanel({ store }: { store: Store }) {
  const { agents, published } = store.shell.value;
  return (
    <>
      <div class="panel-head">
        <h2>{t('Agents')}</h2>
      </div>
      {agents.length === 0 && <p class="empty">{t('No agent is connected.')}</p>}
      <ul class="cards" aria-label={t('Connected agents')}>
        {agents.map((agent) => (
          <li key={agent.id} class="card">
            <strong>
              <span class="dot connected" aria-hidden="true" />
              {agent.name} <span class="hint">{agent.version}</span>
            </strong>
            <span class="hint">
              {agent.pid === undefined ? '' : `${t('pid {0}', agent.pid)} · `}
              {t('since {0}', new Date(agent.since).toLocaleTimeString(locale()))}
            </span>
            {agent.folder !== undefined && (
              <span class="hint path" title={agent.folder}>
                {t('in {0}', agent.folder)}
              </span>
            )}
            {agent.lastError && <span class="bad">{heard(agent.lastError)}</span>}
          </li>
        ))}
      </ul>
      <h3>{t('Start one')}</h3>
      <Starts store={store} />
      <h3>{t('Published')}</h3>
      <ul class="plain">
        {published.map((each) => (
          <li key={each.dialect}>
            <span class="agent-name">{each.agent}</span>
            {each.error && <span class="bad">{each.error}</span>}
            {each.files.map((file) => (
              <code key={file} class="path" title={file}>
                {file}
              </code>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}
