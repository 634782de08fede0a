import { useEffect, useState } from 'preact/hooks';
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
    <section class="chat-start" aria-label="Start a conversation">
      <h2>Talk with an agent</h2>
      <p class="hint">It works in this folder. What it wants to change waits for you as a review.</p>
      {problem && (
        <p class="bad" role="alert">
          {problem}
        </p>
      )}
      <ul class="offers" aria-label="Agents">
        {agents?.map((agent) => (
          <Offer key={agent.id} agent={agent} busy={busy === agent.id} start={start} />
        ))}
      </ul>
      {agents?.every((agent) => !agent.installed) && (
        <p class="hint">
          None of them is on your PATH. Any other program that speaks ACP can be named in {client.around.agentsAt.where}
          : <code>{client.around.agentsAt.key}</code>.
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
        <code class="path" title={agent.command}>
          {agent.command}
        </code>
        {agent.hint && <span class="hint">{agent.hint}</span>}
      </div>
      {agent.installed ? (
        <div class="offer-buttons">
          <button
            type="button"
            class="bare icon-button"
            disabled={busy}
            aria-label={`Earlier conversations with ${agent.name}`}
            title="Earlier conversations"
            onClick={() => start(agent, true)}
          >
            <ChatIcon name="history" />
          </button>
          <button
            type="button"
            class="primary pick"
            disabled={busy}
            aria-label={`Start ${agent.name}`}
            onClick={() => start(agent, false)}
          >
            {busy ? 'Starting…' : 'Start'}
          </button>
        </div>
      ) : (
        <span class="hint">not found</span>
      )}
    </li>
  );
}
