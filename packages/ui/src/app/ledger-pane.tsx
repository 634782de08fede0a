import { useEffect } from 'preact/hooks';
import { nameOf, type Store } from './store.ts';

export function LedgerPane({ store }: { store: Store }) {
  useEffect(() => {
    void store.ask('ledger', {}).then((answer) => {
      if (answer) store.ledger.value = answer.entries;
    });
  }, [store]);
  const entries = [...store.ledger.value].reverse();
  return (
    <section class="ledger" aria-label="What was sent">
      <div class="pane-head">
        <h1>What was sent</h1>
        <button type="button" onClick={() => (store.main.value = { kind: 'document' })}>
          Close
        </button>
      </div>
      {entries.length === 0 && <p class="empty">Nothing was sent to any agent.</p>}
      <ol>
        {entries.map((entry, i) => (
          <li key={`${entry.at}-${i}`}>
            <span class="hint">{new Date(entry.at).toLocaleTimeString()}</span>
            <span class="agent-name">{entry.agent}</span>
            <span>{entry.what}</span>
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
