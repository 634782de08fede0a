import * as vscode from 'vscode';
import type { Front } from './focus.ts';
import { BEFORE_SCHEME, REVIEW_SCHEME } from './reviews/review-uri.ts';

/** The file that has the caret; a notebook's cell stands for its notebook. */
export function pathInFront(): string | undefined {
  const { activeTextEditor, activeNotebookEditor } = vscode.window;
  const ofEditor = activeTextEditor && pathOfEditor(activeTextEditor);
  if (ofEditor !== undefined) return ofEditor;
  return activeNotebookEditor && !activeTextEditor ? fileOf(activeNotebookEditor.notebook.uri) : undefined;
}

export function pathOfEditor({ document }: vscode.TextEditor): string | undefined {
  if (document.uri.scheme === 'vscode-notebook-cell') return document.uri.fsPath;
  return fileOf(document.uri);
}

function fileOf(uri: vscode.Uri): string | undefined {
  return uri.scheme === 'file' ? uri.fsPath : undefined;
}

/** What is in front in each group. */
export function fronts(): readonly Front[] {
  return vscode.window.tabGroups.all.flatMap((group): Front[] => {
    const { activeTab } = group;
    if (!activeTab) return [];
    const uri = uriOf(activeTab);
    const path = uri && fileOf(uri);
    return [
      { focused: group.isActive, ...(path === undefined ? { kind: kindOf(activeTab) } : { kind: 'file', path }) },
    ];
  });
}

function kindOf({ input }: vscode.Tab): 'aside' | 'other' {
  const aside =
    input instanceof vscode.TabInputTerminal ||
    input instanceof vscode.TabInputWebview ||
    (input instanceof vscode.TabInputTextDiff && isOurs(input.modified)) ||
    (input instanceof vscode.TabInputText && isOurs(input.uri));
  return aside ? 'aside' : 'other';
}

export function openPaths(): string[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.flatMap((tab) => {
    const uri = uriOf(tab);
    const path = uri && fileOf(uri);
    return path === undefined ? [] : [path];
  });
}

/** The document a tab is about; of a diff the side that can be edited. Ours are no documents of the user. */
function uriOf({ input }: vscode.Tab): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook) return input.uri;
  if (input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff) {
    return isOurs(input.modified) ? undefined : input.modified;
  }
  return undefined;
}

function isOurs({ scheme }: vscode.Uri): boolean {
  return scheme === REVIEW_SCHEME || scheme === BEFORE_SCHEME;
}
