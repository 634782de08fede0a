import type { ChangeSpec } from '@codemirror/state';
import { type Command, type EditorView, type KeyBinding, showDialog } from '@codemirror/view';
import { t } from '../l10n/t.ts';
import type { Place, Requests } from '../protocol.ts';
import { offsetAt } from './problem-marks.ts';
import type { Store } from './store.ts';
import { toPath } from './uris.ts';

interface Range {
  readonly start: Place;
  readonly end: Place;
}

interface Edit {
  readonly range: Range;
  readonly newText: string;
}

interface WorkspaceEdit {
  readonly changes?: Readonly<Record<string, readonly Edit[]>>;
  readonly documentChanges?: readonly {
    readonly textDocument?: { readonly uri: string };
    readonly edits?: readonly Edit[];
  }[];
}

/** What concerns more files than the one in front. */
export function symbolKeys(store: Store, path: string): readonly KeyBinding[] {
  return [
    { key: 'F2', run: renameCommand(store, path), preventDefault: true },
    { key: 'Shift-F12', run: referencesCommand(store, path), preventDefault: true },
  ];
}

function renameCommand(store: Store, path: string): Command {
  return (view) => {
    const word = wordAt(view);
    if (word === undefined) return false;
    const dialog = showDialog(view, {
      label: t('New name for {0}', word),
      input: { name: 'name', value: word },
      focus: true,
      submitLabel: t('Rename'),
    });
    void dialog.result.then((form) => {
      const name = form && new FormData(form).get('name');
      if (typeof name === 'string' && name !== '' && name !== word) void rename(store, path, view, name);
      view.focus();
    });
    return true;
  };
}

/** In all files or in none; they are changed in their tabs, so that the user sees it and saves or undoes it. */
async function rename(store: Store, path: string, view: EditorView, newName: string): Promise<void> {
  const edit = (await ask(store, path, view, 'textDocument/rename', { newName })) as WorkspaceEdit | null | undefined;
  const files = edit ? editsOf(edit) : [];
  for (const [file] of files) if (!(await load(store, file))) return;
  for (const [file, edits] of files) {
    const target = store.documents.view(file);
    if (!target) continue;
    const changes: ChangeSpec[] = edits.map(({ range, newText }) => ({
      from: offsetAt(target.state.doc, range.start),
      to: offsetAt(target.state.doc, range.end),
      insert: newText,
    }));
    target.dispatch({ changes, userEvent: 'rename' });
  }
  if (files.length > 1) store.toast('info', t('Renamed in {0} files; they are not saved yet.', files.length));
}

function referencesCommand(store: Store, path: string): Command {
  return (view) => {
    const word = wordAt(view);
    if (word === undefined) return false;
    void ask(store, path, view, 'textDocument/references', { context: { includeDeclaration: true } }).then((found) => {
      if (!Array.isArray(found)) return;
      const places = found.map(({ uri, range }: { uri: string; range: Range }) => ({ path: toPath(uri), range }));
      store.problems.references.value = { word, places };
      if (!store.sidebar.value || store.panel.value !== 'problems') store.openPanel('problems');
    });
    return true;
  };
}

async function ask(
  store: Store,
  path: string,
  view: EditorView,
  method: Requests['lsp']['input']['method'],
  params: object,
): Promise<unknown> {
  const { head } = view.state.selection.main;
  const line = view.state.doc.lineAt(head);
  const position = { line: line.number - 1, character: head - line.from };
  await store.documents.flush(path);
  return (await store.ask('lsp', { path, method, params: { ...params, position } }))?.result;
}

async function load(store: Store, path: string): Promise<boolean> {
  if (store.documents.view(path)) return true;
  const document = await store.ask('open', { path });
  if (document) store.documents.show(document);
  return document !== undefined;
}

function editsOf({ changes, documentChanges }: WorkspaceEdit): readonly (readonly [string, readonly Edit[]])[] {
  const all = Object.entries(changes ?? {});
  for (const { textDocument, edits } of documentChanges ?? []) {
    if (textDocument && edits) all.push([textDocument.uri, edits]);
  }
  return all.map(([uri, edits]) => [toPath(uri), edits]);
}

function wordAt(view: EditorView): string | undefined {
  const { state } = view;
  const word = state.wordAt(state.selection.main.head);
  return word ? state.sliceDoc(word.from, word.to) : undefined;
}
