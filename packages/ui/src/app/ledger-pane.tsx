import { useEffect } from 'preact/hooks';
import { nameOf, type Store } from './store.ts';

export function LedgerPane({ store }: { store: Store }) {
  useEffect(() => {
    void store.ask('ledger', {}).then((answer) => {
      if (answer) store.ledger.value = answer.entries;
    });
  }, [store]);
  const entries = [...store.ledger.value].reverse();
  const names = new Map(store.shell.value.published.map(({ dialect, agent }) => [dialect, agent]));
  return (
    <section class="ledger" aria-label="What was sent">
      <div class="pane-head">
        <h1>What was sent</h1>
        <button type="button" onClick={() => store.showDocument()}>
          Close
        </button>
      </div>
      {entries.length === 0 && <p class="empty">Nothing was sent to any agent.</p>}
      <ol>
        {entries.map((entry, i) => (
          <li key={entries.length - i}>
            <time class="hint" dateTime={entry.at}>
              {new Date(entry.at).toLocaleTimeString()}
            </time>
            <span class="agent-name">{names.get(entry.agent) ?? entry.agent}</span>
            <span class="what">{entry.what}</span>
            <span class="path" title={entry.paths.join('\n')}>
              {entry.paths.map(nameOf).join(', ')}
            </span>
            {entry.text !== '' && (
              <details>
                <summary>{entry.characters} characters</summary>
                <pre>{entry.text}</pre>
              </details>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
