import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { type AcpAgent, CHAT_AGENTS, type DaemonSettings } from '@tandem/chat';
import type { AgentOffer } from '@tandem/ui/chat-protocol';
import * as z from 'zod';
import { findCommand, searchPath } from './language-servers/find.ts';

const command = z
  .array(z.string())
  .min(1, 'names no command')
  .refine(([name = '']) => isAbsolute(name) || /^[^\\/]+$/.test(name), 'must begin with a name or an absolute path');

const schema = z.object({
  /** Name → command with its arguments, which speaks ACP on its standard streams. */
  'chat.agents': z.record(z.string().min(1), command).default({}),
  'qwen-code.experimentalDaemon.enabled': z.boolean().optional(),
  'qwen-code.experimentalDaemon.url': z.string().optional(),
  'qwen-code.experimentalDaemon.token': z.string().optional(),
});

export interface ChatSettings {
  readonly agents: readonly AcpAgent[];
  readonly daemon: DaemonSettings;
}

/** From the user's own file; a workspace has no say in what is run. Throws with the file and the field. */
export function readChatSettings(file: string): ChatSettings {
  const parsed = schema.safeParse(contentOf(file));
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the whole'}: ${issue.message}`);
    throw new Error(`${file}: ${wrong.join('; ')}`);
  }
  const { 'chat.agents': agents, ...daemon } = parsed.data;
  return {
    agents: Object.entries(agents).map(([name, [program = '', ...args]]) => ({
      id: `settings/${name}`,
      name,
      command: program,
      args,
    })),
    daemon: {
      enabled: daemon['qwen-code.experimentalDaemon.enabled'],
      url: daemon['qwen-code.experimentalDaemon.url'],
      token: daemon['qwen-code.experimentalDaemon.token'],
    },
  };
}

function contentOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`${file} cannot be read: ${(error as Error).message}`);
  }
}

export interface FoundAgent extends AgentOffer {
  /** What is run; `undefined` when it is not installed. */
  readonly agent: AcpAgent | undefined;
}

const HINTS: Readonly<Record<string, string>> = {
  qwen: 'npm install -g @qwen-code/qwen-code',
  gemini: 'npm install -g @google/gemini-cli',
  claude: 'npm install -g @agentclientprotocol/claude-agent-acp',
  codex: 'npm install -g @zed-industries/codex-acp',
};

/** Who can be talked to here. Only looked for; nothing is run. */
export function findAgents(
  settings: ChatSettings,
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
): readonly FoundAgent[] {
  // Not from the project's own tools: whoever wrote the project would choose what runs.
  const path = searchPath(folder, env.PATH, false);
  return [...CHAT_AGENTS, ...settings.agents].map((agent) => {
    const program = findCommand(agent.command, path);
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
