import { useEffect } from 'preact/hooks';
import { heard, locale, t } from '../l10n/t.ts';
import { nameOf } from '../paths.ts';
import type { Store } from './store.ts';

export function LedgerPane({ store }: { store: Store }) {
  useEffect(() => {
    void store.ask('ledger', {}).then((answer) => {
      if (answer) store.ledger.value = answer.entries;
    });
  }, [store]);
  const entries = [...store.ledger.value].reverse();
  const names = new Map(store.shell.value.published.map(({ dialect, agent }) => [dialect, agent]));
  return (
    <section class="ledger" aria-label={t('What was sent')}>
      <div class="pane-head">
        <h1>{t('What was sent')}</h1>
        <button type="button" onClick={() => store.showDocument()}>
          {t('Close')}
        </button>
      </div>
      {entries.length === 0 && <p class="empty">{t('Nothing was sent to any agent.')}</p>}
      <ol>
        {entries.map((entry, i) => (
          <li key={entries.length - i}>
            <time class="hint" dateTime={entry.at}>
              {new Date(entry.at).toLocaleTimeString(locale())}
            </time>
            <span class="agent-name">{names.get(entry.agent) ?? entry.agent}</span>
            <span class="what">{heard(entry.what)}</span>
            <span class="path" title={entry.paths.join('\n')}>
              {entry.paths.map(nameOf).join(', ')}
            </span>
            {entry.text !== '' && (
              <details>
                <summary>{t('{0} characters', entry.characters)}</summary>
                <pre>{entry.text}</pre>
              </details>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
