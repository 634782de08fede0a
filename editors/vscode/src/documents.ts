import { realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type EditorHost, languageOf, type OpenedFile, type OpenFileRequest, type Selection } from '@tandem/core';
import * as vscode from 'vscode';
import { Disposables } from './disposables.ts';
import { activeAfter } from './focus.ts';
import { fronts, openPaths, pathInFront, pathOfEditor } from './tabs.ts';

/** Opening a diff makes the active editor nothing for a moment. */
const SETTLE_MS = 60;

interface Known {
  readonly dirty: boolean;
  readonly version: number;
  readonly language: string;
}

/** Tabs, focus and selections, as VS Code tells them. */
export class Documents {
  readonly #listeners = new Disposables();
  readonly #known = new Map<string, Known>();
  #host: EditorHost | undefined;
  #active: string | undefined;
  #settling: NodeJS.Timeout | undefined;

  start(host: EditorHost): void {
    this.#host = host;
    this.reportFolders();
    this.#tabs();
    this.#focus();
    const window = vscode.window;
    const workspace = vscode.workspace;
    this.#listeners.add(
      workspace.onDidChangeWorkspaceFolders(() => this.reportFolders()),
      window.tabGroups.onDidChangeTabs(() => this.#tabs()),
      window.tabGroups.onDidChangeTabGroups(() => this.#focus()),
      workspace.onDidOpenTextDocument(({ uri }) => this.#refresh(uri)),
      workspace.onDidOpenNotebookDocument(({ uri }) => this.#refresh(uri)),
      workspace.onDidChangeTextDocument(({ document }) => this.#refresh(document.uri)),
      workspace.onDidSaveTextDocument(({ uri }) => this.#refresh(uri)),
      workspace.onDidChangeNotebookDocument(({ notebook }) => this.#refresh(notebook.uri)),
      workspace.onDidSaveNotebookDocument(({ uri }) => this.#refresh(uri)),
      window.onDidChangeActiveTextEditor(() => this.#focus()),
      window.onDidChangeActiveNotebookEditor(() => this.#focus()),
      // The other side of a diff has the same document; only the one with the caret speaks for it.
      window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === window.activeTextEditor) this.#select(textEditor);
      }),
      window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.#host?.apply({ type: 'window-focused' });
      }),
    );
  }

  stop(): void {
    clearTimeout(this.#settling);
    this.#listeners.dispose();
    this.#known.clear();
    this.#active = undefined;
    this.#host = undefined;
  }

  unsavedText(path: string): string | undefined {
    const document = textDocument(path) ?? linkTo(path);
    return document?.isDirty ? document.getText() : undefined;
  }

  async openFile(request: OpenFileRequest): Promise<OpenedFile> {
    const { path, preview, focus, selection } = request;
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile()) throw new Error(found ? `${path} is not a file` : `${path} does not exist`);
    const uri = vscode.Uri.file(path);
    const range = selection && new vscode.Range(...flat(selection));
    const document = await vscode.workspace.openTextDocument(uri).then(undefined, () => undefined);
    if (focus && document && !isNotebook(path)) {
      await vscode.window.showTextDocument(document, { preview, ...(range ? { selection: range } : {}) });
    } else {
      // `background`: a tab behind the one the user has in front, so that nothing typed goes astray.
      const options = { preview, preserveFocus: !focus, background: !focus, ...(range ? { selection: range } : {}) };
      await vscode.commands.executeCommand('vscode.open', uri, options);
    }
    this.#tabs();
    return { path, language: document?.languageId ?? languageOf(path), lineCount: document?.lineCount ?? 0 };
  }

  async save(path: string): Promise<boolean> {
    const notebook = vscode.workspace.notebookDocuments.find((each) => isOf(each.uri, path));
    const document = notebook ?? textDocument(path) ?? linkTo(path);
    if (!document) return false;
    if (document.isDirty && !(await document.save())) throw new Error(`${path} could not be saved`);
    return true;
  }

  async write(path: string, text: string): Promise<void> {
    const uri = vscode.Uri.file(path);
    const document = await vscode.workspace.openTextDocument(uri).then(undefined, () => undefined);
    if (!document) return vscode.workspace.fs.writeFile(uri, Buffer.from(text));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    await vscode.workspace.applyEdit(edit);
    if (!(await document.save())) throw new Error(`${path} could not be saved`);
  }

  /** What is published is written anew with them. */
  reportFolders(): void {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    this.#host?.apply({ type: 'folders', folders: folders.map(({ uri }) => uri.fsPath) });
  }

  #tabs(): void {
    const open = new Set(openPaths());
    for (const path of [...this.#known.keys()]) {
      if (open.has(path)) continue;
      this.#known.delete(path);
      this.#host?.apply({ type: 'closed', path });
    }
    for (const path of open) this.#report(path);
    this.#focus();
  }

  #refresh(uri: vscode.Uri): void {
    if (uri.scheme === 'file' && this.#known.has(uri.fsPath)) this.#report(uri.fsPath);
  }

  #report(path: string): void {
    const before = this.#known.get(path);
    const now = this.#describe(path);
    this.#known.set(path, now);
    if (before?.language !== now.language) this.#host?.apply({ type: 'opened', path, ...now });
    else if (before.dirty !== now.dirty || before.version !== now.version) {
      this.#host?.apply({ type: 'changed', path, dirty: now.dirty, version: now.version });
    }
  }

  #describe(path: string): Known {
    const notebook = vscode.workspace.notebookDocuments.find((each) => isOf(each.uri, path));
    if (notebook) return { dirty: notebook.isDirty, version: notebook.version, language: notebook.notebookType };
    const text = textDocument(path);
    // A restored tab has no document before it is looked at.
    return {
      dirty: text?.isDirty ?? false,
      version: text?.version ?? 0,
      language: text?.languageId ?? languageOf(path),
    };
  }

  /** At once where there is an editor; where there seems to be none, a moment later. */
  #focus(): void {
    clearTimeout(this.#settling);
    if (pathInFront() !== undefined) this.#settleFocus();
    else this.#settling = setTimeout(() => this.#settleFocus(), SETTLE_MS);
  }

  #settleFocus(): void {
    const path = activeAfter(this.#active, fronts(), pathInFront());
    const editor = vscode.window.activeTextEditor;
    if (path !== this.#active) {
      this.#active = path;
      this.#host?.apply({ type: 'focused', path });
      if (path !== undefined && editor && pathOfEditor(editor) === path) this.#select(editor);
    }
  }

  #select(editor: vscode.TextEditor): void {
    const path = pathOfEditor(editor);
    if (path === undefined) return;
    if (!this.#known.has(path)) this.#tabs();
    this.#host?.apply({ type: 'selected', path, selections: selectionsOf(editor) });
  }
}

function selectionsOf({ document, selections }: vscode.TextEditor): readonly Selection[] {
  return selections.map((selection) => ({
    start: { line: selection.start.line, character: selection.start.character },
    end: { line: selection.end.line, character: selection.end.character },
    text: document.getText(selection),
    reversed: selection.isReversed && !selection.isEmpty,
  }));
}

function isOf(uri: vscode.Uri, path: string): boolean {
  return uri.scheme === 'file' && uri.fsPath === path;
}

function textDocument(path: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri }) => isOf(uri, path));
}

/** Agents use real paths; the user may have come through a link. Looked at only for what could be lost. */
function linkTo(path: string): vscode.TextDocument | undefined {
  const dirty = vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file');
  const real = dirty.length > 0 ? realPath(path) : undefined;
  return real === undefined ? undefined : dirty.find(({ uri }) => realPath(uri.fsPath) === real);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isNotebook(path: string): boolean {
  return path.endsWith('.ipynb');
}

function flat({ start, end }: NonNullable<OpenFileRequest['selection']>): [number, number, number, number] {
  return [start.line, start.character, end.line, end.character];
}
