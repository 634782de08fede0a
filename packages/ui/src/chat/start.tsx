import { useEffect, useState } from 'preact/hooks';
import { heard, t } from '../l10n/t.ts';
import { tParts } from '../l10n/t-parts.ts';
import type { ChatClient } from './client.ts';
import { ChatIcon } from './icons.tsx';
import type { AgentOffer } from './protocol.ts';

/** Nothing runs yet: a program starts when the user says so, and what would run is there to read. */
export function StartView({ client }: { client: ChatClient }) {
  const [busy, setBusy] = useState<string>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => void client.refreshAgents().catch(() => {}), [client]);
  const agents = client.agents.value;
  const start = (agent: AgentOffer, history: boolean) => {
    setBusy(agent.id);
    setProblem(undefined);
    client.start(agent.id).then(
      (chat) => {
        if (chat && history) chat.view.value = 'history';
      },
      (error: Error) => {
        setBusy(undefined);
        setProblem(error.message);
      },
    );
  };
  return (
    <section class="chat-start" aria-label={t('Start a conversation')}>
      <h2>{t('Talk with an agent')}</h2>
      <p class="hint">{t('It works in this folder. What it wants to change waits for you as a review.')}</p>
      {problem && (
        <p class="bad" role="alert">
          {heard(problem)}
        </p>
      )}
      <ul class="offers" aria-label={t('Agents')}>
        {agents?.map((agent) => (
          <Offer key={agent.id} agent={agent} busy={busy === agent.id} start={start} />
        ))}
      </ul>
      {agents?.every((agent) => !agent.installed) && (
        <p class="hint">
          {t('None of them is on your PATH.')}{' '}
          {tParts(
            'Any other program that speaks ACP can be named in {0}: {1}.',
            client.around.agentsAt.where,
            <code>{client.around.agentsAt.key}</code>,
          )}
        </p>
      )}
    </section>
  );
}

interface OfferProps {
  readonly agent: AgentOffer;
  readonly busy: boolean;
  readonly start: (agent: AgentOffer, history: boolean) => void;
}

function Offer({ agent, busy, start }: OfferProps) {
  return (
    <li class={agent.installed ? 'offer-agent' : 'offer-agent missing'}>
      <div class="offer-words">
        <strong>{agent.name}</strong>
        <code class="path" title={heard(agent.command)}>
          {heard(agent.command)}
        </code>
        {agent.hint && <span class="hint">{heard(agent.hint)}</span>}
      </div>
      {agent.installed ? (
        <div class="offer-buttons">
          <button
            type="button"
            class="bare icon-button"
            disabled={busy}
            aria-label={t('Earlier conversations with {0}', agent.name)}
            title={t('Earlier conversations')}
            onClick={() => start(agent, true)}
          >
            <ChatIcon name="history" />
          </button>
          <button
            type="button"
            class="primary pick"
            disabled={busy}
            aria-label={t('Start {0}', agent.name)}
            onClick={() => start(agent, false)}
          >
            {busy ? t('Starting…') : t('Start')}
          </button>
        </div>
      ) : (
        <span class="hint">{t('not found')}</span>
      )}
    </li>
  );
}
