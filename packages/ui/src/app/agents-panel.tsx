import { Starts } from './document-pane.tsx';
import type { Store } from './store.ts';

export function AgentsPanel({ store }: { store: Store }) {
  const { agents, published } = store.shell.value;
  return (
    <>
      <div class="panel-head">
        <h2>Agents</h2>
      </div>
      {agents.length === 0 && <p class="empty">No agent is connected.</p>}
      <ul class="cards">
        {agents.map((agent) => (
          <li key={agent.id} class="card">
            <strong>
              {agent.name} {agent.version}
            </strong>
            <span class="hint">
              {agent.pid === undefined ? '' : `pid ${agent.pid} · `}since {new Date(agent.since).toLocaleTimeString()}
            </span>
            {agent.lastError && <span class="bad">{agent.lastError}</span>}
          </li>
        ))}
      </ul>
      <h3>Start one</h3>
      <Starts store={store} />
      <h3>Published</h3>
      <ul class="plain">
        {published.map((each) => (
          <li key={each.dialect}>
            <span class="agent-name">{each.agent}</span>
            {each.files.map((file) => (
              <code key={file} class="path">
                {file}
              </code>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}
