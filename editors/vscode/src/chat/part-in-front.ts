import type { FilePart } from '@tandem/ui/chat-protocol';
import * as vscode from 'vscode';
import { lastLine } from '../send.ts';

/** The selected lines of the file in front, or all of it where nothing is selected. */
export function partInFront(): FilePart | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme !== 'file') return undefined;
  const { selection, document } = editor;
  const lines = selection.isEmpty ? undefined : { start: selection.start.line, end: lastLine(selection) };
  return { path: document.uri.fsPath, ...(lines ? { lines } : {}) };
}
