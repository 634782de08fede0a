import { mkdir, open, readdir, readFile, rename, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { isOutside, Refusal } from '@tandem/core';
import type { TreeEntry } from '@tandem/ui/protocol';
import ignore, { type Ignore } from 'ignore';

const MAX_ENTRIES = 5000;

/** The files below the workspace folders, and nothing else. */
export class Files {
  readonly #folders: () => readonly string[];

  constructor(folders: () => readonly string[]) {
    this.#folders = folders;
  }

  /** The path, if it is inside after every symlink was followed. */
  inside(path: string): string {
    if (path.includes('\0') || !isAbsolute(path)) throw new Refusal(409, 'that is not a path');
    if (isOutside(this.#folders(), path)) throw new Refusal(409, `${path} is outside the workspace`);
    return path;
  }

  async list(path: string, all: boolean): Promise<readonly TreeEntry[]> {
    const folder = this.inside(path);
    const rules = await this.#rulesFor(folder);
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: Error) => {
      throw new Refusal(409, error.message);
    });
    const listed: TreeEntry[] = [];
    for (const entry of entries.slice(0, MAX_ENTRIES)) {
      const child = join(folder, entry.name);
      const kind = entry.isDirectory() || (entry.isSymbolicLink() && (await isFolder(child))) ? 'folder' : 'file';
      if (isOutside(this.#folders(), child)) continue;
      const ignored = rules.some((rule) => rule.ignores(child, kind));
      if (all || !ignored) listed.push({ name: entry.name, path: child, kind, ignored });
    }
    return listed.sort((a, b) => (a.kind === b.kind ? compare(a.name, b.name) : a.kind === 'folder' ? -1 : 1));
  }

  async create(path: string, kind: 'file' | 'folder'): Promise<void> {
    const target = this.inside(path);
    try {
      if (kind === 'folder') await mkdir(target);
      else {
        await mkdir(dirname(target), { recursive: true });
        await (await open(target, 'wx')).close();
      }
    } catch (error) {
      throw new Refusal(409, reason(error as NodeJS.ErrnoException, target));
    }
  }

  async rename(from: string, to: string): Promise<void> {
    const [source, target] = [this.inside(from), this.inside(to)];
    if (this.#folders().includes(source)) throw new Refusal(409, 'a workspace folder cannot be renamed here');
    if (await stat(target).catch(() => undefined)) throw new Refusal(409, `${target} exists already`);
    try {
      await mkdir(dirname(target), { recursive: true });
      await rename(source, target);
    } catch (error) {
      throw new Refusal(409, reason(error as NodeJS.ErrnoException, source));
    }
  }

  /** The .gitignore of every folder from the workspace's own down to this one. */
  async #rulesFor(folder: string): Promise<readonly Rules[]> {
    const root = this.#folders().find((each) => folder === each || folder.startsWith(each + sep)) ?? folder;
    const rules = [new Rules(root, ignore().add('.git'))];
    for (let current = folder; ; current = dirname(current)) {
      const text = await readFile(join(current, '.gitignore'), 'utf8').catch(() => undefined);
      if (text !== undefined) rules.push(new Rules(current, ignore().add(text)));
      if (current === root || dirname(current) === current) return rules;
    }
  }
}

class Rules {
  readonly #base: string;
  readonly #matcher: Ignore;

  constructor(base: string, matcher: Ignore) {
    this.#base = base;
    this.#matcher = matcher;
  }

  ignores(path: string, kind: TreeEntry['kind']): boolean {
    const way = relative(this.#base, path).split(sep).join('/');
    return way !== '' && !way.startsWith('..') && this.#matcher.ignores(kind === 'folder' ? `${way}/` : way);
  }
}

function compare(a: string, b: string): number {
  return a.localeCompare(b, undefined, { numeric: true, sensitivity: 'base' });
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

function reason(error: NodeJS.ErrnoException, path: string): string {
  return error.code === 'EEXIST' ? `${basename(path)} exists already` : error.message;
}
