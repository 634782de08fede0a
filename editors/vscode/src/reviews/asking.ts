import { basename } from 'node:path';
import type { Review } from '@tandem/core';
import * as vscode from 'vscode';
import { inform, warn } from '../messages.ts';

/** The user closed a review's tab and has not said what that means. */
export async function askAboutClosed(review: Review, agent: string): Promise<'reject' | 'show' | 'wait'> {
  const { t } = vscode.l10n;
  const [reject, again] = [t('Reject'), t('Show Again')];
  const question = t('{0} still waits for an answer to its proposal for {1}.', agent, basename(review.path));
  const answer = await inform(question, reject, again, t('Keep Waiting'));
  return answer === reject ? 'reject' : answer === again ? 'show' : 'wait';
}

/** The agent writes the file; a document with unsaved text does not follow it, and saving it would undo the change. */
export async function warnIfUnsaved(path: string): Promise<void> {
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === path);
  if (!document?.isDirty) return;
  const compare = vscode.l10n.t('Compare');
  const message = vscode.l10n.t('{0} has unsaved changes of yours that are not in what you accepted.', basename(path));
  if ((await warn(message, compare)) !== compare) return;
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('workbench.files.action.compareWithSaved');
}
