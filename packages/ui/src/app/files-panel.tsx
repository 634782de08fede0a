import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../l10n/t.ts';
import { nameOf } from '../paths.ts';
import type { TreeEntry } from '../protocol.ts';
import { Icon, type IconName } from './icons.tsx';
import type { Store } from './store.ts';
import type { Naming } from './tree-state.ts';

export function FilesPanel({ store }: { store: Store }) {
  const { tree } = store;
  const { folders } = store.shell.value;
  const name = (what: Naming['what']) => () => (tree.naming.value = { what, path: folderAt(store) });
  return (
    <>
      <div class="panel-head">
        <h2>{t('Files')}</h2>
        <span class="tools">
          <IconButton icon="newFile" label={t('New file')} run={name('file')} />
          <IconButton icon="newFolder" label={t('New folder')} run={name('folder')} />
          <IconButton icon="addFolder" label={t('Add a folder to the workspace')} run={name('workspace folder')} />
        </span>
      </div>
      {tree.naming.value?.what === 'workspace folder' && (
        <NameField
          label={t('Whole path of the folder to add')}
          value=""
          store={store}
          commit={(path) => store.ask('addFolder', { path })}
        />
      )}
      <div class="tree" role="tree" aria-label={t('Files')} onKeyDown={(event) => moveInTree(store, event)}>
        {folders.map((folder) => (
          <Folder key={folder} store={store} path={folder} name={nameOf(folder)} depth={0} ignored={false} />
        ))}
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={tree.showAll.value}
          onChange={(event) => (tree.showAll.value = event.currentTarget.checked)}
        />
        {t('Show ignored files')}
      </label>
    </>
  );
}

/** The folder that a new file goes to: the one at hand, or that of the file at hand. */
function folderAt(store: Store): string {
  const at = store.tree.at.value;
  if (!at) return store.shell.value.folders[0] ?? '';
  return at.isFolder ? at.path : parentOf(at.path);
}

const parentOf = (path: string) => path.slice(0, path.length - nameOf(path).length - 1);

interface FolderProps {
  readonly store: Store;
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  readonly ignored: boolean;
}

function Folder({ store, path, name, depth, ignored }: FolderProps) {
  const { tree } = store;
  const open = tree.isOpen(path, depth === 0);
  const [entries, setEntries] = useState<readonly TreeEntry[]>([]);
  const revision = store.folderRevision.value[path] ?? 0;
  const all = tree.showAll.value;
  const { connected } = store.connection;
  // A new revision means that the folder changed on disk.
  useEffect(() => {
    if (!open || !connected) return;
    let late = false;
    const show = (now: readonly TreeEntry[]) => {
      if (!late) setEntries(now);
    };
    void store.connection.ask('tree', { path, all }).then(
      (answer) => show(answer.entries),
      () => show([]), // it is gone; the folder above knows soon
    );
    return () => {
      late = true; // a newer answer may have come already
    };
  }, [open, all, revision, connected, path]);
  const naming = tree.naming.value;
  const below = naming?.path === path && (naming.what === 'file' || naming.what === 'folder') ? naming : undefined;
  useEffect(() => {
    if (below) tree.setOpen(path, true);
  }, [below]);
  const begin = (what: Naming['what']) => () => (tree.naming.value = { what, path });
  return (
    <>
      <Row store={store} path={path} name={name} depth={depth} ignored={ignored} expanded={open}>
        <IconButton icon="newFile" label={t('New file in {0}', name)} run={begin('file')} quiet />
        <IconButton icon="newFolder" label={t('New folder in {0}', name)} run={begin('folder')} quiet />
        {depth > 0 && <IconButton icon="rename" label={t('Rename {0}', name)} run={begin('rename')} quiet />}
      </Row>
      {below && (
        <NameField
          label={below.what === 'folder' ? t('Name of the new folder') : t('Name of the new file')}
          value=""
          store={store}
          depth={depth + 1}
          commit={(given) => create(store, `${path}/${given}`, below.what === 'folder' ? 'folder' : 'file')}
        />
      )}
      {open &&
        entries.map((entry) =>
          entry.kind === 'folder' ? (
            <Folder key={entry.path} store={store} {...entry} depth={depth + 1} />
          ) : (
            <Row key={entry.path} store={store} {...entry} depth={depth + 1}>
              <IconButton
                icon="rename"
                label={t('Rename {0}', entry.name)}
                run={() => (tree.naming.value = { what: 'rename', path: entry.path })}
                quiet
              />
            </Row>
          ),
        )}
    </>
  );
}

interface RowProps {
  readonly store: Store;
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  readonly ignored: boolean;
  /** Of a folder. */
  readonly expanded?: boolean;
  readonly children?: preact.ComponentChildren;
}

