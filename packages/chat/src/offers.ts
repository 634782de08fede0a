import { type AcpAgent, CHAT_AGENTS, type Environment } from './acp/agents.ts';
import type { DaemonSettings } from './daemon/settings.ts';

export interface FoundAgent {
  readonly id: string;
  readonly name: string;
  /** What would be run, for the user to read. */
  readonly command: string;
  readonly installed: boolean;
  /** How to get it, or what is special about it. */
  readonly hint?: string;
  /** What is run; `undefined` when it is not installed. */
  readonly agent: AcpAgent | undefined;
}

export interface AgentSettings {
  /** Those that the user named, besides those that are known. */
  readonly agents: readonly AcpAgent[];
  readonly daemon: DaemonSettings;
}

const HINTS: Readonly<Record<string, string>> = {
  qwen: 'npm install -g @qwen-code/qwen-code',
  gemini: 'npm install -g @google/gemini-cli',
  claude: 'npm install -g @agentclientprotocol/claude-agent-acp',
  codex: 'npm install -g @agentclientprotocol/codex-acp',
};

/** Who can be talked to here. Only looked for; nothing is run. `find` gives the file that a command means. */
export function offerAgents(
  settings: AgentSettings,
  env: Environment,
  find: (command: string) => string | undefined,
): readonly FoundAgent[] {
  return [...CHAT_AGENTS, ...settings.agents].map((agent) => {
    const program = find(agent.command);
    const { id, name } = agent;
    const daemon = id === 'qwen' && Boolean(settings.daemon.enabled || env.QWEN_IDE_DAEMON_URL);
    // With an address of its own, the daemon is what runs; without, one is started from the program.
    const elsewhere = daemon && Boolean(settings.daemon.url || env.QWEN_IDE_DAEMON_URL);
    const installed = program !== undefined || elsewhere;
    const hint = !installed ? HINTS[id] : daemon ? 'through the Qwen daemon' : undefined;
    return {
      id,
      name,
      command: elsewhere ? 'a daemon that runs already' : [program ?? agent.command, ...agent.args].join(' '),
      installed,
      ...(hint === undefined ? {} : { hint }),
      agent: program === undefined ? undefined : { ...agent, command: program },
    };
  });
}
