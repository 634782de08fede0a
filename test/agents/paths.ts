import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The agents under test. Names are the dialects' names. */
export type AgentName = 'claude' | 'gemini' | 'qwen';

export const agentNames: readonly AgentName[] = ['claude', 'gemini', 'qwen'];

export const repoRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The pinned CLIs live here: about 500 MB, not a dependency of the project. */
export const agentsDir = join(repoRoot, '.cache', 'agents');

/** Exact versions: a newer CLI may behave otherwise, and then a failing test would say nothing about us. */
export const agentPackages: Record<AgentName, { name: string; version: string }> = {
  claude: { name: '@anthropic-ai/claude-code', version: '2.1.325' },
  gemini: { name: '@google/gemini-cli', version: '0.61.0' },
  qwen: { name: '@qwen-code/qwen-code', version: '0.24.4' },
};

/** How Claude Code speaks ACP. Apart from the others, because it would bring a second Claude Code along. */
export const claudeAcp = {
  name: '@agentclientprotocol/claude-agent-acp',
  version: '0.99.1',
  dir: join(agentsDir, 'acp'),
};

/** Codex speaks ACP through an adapter as well, which has it as a dependency: 172 MB to load, 460 MB on disk. */
export const codexAcp = {
  name: '@agentclientprotocol/codex-acp',
  version: '2.6.0',
  codex: '0.166.0',
  dir: join(agentsDir, 'codex-acp'),
};

/** Another build of the command can be put to the test. */
export const tandemJs = process.env.TANDEM_JS ?? join(repoRoot, 'packages', 'cli', 'dist', 'tandem.js');

/** The development Node: Claude Code and Qwen Code want 22 or newer, the machine's own may be 20. */
export const nodeBin = realpathSync(join(repoRoot, 'node_modules', '.bin', 'node'));

/** Tandem itself runs on Node 20 and newer: `TANDEM_NODE=/usr/bin/node` puts another one to the test. */
export const tandemNode = process.env.TANDEM_NODE ?? nodeBin;

/** A directory that holds `node` and nothing else, so that it can lead an agent's PATH. */
export const nodeDir = join(agentsDir, 'node-bin');

/** The command that starts an agent: the program and its first arguments. */
export function agentCommand(agent: AgentName): string[] {
  const modules = join(agentsDir, 'node_modules');
  switch (agent) {
    case 'claude':
      return [claudeBinary(modules)];
    case 'gemini':
      return [nodeBin, join(modules, '@google', 'gemini-cli', 'bundle', 'gemini.js')];
    case 'qwen':
      return [nodeBin, join(modules, '@qwen-code', 'qwen-code', 'cli-entry.js')];
  }
}

/** npm's postinstall would only copy the platform package's binary into place; we run that binary where it is. */
function claudeBinary(modules: string): string {
  const base = join(modules, '@anthropic-ai', `claude-code-${process.platform}-${process.arch}`);
  const found = [base, `${base}-musl`].map((dir) => join(dir, 'claude')).find((file) => existsSync(file));
  if (found === undefined) throw new Error(`Claude Code has no binary in ${base}: run node test/agents/install.ts`);
  return found;
}
