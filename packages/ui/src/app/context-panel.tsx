import { type Text, t } from '../l10n/t.ts';
import { nameOf } from '../paths.ts';
import type { SharingMode } from '../protocol.ts';
import type { Store } from './store.ts';

const MODES: readonly { readonly mode: SharingMode; readonly label: Text; readonly text: Text }[] = [
  { mode: 'auto', label: 'Auto', text: 'Agents know the open files and what you select.' },
  { mode: 'explicit', label: 'Explicit', text: 'Agents know only what you send.' },
  { mode: 'off', label: 'Off', text: 'Agents are told nothing.' },
];

export function ContextPanel({ store }: { store: Store }) {
  const { sharing, deny } = store.shell.value;
  const agents = store.shell.value.agents.filter((agent) => agent.mentions);
  return (
    <>
      <div class="panel-head">
        <h2>{t('Context')}</h2>
      </div>
      <div class="switch" role="radiogroup" aria-label={t('What is shared')}>
        {MODES.map(({ mode, label, text }) => (
          <label key={mode} class={mode === sharing ? 'on' : ''} title={t(text)}>
            <input
              type="radio"
              name="sharing"
              checked={mode === sharing}
              onChange={() => void store.ask('share', { sharing: mode })}
            />
            {t(label)}
          </label>
        ))}
      </div>
      <p class="hint">{t(MODES.find(({ mode }) => mode === sharing)?.text ?? 'Agents are told nothing.')}</p>
      <h3>{t('Shared now')}</h3>
      <SharedNow store={store} />
      <h3>{t('Send the selection')}</h3>
      {agents.length === 0 && <p class="empty">{t('No agent that takes one is connected.')}</p>}
      <div class="buttons">
        {agents.map((agent) => (
          <button
            key={agent.id}
            type="button"
            disabled={!store.active.value || sharing === 'off'}
            onClick={() => void sendTo(store, agent.id)}
          >
            {t('Send to {0}', agent.name)}
          </button>
        ))}
      </div>
      <h3>{t('Never shared')}</h3>
      <p class="globs">
        {deny.map((glob) => (
          <code key={glob}>{glob}</code>
        ))}
      </p>
      <h3>{t('Ledger')}</h3>
      <div class="buttons">
        <button type="button" onClick={() => store.showLedger()}>
          {t('Show what was sent')}
        </button>
      </div>
    </>
  );
}

function SharedNow({ store }: { store: Store }) {
  const documents = store.shared.value;
  if (documents.length === 0) return <p class="empty">{t('Nothing.')}</p>;
  return (
    <ul class="plain" aria-label={t('Shared now')}>
      {documents.map(({ path, active, lines }) => (
        <li key={path} title={path} class={active ? 'strong' : ''}>
          {nameOf(path)}
          {lines && (
            <span class="hint">
              {' '}
              {lines.start === lines.end
                ? t('with the text of line {0}', lines.start)
                : t('with the text of lines {0}–{1}', lines.start, lines.end)}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The selected lines, or the whole file where nothing is selected. */
async function sendTo(store: Store, to: string): Promise<void> {
  const path = store.active.value;
  const view = path === undefined ? undefined : store.documents.view(path);
  if (!path || !view) return;
  const { main } = view.state.selection;
  const { doc } = view.state;
  const last = doc.lineAt(main.to);
  // A selection that ends before the first letter of a line does not mean that line.
  const end = last.from === main.to && !main.empty ? last.number - 1 : last.number;
  const lines = { start: doc.lineAt(main.from).number - 1, end: end - 1 };
  await store.documents.flush(path);
  const sent = await store.ask('send', { path, to, ...(main.empty ? {} : { lines }) });
  if (sent) store.toast('info', main.empty ? t('The file was sent.') : t('The selection was sent.'));
}
