import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An agent that speaks ACP on its standard streams. */
export interface AcpAgent {
  readonly id: string;
  /** As people write it. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** How one logs in, where it cannot be done from here. */
  readonly login?: string;
  /** Further environment, and what is to be cleared away at the end. */
  readonly prepare?: (env: Environment) => Prepared;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Prepared {
  readonly env: Environment;
  readonly dispose: () => void;
}

const CODEX_LOGIN = 'Run `codex-acp cli login` in a terminal, or set up a model provider in ~/.codex/config.toml.';

/** The agents that are known by name; any other command can be given in the settings. */
export const CHAT_AGENTS: readonly AcpAgent[] = [
  { id: 'qwen', name: 'Qwen Code', command: 'qwen', args: ['--acp'] },
  { id: 'gemini', name: 'Gemini CLI', command: 'gemini', args: ['--acp'], prepare: withoutIdeMode },
  { id: 'claude', name: 'Claude Code', command: 'claude-agent-acp', args: [] },
  { id: 'codex', name: 'Codex', command: 'codex-acp', args: [], login: CODEX_LOGIN },
];

/** How agents in a terminal find a companion. One that we talk to by ACP must not ask there as well. */
const IDE_VARIABLES =
  /^(GEMINI_CLI_IDE_|QWEN_CODE_IDE_|CLAUDE_CODE_SSE_PORT$|ENABLE_IDE_INTEGRATION$|QWEN_SERVER_TOKEN$)/;

export function agentEnvironment(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !IDE_VARIABLES.test(name)));
}

/**
 * Gemini in IDE mode opens each diff in the companion too, and after our yes waits for the companion's. It has no switch
 * for that beside the user's own settings (system settings count only if root owns them), but it finds companions in
 * its folder for temporary files: so it gets an empty one.
 */
function withoutIdeMode(env: Environment): Prepared {
  const folder = mkdtempSync(join(env.TMPDIR ?? tmpdir(), 'tandem-gemini-'));
  return {
    env: { TMPDIR: folder, TMP: folder, TEMP: folder },
    dispose: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}
