import type { Locality, LocalityFact } from '@tandem/chat/view';
import { useEffect, useState } from 'preact/hooks';
import { heard, type Text, t } from '../l10n/t.ts';
import { tParts } from '../l10n/t-parts.ts';
import { PageHead } from './history.tsx';
import type { OpenChat } from './open-chat.ts';

const HEADINGS: readonly (readonly [LocalityFact['what'], Text])[] = [
  ['process', 'Program'],
  ['files', 'Files'],
  ['mcp', 'MCP servers'],
  ['skills', 'Skills'],
  ['credentials', 'Credentials'],
  ['models', 'Models'],
  ['check', 'Checks'],
];

/** Where does this run, and whose are the things it works with? */
export function LocalityView({ chat }: { chat: OpenChat }) {
  const [locality, setLocality] = useState<Locality>();
  const { status } = chat.conversation.value.connection;
  useEffect(() => {
    void chat.perform<Locality>({ do: 'locality' }).then(setLocality);
  }, [status]);
  return (
    <div class="chat-page">
      <PageHead title={t('Where does this run?')} chat={chat} />
      {!locality && <p class="empty">{t('Asking…')}</p>}
      {locality && (
        <>
          <p class="locality-summary">{heard(locality.summary)}</p>
          <p class="hint">{tParts('Works in {0}', <code>{locality.workspace}</code>)}</p>
          {locality.warnings.map((warning) => (
            <p key={warning} class="chat-notice warning">
              {heard(warning)}
            </p>
          ))}
          {HEADINGS.map(([what, heading]) => (
            <Facts key={what} heading={t(heading)} facts={locality.facts.filter((fact) => fact.what === what)} />
          ))}
        </>
      )}
    </div>
  );
}

function Facts({ heading, facts }: { heading: string; facts: readonly LocalityFact[] }) {
  if (facts.length === 0) return null;
  return (
    <>
      <h4>{heading}</h4>
      <ul class="facts" aria-label={heading}>
        {facts.map((fact) => (
          <li key={`${fact.label} ${fact.where}`}>
            <span class={`fact-state ${fact.status ?? 'none'}`} aria-hidden="true" />
            <span class="strong">{heard(fact.label)}</span> <span class="hint">{heard(fact.where)}</span>
            {fact.status && fact.status !== 'ok' && (
              <span class="visually-hidden">
                {t(', ')}
                {t(fact.status)}
              </span>
            )}
            {fact.detail && <div class="hint">{heard(fact.detail)}</div>}
          </li>
        ))}
      </ul>
    </>
  );
}
