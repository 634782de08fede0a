import { basename } from 'node:path';
import { isAmended, type Review } from '@tandem/core';
import * as vscode from 'vscode';
import type { Group } from './placement.ts';
import { REVIEW_SCHEME } from './review-uri.ts';

export function titleOf(review: Review, agent: string, leftUnsaved: boolean): string {
  const { t } = vscode.l10n;
  const remarks = [
    ...(isAmended(review) ? [t('(edited)')] : []),
    ...(review.outsideWorkspace ? [t('(outside the workspace)')] : []),
    ...(leftUnsaved ? [t('(left: unsaved)')] : []),
  ];
  return [basename(review.path), '←', agent, ...remarks].join(' ');
}

/** Of a diff tab of ours, the right side. */
export function reviewUriOf(tab: vscode.Tab): vscode.Uri | undefined {
  const { input } = tab;
  if (input instanceof vscode.TabInputTextDiff && input.modified.scheme === REVIEW_SCHEME) return input.modified;
  // The user may have opened the right side alone.
  if (input instanceof vscode.TabInputText && input.uri.scheme === REVIEW_SCHEME) return input.uri;
  return undefined;
}

/** The right side that is in front in a group. */
export function rightIn({ activeTab }: vscode.TabGroup): vscode.Uri | undefined {
  return activeTab && reviewUriOf(activeTab);
}

export function reviewTabs(wanted: (uri: vscode.Uri) => boolean): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) =>
    group.tabs.filter((tab) => {
      const uri = reviewUriOf(tab);
      return uri !== undefined && wanted(uri);
    }),
  );
}

/** The groups as the placement wants to know them. */
export function groups(): readonly Group[] {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  return all.map((group) => ({
    column: group.viewColumn,
    active: group === activeTabGroup,
    empty: group.tabs.length === 0,
    showsReview: group.activeTab !== undefined && reviewUriOf(group.activeTab) !== undefined,
    hasReviews: group.tabs.some((tab) => reviewUriOf(tab) !== undefined),
  }));
}

/** Closes them without a question: what was typed is saved first, because VS Code asks about unsaved text. */
export async function closeQuietly(tabs: readonly vscode.Tab[], preserveFocus: boolean): Promise<void> {
  if (tabs.length === 0) return;
  for (const tab of tabs) {
    const uri = reviewUriOf(tab)?.toString();
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri);
    if (document?.isDirty) await document.save();
  }
  await vscode.window.tabGroups.close(tabs, preserveFocus);
}
