import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Endpoint } from '@tandem/client';
import { contains, isAlive, isPort, markOf } from '@tandem/core';
import { CommandError } from '../errors.ts';
import type { PathMap } from './path-map.ts';

/** A companion that somebody else wrote, as its lock file tells of it. */
export interface Source {
  readonly file: string;
  readonly port: number;
  readonly token: string | undefined;
  readonly name: string;
  readonly pid: number | undefined;
  /** As it names them. */
  readonly folders: readonly string[];
}

export interface Wanted {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly paths: PathMap;
  readonly port?: number | undefined;
  readonly lock?: string | undefined;
}

/** The one that is meant; throws in words where there is none, or more than one. */
export function findSource(wanted: Wanted): Source {
  if (wanted.lock !== undefined) return named(resolve(wanted.lock));
  const all = foldersOf(wanted).flatMap(locks);
  if (wanted.port !== undefined) {
    const found = all.find((file) => basename(file) === `${wanted.port}.lock`);
    if (found) return named(found);
    throw new CommandError(3, `no companion has a lock for port ${wanted.port}`, list(all.flatMap(foreign)));
  }
  const sources = all.flatMap(foreign).filter(({ pid }) => pid === undefined || isAlive(pid));
  const here = sources.filter(({ folders }) =>
    contains(
      folders.map((each) => wanted.paths.toLocal(each)),
      wanted.cwd,
    ),
  );
  const [first, ...others] = here;
  if (!first) throw new CommandError(3, `no other companion serves ${wanted.cwd}`, list(sources));
  if (others.length > 0) {
    throw new CommandError(3, `${here.length} companions serve ${wanted.cwd}`, list(here));
  }
  return first;
}

/** Where it is now: one that restarted has written another lock. */
export function endpointsOf(source: Source, wanted: Wanted): readonly Endpoint[] {
  const again = read(source.file) ?? successor(source, wanted) ?? source;
  return [{ dialect: 'claude', port: again.port, token: again.token, editor: again.name, folders: again.folders }];
}

function successor(source: Source, wanted: Wanted): Source | undefined {
  if (wanted.lock !== undefined || wanted.port !== undefined) return undefined; // it was named, so nobody else will do
  const same = foldersOf(wanted).flatMap(locks).flatMap(foreign);
  return same.find(({ name, folders }) => name === source.name && folders[0] === source.folders[0]);
}

function foldersOf({ home, env }: Wanted): string[] {
  const configured = env.CLAUDE_CONFIG_DIR ? [join(resolve(env.CLAUDE_CONFIG_DIR), 'ide')] : [];
  return [...new Set([...configured, join(home, '.claude', 'ide')])];
}

function locks(folder: string): string[] {
  try {
    const files = readdirSync(folder).filter((name) => /^\d+\.lock$/.test(name));
    return files.map((name) => join(folder, name)).sort((a, b) => modified(b) - modified(a));
  } catch {
    return [];
  }
}

function modified(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function foreign(file: string): Source[] {
  const content = parse(file);
  if (!content || markOf(content)) return []; // our own would lead back to us
  const source = sourceOf(file, content);
  return source ? [source] : [];
}

function named(file: string): Source {
  const content = parse(file);
  if (!content) throw new CommandError(1, `${file} is not a lock file that can be read`);
  if (markOf(content)) throw new CommandError(1, `${file} is Tandem's own`, 'it serves every agent already');
  const source = sourceOf(file, content);
  if (source) return source;
  throw new CommandError(1, `${file} does not name a WebSocket companion`);
}

function read(file: string): Source | undefined {
  const content = parse(file);
  return content && !markOf(content) ? sourceOf(file, content) : undefined;
}

function sourceOf(file: string, content: Record<string, unknown>): Source | undefined {
  const port = Number(basename(file, '.lock'));
  if (!isPort(port) || content.transport !== 'ws') return undefined;
  const { authToken, ideName, pid, workspaceFolders } = content;
  return {
    file,
    port,
    token: typeof authToken === 'string' ? authToken : undefined,
    name: typeof ideName === 'string' && ideName !== '' ? ideName : 'IDE',
    pid: typeof pid === 'number' ? pid : undefined,
    folders: Array.isArray(workspaceFolders) ? workspaceFolders.filter((each) => typeof each === 'string') : [],
  };
}

function parse(file: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function list(sources: readonly Source[]): string {
  if (sources.length === 0) return 'start the editor whose companion is meant, or name its lock with --lock';
  const each = sources.map(
    ({ port, name, folders }) => `--port ${port} (${name}, ${folders.join(', ') || 'no folder'})`,
  );
  return `name one: ${each.join('; ')}`;
}