function Row({ store, path, name, depth, ignored, expanded, children }: RowProps) {
  const { tree } = store;
  const isFolder = expanded !== undefined;
  const current = !isFolder && store.active.value === path;
  const at = tree.at.value?.path;
  // One stop of the Tab key: where the user was last, or the first row.
  const stop = at === undefined ? path === store.shell.value.folders[0] : at === path;
  useEffect(
    () => () => {
      if (tree.at.peek()?.path === path) tree.at.value = undefined;
    },
    [path],
  );
  if (tree.naming.value?.what === 'rename' && tree.naming.value.path === path) {
    return (
      <NameField
        label={t('New name of {0}', name)}
        value={name}
        store={store}
        depth={depth}
        commit={(given) => rename(store, path, given)}
      />
    );
  }
  return (
    <div class={`row ${ignored ? 'ignored' : ''} ${current ? 'current' : ''}`} role="none">
      <button
        type="button"
        role="treeitem"
        class="row-main"
        style={{ paddingLeft: `${8 + depth * 14}px` }}
        tabIndex={stop ? 0 : -1}
        data-path={path}
        aria-level={depth + 1}
        aria-selected={current}
        {...(isFolder ? { 'aria-expanded': expanded } : {})}
        onFocus={() => (tree.at.value = { path, isFolder })}
        onClick={() => (isFolder ? tree.setOpen(path, !expanded) : void store.openFile(path, true))}
        {...(isFolder ? {} : { onDblClick: () => void store.openFile(path) })}
      >
        <span class="twist" aria-hidden="true">
          {isFolder && <Icon name={expanded ? 'open' : 'right'} />}
        </span>
        {name}
      </button>
      {children}
    </div>
  );
}

function IconButton(props: { icon: IconName; label: string; run: () => void; quiet?: boolean }) {
  return (
    <button
      type="button"
      class={props.quiet ? 'bare row-action' : 'bare'}
      aria-label={props.label}
      title={props.label}
      {...(props.quiet ? { tabIndex: -1 } : {})}
      onClick={props.run}
    >
      <Icon name={props.icon} />
    </button>
  );
}

interface NameFieldProps {
  readonly store: Store;
  readonly label: string;
  readonly value: string;
  readonly depth?: number;
  /** `undefined` where it was refused; the field then stays. */
  commit(name: string): Promise<unknown>;
}

/** Enter takes the name, Escape or another place leaves it. */
function NameField({ store, label, value, depth = 0, commit }: NameFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const leave = () => (store.tree.naming.value = undefined);
  // Before anybody can type into it.
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(0, value.lastIndexOf('.') > 0 ? value.lastIndexOf('.') : value.length);
  }, [value]);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape') {
      leave();
      focusRow(store);
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const name = field.current?.value.trim() ?? '';
    if (name === '' || name === value) return leave();
    void commit(name).then((done) => done !== undefined && leave());
  };
  return (
    <div class="row" role="none">
      <input
        ref={field}
        class="name"
        style={{ marginLeft: `${8 + depth * 14}px` }}
        aria-label={label}
        placeholder={label}
        defaultValue={value}
        spellcheck={false}
        onKeyDown={onKeyDown}
        onBlur={leave}
      />
    </div>
  );
}

async function create(store: Store, path: string, kind: 'file' | 'folder'): Promise<unknown> {
  const made = await store.ask('create', { path, kind });
  if (made && kind === 'file') await store.openFile(path);
  if (made && kind === 'folder') store.tree.setOpen(path, true);
  return made;
}

/** What was typed goes first, so that it comes along. */
async function rename(store: Store, from: string, name: string): Promise<unknown> {
  await store.documents.flushAll();
  const to = `${parentOf(from)}/${name}`;
  const done = await store.ask('rename', { from, to });
  if (done) store.tree.at.value = { path: to, isFolder: store.tree.at.value?.isFolder ?? false };
  return done;
}

function focusRow(store: Store): void {
  requestAnimationFrame(() => {
    const rows = document.querySelectorAll<HTMLElement>('[role=treeitem]');
    const at = store.tree.at.value?.path;
    ([...rows].find((row) => row.dataset.path === at) ?? rows[0])?.focus();
  });
}

/** Up and down through the rows, left and right to fold, as in every tree. */
function moveInTree(store: Store, event: KeyboardEvent): void {
  const rows = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role=treeitem]')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const row = rows[at];
  if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
  const expanded = row.getAttribute('aria-expanded');
  const level = Number(row.getAttribute('aria-level'));
  const parent = rows.slice(0, at).findLast((each) => Number(each.getAttribute('aria-level')) < level);
  const below = Number(rows[at + 1]?.getAttribute('aria-level')) > level ? rows[at + 1] : undefined;
  const { path = '' } = row.dataset;
  if (event.key === 'ArrowDown') rows[at + 1]?.focus();
  else if (event.key === 'ArrowUp') rows[at - 1]?.focus();
  else if (event.key === 'Home') rows[0]?.focus();
  else if (event.key === 'End') rows.at(-1)?.focus();
  else if (event.key === 'ArrowRight' && expanded === 'false') store.tree.setOpen(path, true);
  else if (event.key === 'ArrowRight') below?.focus();
  else if (event.key === 'ArrowLeft' && expanded === 'true' && level > 1) store.tree.setOpen(path, false);
  else if (event.key === 'ArrowLeft') parent?.focus();
  else if (event.key === 'F2' && level > 1) store.tree.naming.value = { what: 'rename', path };
  else return;
  event.preventDefault();
}
