import type { Log } from '@tandem/core';
import { type AcpAgent, agentEnvironment, CHAT_AGENTS, type Environment } from './acp/agents.ts';
import { AcpConnection } from './acp/connection.ts';
import { type AgentConnection, ChatError } from './connection.ts';
import { DaemonIdeConnection } from './daemon/connection.ts';
import { fixedTarget, OwnDaemon } from './daemon/own-daemon.ts';
import { type DaemonSettings, resolveDaemon } from './daemon/settings.ts';

export interface ConnectOptions {
  readonly cwd: string;
  readonly env?: Environment;
  readonly settings?: DaemonSettings;
  /** The daemon's token from the editor's secret storage; goes before the setting. */
  readonly secret?: string;
  readonly log?: Log;
}

/** One daemon for all conversations of this process in a folder. */
const daemons = new Map<string, OwnDaemon>();

/** A connection to an agent that is known by name, or to any that speaks ACP. Nothing is started yet. */
export function connectTo(agent: string | AcpAgent, options: ConnectOptions): AgentConnection {
  const { cwd, env = process.env, settings = {}, secret, log } = options;
  const known = typeof agent === 'string' ? CHAT_AGENTS.find(({ id }) => id === agent) : agent;
  if (!known) throw new ChatError('not-found', `no agent is called ${String(agent)}`);
  const shared = { cwd, ...(log ? { log } : {}) };
  const choice = known.id === 'qwen' ? resolveDaemon(settings, env, secret) : ({ use: 'acp' } as const);
  switch (choice.use) {
    case 'acp':
      return new AcpConnection({ ...shared, agent: withKnownNeeds(known), env });
    case 'daemon':
      return new DaemonIdeConnection({ ...shared, target: fixedTarget(choice) });
    case 'own daemon':
      return new DaemonIdeConnection({ ...shared, target: ownDaemon(known, cwd, env, log).share() });
    case 'refused':
      throw new ChatError('refused', choice.reason);
  }
}

/** A known agent that is given with another path still needs what it needs. */
function withKnownNeeds(agent: AcpAgent): AcpAgent {
  const { prepare, login } = CHAT_AGENTS.find(({ id }) => id === agent.id) ?? {};
  return { ...(prepare ? { prepare } : {}), ...(login ? { login } : {}), ...agent };
}

function ownDaemon(agent: AcpAgent, cwd: string, env: Environment, log?: Log): OwnDaemon {
  const args = agent.args.filter((arg) => arg !== '--acp');
  const key = JSON.stringify([agent.command, args, cwd]);
  const known = daemons.get(key);
  if (known) return known;
  const daemon = new OwnDaemon({ command: agent.command, args, cwd, env: agentEnvironment(env) }, log);
  daemons.set(key, daemon);
  return daemon;
}
