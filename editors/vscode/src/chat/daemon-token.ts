import * as vscode from 'vscode';
import { inform } from '../messages.ts';

const KEY = 'qwen-code.experimentalDaemon.token';

export function daemonToken(secrets: vscode.SecretStorage): Thenable<string | undefined> {
  return secrets.get(KEY);
}

/** Into the editor's secret storage, where no settings file shows it. An empty one takes it out. */
export async function askDaemonToken(secrets: vscode.SecretStorage): Promise<void> {
  const { t } = vscode.l10n;
  const token = await vscode.window.showInputBox({
    title: t('Token of the Qwen daemon'),
    prompt: t('It is kept in the secret storage and goes before the setting. Leave it empty to forget it.'),
    password: true,
    ignoreFocusOut: true,
  });
  if (token === undefined) return;
  if (token.trim() === '') await secrets.delete(KEY);
  else await secrets.store(KEY, token.trim());
  await inform(
    token.trim() === '' ? t('The token is forgotten.') : t('The token is kept. The next conversation uses it.'),
  );
}
