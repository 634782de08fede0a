import { type Discovery, discoverClaude, discoverGemini, discoverQwen, type Surroundings } from '@tandem/client';

export type AgentId = 'claude' | 'gemini' | 'qwen';

/** What there is to know of an agent as a program on this machine. */
export interface AgentProgram {
  readonly id: AgentId;
  readonly name: string;
  readonly command: string;
  /** What to type to have it. */
  readonly install: string;
  /** The version the live tests run; another minor one may look in other places. */
  readonly tested: string;
  /** Every variable by which an editor leads it, and which must not come from another editor's terminal. */
  readonly variables: readonly string[];
  /** The one that names a companion's port. */
  readonly portVariable: string;
  discover(around: Surroundings): Discovery;
}

export const AGENTS: readonly AgentProgram[] = [
  {
    id: 'claude',
    name: 'Claude Code',
    command: 'claude',
    install: 'npm install -g @anthropic-ai/claude-code',
    tested: '2.1.325',
    variables: [
      'CLAUDE_CODE_SSE_PORT',
      'ENABLE_IDE_INTEGRATION',
      'CLAUDE_CODE_AUTO_CONNECT_IDE',
      'CLAUDE_CODE_IDE_HOST_OVERRIDE',
      'CLAUDE_CODE_IDE_SKIP_VALID_CHECK',
      'FORCE_CODE_TERMINAL',
    ],
    portVariable: 'CLAUDE_CODE_SSE_PORT',
    discover: discoverClaude,
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    command: 'gemini',
    install: 'npm install -g @google/gemini-cli',
    tested: '0.61.0',
    variables: [
      'GEMINI_CLI_IDE_SERVER_PORT',
      'GEMINI_CLI_IDE_WORKSPACE_PATH',
      'GEMINI_CLI_IDE_AUTH_TOKEN',
      'GEMINI_CLI_IDE_PID',
      'GEMINI_CLI_IDE_SERVER_STDIO_COMMAND',
      'GEMINI_CLI_IDE_SERVER_STDIO_ARGS',
    ],
    portVariable: 'GEMINI_CLI_IDE_SERVER_PORT',
    discover: discoverGemini,
  },
  {
    id: 'qwen',
    name: 'Qwen Code',
    command: 'qwen',
    install: 'npm install -g @qwen-code/qwen-code',
    tested: '0.24.4',
    variables: [
      'QWEN_CODE_IDE_SERVER_PORT',
      'QWEN_CODE_IDE_WORKSPACE_PATH',
      'QWEN_CODE_IDE_SERVER_STDIO_COMMAND',
      'QWEN_CODE_IDE_SERVER_STDIO_ARGS',
    ],
    portVariable: 'QWEN_CODE_IDE_SERVER_PORT',
    discover: discoverQwen,
  },
];

export function findAgent(id: string | undefined): AgentProgram | undefined {
  return AGENTS.find((agent) => agent.id === id);
}
