import { signal } from '@preact/signals';
import { remembered } from './settings.ts';

/** What is being named in the tree: a new file or folder below `path`, or `path` itself. */
export interface Naming {
  readonly what: 'file' | 'folder' | 'rename' | 'workspace folder';
  readonly path: string;
}

/** What the tree of files shows, apart from the files. */
export class TreeState {
  readonly showAll = remembered('tandem-show-all', false, (value) => typeof value === 'boolean');
  /** The row that Tab comes to. */
  readonly at = signal<{ readonly path: string; readonly isFolder: boolean } | undefined>(undefined);
  readonly naming = signal<Naming | undefined>(undefined);
  readonly #open = remembered<Readonly<Record<string, boolean>>>(
    'tandem-open-folders',
    {},
    (value) => typeof value === 'object' && value !== null,
    sessionStorage,
  );

  isOpen(path: string, isRoot: boolean): boolean {
    return this.#open.value[path] ?? isRoot;
  }

  setOpen(path: string, open: boolean): void {
    this.#open.value = { ...this.#open.value, [path]: open };
    if (!open && this.at.value?.path.startsWith(`${path}/`)) this.at.value = { path, isFolder: true };
  }
}
