import { basename, isAbsolute } from 'node:path';
import type { FilePart } from '@tandem/ui/chat-protocol';
import type { WebviewEditor } from '@tandem/ui/chat-webview-host';
import type { EditorRequest, EditorState } from '@tandem/ui/chat-webview-protocol';
import * as vscode from 'vscode';
import { Disposables } from '../disposables.ts';
import { inform, warn } from '../messages.ts';
import { lastLine } from '../send.ts';
import type { Window } from '../window.ts';
import { partInFront } from './part-in-front.ts';

const QUIET_MS = 50;
const MAX_FILES = 20_000;

/** What VS Code is for the panel: what it shows of the window, and what it does there. */
export class PanelEditor implements WebviewEditor {
  readonly #window: Window;

  constructor(window: Window) {
    this.#window = window;
  }

  get state(): EditorState {
    const looking = this.#looking;
    const selection = partInFront();
    return {
      folders: folders(),
      reviews: this.#window.editor.reviews.waiting.map(({ id }) => id),
      ...(looking ? { looking } : {}),
      ...(selection ? { selection } : {}),
    };
  }

  onChange(listener: () => void): vscode.Disposable {
    let soon: NodeJS.Timeout | undefined;
    let known = '';
    const changed = () => {
      soon ??= setTimeout(() => {
        soon = undefined;
        const now = JSON.stringify(this.state);
        if (now !== known) listener();
        known = now;
      }, QUIET_MS);
    };
    const all = new Disposables();
    all.add(
      { dispose: () => clearTimeout(soon) },
      { dispose: this.#window.changed.on(changed) },
      vscode.window.onDidChangeActiveTextEditor(changed),
      vscode.window.onDidChangeTextEditorSelection(changed),
      vscode.workspace.onDidChangeWorkspaceFolders(changed),
    );
    return all;
  }

  /** What cannot be done is said here; the panel only wants to know that it is over. */
  async perform(request: EditorRequest): Promise<unknown> {
    try {
      return await this.#perform(request);
    } catch (error) {
      await Promise.race([warn((error as Error).message), undefined]);
      if (request.do === 'copy') throw error;
      return request.do === 'files' ? [] : undefined;
    }
  }

  async #perform(request: EditorRequest): Promise<unknown> {
    switch (request.do) {
      case 'open-file':
        return this.#open(request.path, request.line);
      case 'show-review':
        return this.#window.editor.reviews.reveal(request.id);
      case 'copy':
        return vscode.env.clipboard.writeText(request.text);
      case 'save':
        return save(request.name, request.text);
      case 'files':
        return this.#files();
      case 'selection':
        return partInFront();
    }
  }

  async #open(path: string, line: number | undefined): Promise<void> {
    if (!isAbsolute(path)) throw new Error(vscode.l10n.t('{0} is not the whole path of a file.', path));
    const at = line === undefined ? undefined : { line, character: 0 };
    const selection = at ? { selection: { start: at, end: at } } : {};
    await this.#window.editor.openFile({ path, preview: true, focus: true, ...selection });
  }

  async #files(): Promise<readonly string[]> {
    const found = await vscode.workspace.findFiles('**/*', undefined, MAX_FILES);
    const { policy } = this.#window.companion;
    return found
      .filter(({ scheme, fsPath }) => scheme === 'file' && !policy.denies(fsPath))
      .map(({ fsPath }) => fsPath);
  }

  /** As the policy lets it go along. */
  get #looking(): FilePart | undefined {
    const { active } = this.#window.companion.context;
    if (!active) return undefined;
    const selected = active.selections.find(({ text }) => text !== '');
    const lines = selected && { start: selected.start.line, end: lastLine(selected) };
    return { path: active.path, ...(lines ? { lines } : {}) };
  }
}

export function folders(): readonly string[] {
  const all = vscode.workspace.workspaceFolders ?? [];
  return all.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}

async function save(name: string, text: string): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const defaultUri = folder && vscode.Uri.joinPath(folder.uri, basename(name));
  const uri = await vscode.window.showSaveDialog(defaultUri ? { defaultUri } : {});
  if (!uri) return;
  await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  await Promise.race([inform(vscode.l10n.t('Saved: {0}', vscode.workspace.asRelativePath(uri))), undefined]);
}
