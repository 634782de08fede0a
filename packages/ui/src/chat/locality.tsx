import type { Locality, LocalityFact } from '@tandem/chat/view';
import { useEffect, useState } from 'preact/hooks';
import { PageHead } from './history.tsx';
import type { OpenChat } from './open-chat.ts';

const HEADINGS: readonly (readonly [LocalityFact['what'], string])[] = [
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
      <PageHead title="Where does this run?" chat={chat} />
      {!locality && <p class="empty">Asking…</p>}
      {locality && (
        <>
          <p class="locality-summary">{locality.summary}</p>
          <p class="hint">
            Works in <code>{locality.workspace}</code>
          </p>
          {locality.warnings.map((warning) => (
            <p key={warning} class="chat-notice warning">
              {warning}
            </p>
          ))}
          {HEADINGS.map(([what, heading]) => (
            <Facts key={what} heading={heading} facts={locality.facts.filter((fact) => fact.what === what)} />
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
            <span class="strong">{fact.label}</span> <span class="hint">{fact.where}</span>
            {fact.status && fact.status !== 'ok' && <span class="visually-hidden">, {fact.status}</span>}
            {fact.detail && <div class="hint">{fact.detail}</div>}
          </li>
        ))}
      </ul>
    </>
  );
}
