// Claude Code speaks ACP through an adapter, which is told to use the Claude Code that is under test.
import { join } from 'node:path';
import { agentCommand, claudeAcp, nodeBin } from '../paths.ts';

export function claudeOverAcp(): { command: string[]; env: Record<string, string> } {
  const script = join(claudeAcp.dir, 'node_modules', claudeAcp.name, 'dist', 'index.js');
  const [binary = ''] = agentCommand('claude');
  return { command: [nodeBin, script], env: { CLAUDE_CODE_EXECUTABLE: binary } };
}
