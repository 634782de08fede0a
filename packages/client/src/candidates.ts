import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative, sep } from 'node:path';

/** A companion that an agent came across, and what it made of it. */
export interface Candidate {
  /** Its path; `environment` where variables alone name it. */
  readonly file: string;
  readonly port: number | undefined;
  readonly token: string | undefined;
  readonly folders: readonly string[];
  /** How the editor names itself; without it only terminals of known editors count. */
  readonly ide: { readonly name: string; readonly displayName: string } | undefined;
  readonly pid: number | undefined;
  /** Claude Code's older wire, without a token; we do not speak it. */
  readonly transport?: 'sse';
  /** Why it is not taken; absent for one that could be. */
  readonly refused?: string;
}

/** What an agent finds, in the order in which it looks. */
export interface Discovery {
  readonly candidates: readonly Candidate[];
  readonly chosen: Candidate | undefined;
  /** Who is tried next where the chosen one does not answer. */
  readonly next?: readonly Candidate[];
  /** Why there is none, or what to know about the choice. */
  readonly note?: string;
}

export interface RawFile {
  readonly path: string;
  readonly name: string;
  readonly modified: number;
  readonly uid: number;
  /** `undefined` if it is no JSON object. */
  readonly content: Readonly<Record<string, unknown>> | undefined;
}

export function readFolder(folder: string, pattern: RegExp): RawFile[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => pattern.test(name));
  } catch {
    return [];
  }
  return names.flatMap((name) => readOne(join(folder, name)) ?? []);
}

export function readOne(path: string): RawFile | undefined {
  try {
    const { mtimeMs, uid } = statSync(path);
    return {
      path,
      name: path.split(sep).at(-1) ?? '',
      modified: mtimeMs,
      uid,
      content: parse(readFileSync(path, 'utf8')),
    };
  } catch {
    return undefined;
  }
}

function parse(text: string): RawFile['content'] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** A number, or a number in words; from 1 to 65535. */
export function portOf(value: unknown): number | undefined {
  const port = typeof value === 'number' ? value : typeof value === 'string' ? Number.parseInt(value, 10) : Number.NaN;
  return Number.isInteger(port) && port > 0 && port < 65536 ? port : undefined;
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Both names must be there, or it counts as none. */
export function ideOf(value: unknown): Candidate['ide'] {
  const { name, displayName } = (value ?? {}) as Record<string, unknown>;
  return typeof name === 'string' && typeof displayName === 'string' && name !== '' && displayName !== ''
    ? { name, displayName }
    : undefined;
}

export function splitFolders(joined: string): string[] {
  return joined.split(delimiter).filter((folder) => folder !== '');
}

export const ENVIRONMENT = 'environment';

/** An editor that neither names itself in its file nor is known by its terminal does not exist for the agent. */
export function unlessUnknown(discovery: Discovery, isKnownTerminal: boolean): Discovery {
  const { chosen } = discovery;
  if (!chosen || chosen.ide || isKnownTerminal) return discovery;
  const refused = 'it does not name its editor, and this is not the terminal of one that is known';
  const candidates = discovery.candidates.map((each) => (each === chosen ? { ...each, refused } : each));
  return { candidates, chosen: undefined, note: refused };
}

/** Equal or below, both followed through symlinks: how Gemini CLI and Qwen Code compare. */
export function containsReally(folders: readonly string[], cwd: string): boolean {
  const place = real(cwd);
  return folders.some((folder) => isBelow(real(folder), place));
}

/** Equal or below as text: how Claude Code compares, which is why a symlinked folder does not match. */
export function containsTextually(folders: readonly string[], cwd: string): boolean {
  const place = cwd.normalize('NFC');
  return folders.some((folder) => isBelow(folder.normalize('NFC').replace(/(.)[\\/]+$/, '$1'), place));
}

function isBelow(folder: string, place: string): boolean {
  const way = relative(folder, place);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
