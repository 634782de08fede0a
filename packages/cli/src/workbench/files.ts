import { mkdir, open, readdir, readFile, rename, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isOutside, Refusal } from '@tandem/core';
import type { TreeEntry } from '@tandem/ui/protocol';
import ignore, { type Ignore } from 'ignore';

const MAX_ENTRIES = 5000;
const MAX_FOUND = 20_000;

/** The files below the workspace folders, and nothing else. */
export class Files {
  readonly #folders: () => readonly string[];

  constructor(folders: () => readonly string[]) {
    this.#folders = folders;
  }

  /** The path, if it is inside after every symlink was followed. */
  inside(path: string): string {
    if (path.includes('\0') || !isAbsolute(path) || resolve(path) !== path)
      throw new Refusal(409, 'that is not a path');
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
      if (entry.isSymbolicLink() && isOutside(this.#folders(), child)) continue;
      const ignored = isIgnored(rules, child, kind);
      if (all || !ignored) listed.push({ name: entry.name, path: child, kind, ignored });
    }
    return listed.sort((a, b) => (a.kind === b.kind ? compare(a.name, b.name) : a.kind === 'folder' ? -1 : 1));
  }

  /** Every file that is not ignored, links left out, up to a number that nobody scrolls through. */
  async all(): Promise<readonly string[]> {
    const found: string[] = [];
    const waiting = [...this.#folders()];
    for (let folder = waiting.shift(); folder !== undefined && found.length < MAX_FOUND; folder = waiting.shift()) {
      const rules = await this.#rulesFor(folder);
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        const path = join(folder, entry.name);
        const kind = entry.isDirectory() ? 'folder' : 'file';
        if (!(entry.isDirectory() || entry.isFile()) || isIgnored(rules, path, kind)) continue;
        if (kind === 'folder') waiting.push(path);
        else found.push(path);
      }
    }
    return found;
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

  /** The .gitignore of every folder from this one up to the repository's own, the nearest first. */
  async #rulesFor(folder: string): Promise<readonly Rules[]> {
    const root = this.#folders().find((each) => folder === each || folder.startsWith(each + sep)) ?? folder;
    const rules: Rules[] = [];
    let ofRoot = 0;
    for (let current = folder; ; current = dirname(current)) {
      const text = await readFile(join(current, '.gitignore'), 'utf8').catch(() => undefined);
      if (text !== undefined) rules.push(new Rules(current, ignore().add(text)));
      if (current === root) ofRoot = rules.length;
      const inRoot = current === root || current.startsWith(root + sep);
      if (await isFolder(join(current, '.git'))) {
        const excluded = await readFile(join(current, '.git', 'info', 'exclude'), 'utf8').catch(() => '');
        return [...rules, new Rules(current, ignore().add(excluded))];
      }
      // What lies above the workspace counts only if the workspace is a part of a repository.
      if (dirname(current) === current) return rules.slice(0, inRoot ? rules.length : ofRoot);
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

  /** `undefined` where these rules say nothing of it. */
  verdict(path: string, kind: TreeEntry['kind']): boolean | undefined {
    const way = relative(this.#base, path).split(sep).join('/');
    if (way === '' || way.startsWith('..')) return undefined;
    const { ignored, unignored } = this.#matcher.test(kind === 'folder' ? `${way}/` : way);
    return ignored ? true : unignored ? false : undefined;
  }
}

/** The nearest rule that says something has the last word. */
function isIgnored(rules: readonly Rules[], path: string, kind: TreeEntry['kind']): boolean {
  if (basename(path) === '.git') return true;
  for (const each of rules) {
    const verdict = each.verdict(path, kind);
    if (verdict !== undefined) return verdict;
  }
  return false;
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
