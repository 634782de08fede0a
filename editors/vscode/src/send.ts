import { type Link, type Range, sendMention } from '@tandem/core';
import * as vscode from 'vscode';
import { inform, warn } from './messages.ts';
import { type Window, who } from './window.ts';

/** The selected lines, or the file if nothing is selected, to one agent. */
export async function sendSelection(window: Window): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme !== 'file') {
    await inform(vscode.l10n.t('Select something in a file first.'));
    return;
  }
  const { selection, document } = editor;
  const lines = selection.isEmpty ? undefined : { start: selection.start.line, end: lastLine(selection) };
  await send(window, document.uri.fsPath, lines);
}

export async function send(window: Window, path: string, lines?: { start: number; end: number }): Promise<void> {
  const { t } = vscode.l10n;
  const able = window.companion.links.all.filter((link) => link.mention !== undefined);
  if (able.length === 0) {
    const start = t('Start Agent…');
    const answer = await inform(t('No connected agent can be sent to.'), start);
    if (answer === start) await vscode.commands.executeCommand('tandem.startAgent');
    return;
  }
  const to = able.length === 1 ? able[0] : await choose(able);
  if (!to) return;
  try {
    await sendMention(window.companion, { path, lines, to: to.id });
    const what = vscode.workspace.asRelativePath(path);
    vscode.window.setStatusBarMessage(t('Sent to {0}: {1}', to.agent.name, what), 5000);
  } catch (error) {
    await warn((error as Error).message);
  }
}

async function choose(links: readonly Link[]): Promise<Link | undefined> {
  const items = links.map((link) => ({ label: who(link.agent), description: link.id, link }));
  return (await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Send to which agent?') }))?.link;
}

/** A selection that ends at the start of a line does not mean that line. */
export function lastLine({ start, end }: Range): number {
  return end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
}
