import { useEffect, useState } from 'preact/hooks';
import type { TreeEntry } from '../protocol.ts';
import { nameOf, type Store } from './store.ts';

export function FilesPanel({ store }: { store: Store }) {
  return (
    <>
      <div class="panel-head">
        <h2>Files</h2>
        <label class="check">
          <input
            type="checkbox"
            checked={store.showAll.value}
            onChange={(event) => (store.showAll.value = event.currentTarget.checked)}
          />
          ignored too
        </label>
      </div>
      <div class="tree" role="tree" aria-label="Files" onKeyDown={moveInTree}>
        {store.shell.value.folders.map((folder) => (
          <Folder key={folder} store={store} path={folder} name={nameOf(folder)} depth={0} startOpen />
        ))}
      </div>
    </>
  );
}

interface FolderProps {
  readonly store: Store;
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  readonly startOpen?: boolean;
  readonly ignored?: boolean;
}

function Folder({ store, path, name, depth, startOpen = false, ignored = false }: FolderProps) {
  const [open, setOpen] = useState(startOpen);
  const [entries, setEntries] = useState<readonly TreeEntry[]>([]);
  const revision = store.folderRevision.value[path] ?? 0;
  const all = store.showAll.value;
  const connected = store.connection.state.value.kind === 'connected';
  // A new revision means that the folder changed on disk.
  useEffect(() => {
    if (!open || !connected) return;
    void store.ask('tree', { path, all }).then((answer) => answer && setEntries(answer.entries));
  }, [open, all, revision, connected, path]);
  return (
    <>
      <Row
        depth={depth}
        ignored={ignored}
        expanded={open}
        onPick={() => setOpen(!open)}
        label={name}
        icon={open ? '▾' : '▸'}
      >
        <Actions store={store} path={path} isRoot={depth === 0} />
      </Row>
      {open &&
        entries.map((entry) =>
          entry.kind === 'folder' ? (
            <Folder
              key={entry.path}
              store={store}
              path={entry.path}
              name={entry.name}
              depth={depth + 1}
              ignored={entry.ignored}
            />
          ) : (
            <File key={entry.path} store={store} entry={entry} depth={depth + 1} />
          ),
        )}
    </>
  );
}

function File({ store, entry, depth }: { store: Store; entry: TreeEntry; depth: number }) {
  const current = store.active.value === entry.path;
  return (
    <Row
      depth={depth}
      ignored={entry.ignored}
      current={current}
      label={entry.name}
      icon=""
      onPick={() => void store.openFile(entry.path, true)}
      onKeep={() => void store.openFile(entry.path)}
    >
      <button
        type="button"
        class="row-action"
        title="Rename"
        aria-label={`Rename ${entry.name}`}
        onClick={() => void rename(store, entry.path)}
      >
        ✎
      </button>
    </Row>
  );
}

interface RowProps {
  readonly depth: number;
  readonly label: string;
  readonly icon: string;
  readonly ignored: boolean;
  readonly current?: boolean;
  readonly expanded?: boolean;
  readonly onPick: () => void;
  readonly onKeep?: () => void;
  readonly children?: preact.ComponentChildren;
}

function Row({ depth, label, icon, ignored, current = false, expanded, onPick, onKeep, children }: RowProps) {
  return (
    <div class={`row ${ignored ? 'ignored' : ''} ${current ? 'current' : ''}`}>
      <button
        type="button"
        role="treeitem"
        class="row-main"
        style={{ paddingLeft: `${8 + depth * 14}px` }}
        aria-level={depth + 1}
        aria-selected={current}
        {...(expanded === undefined ? {} : { 'aria-expanded': expanded })}
        onClick={onPick}
        {...(onKeep ? { onDblClick: onKeep } : {})}
      >
        <span class="twist" aria-hidden="true">
          {icon}
        </span>
        {label}
      </button>
      {children}
    </div>
  );
}

function Actions({ store, path, isRoot }: { store: Store; path: string; isRoot: boolean }) {
  const create = async (kind: 'file' | 'folder') => {
    const name = window.prompt(`New ${kind} in ${nameOf(path)}`);
    if (!name) return;
    const target = `${path}/${name}`;
    const made = await store.ask('create', { path: target, kind });
    if (made && kind === 'file') await store.openFile(target);
  };
  return (
    <>
      <button
        type="button"
        class="row-action"
        title="New file"
        aria-label={`New file in ${nameOf(path)}`}
        onClick={() => void create('file')}
      >
        ＋
      </button>
      <button
        type="button"
        class="row-action"
        title="New folder"
        aria-label={`New folder in ${nameOf(path)}`}
        onClick={() => void create('folder')}
      >
        ⊞
      </button>
      {!isRoot && (
        <button
          type="button"
          class="row-action"
          title="Rename"
          aria-label={`Rename ${nameOf(path)}`}
          onClick={() => void rename(store, path)}
        >
          ✎
        </button>
      )}
    </>
  );
}

async function rename(store: Store, path: string): Promise<void> {
  const name = window.prompt('New name', nameOf(path));
  if (!name || name === nameOf(path)) return;
  await store.ask('rename', { from: path, to: `${path.slice(0, path.length - nameOf(path).length)}${name}` });
}

/** Up and down through the rows, left and right to fold, as in every tree. */
function moveInTree(event: KeyboardEvent): void {
  const tree = event.currentTarget as HTMLElement;
  const rows = [...tree.querySelectorAll<HTMLElement>('[role=treeitem]')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  const row = rows[at];
  const expanded = row?.getAttribute('aria-expanded');
  if (event.key === 'ArrowDown') rows[at + 1]?.focus();
  else if (event.key === 'ArrowUp') rows[at - 1]?.focus();
  else if (event.key === 'ArrowRight' && expanded === 'false') row?.click();
  else if (event.key === 'ArrowLeft' && expanded === 'true') row?.click();
  else return;
  event.preventDefault();
}
