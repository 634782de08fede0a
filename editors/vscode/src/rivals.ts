import * as vscode from 'vscode';

/** The vendors' own companions. With one of them beside us the agent may choose either. */
const RIVALS: Readonly<Record<string, string>> = {
  claude: 'anthropic.claude-code',
  gemini: 'google.gemini-cli-vscode-ide-companion',
  qwen: 'qwenlm.qwen-code-vscode-ide-companion',
};

/** The name of another extension that offers itself to the same agent. */
export function rivalOf(agent: string): string | undefined {
  const id = RIVALS[agent];
  const extension = id === undefined ? undefined : vscode.extensions.getExtension(id);
  return extension && String(extension.packageJSON?.displayName ?? id);
}
