import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Places } from '../dialects/port.ts';
import type { EditorInfo } from '../editor/port.ts';
import type { AgentInfo } from '../links.ts';
import { isToken } from '../transport/checks.ts';
import { answers, isAlive, isPid, isPort } from './process.ts';
import { ensurePrivateDirectory, readOwnJson, removeFile, writePrivateFile } from './safe-files.ts';
import { sweep } from './stale.ts';

/** How long after a clean stop the next companion may take over port, tokens and agents (ALL-9): a little longer than agents wait. */
const HANDOVER_MS = 20_000;

/** What a companion writes about itself: for the `tandem` command, and for the companion that comes after it. */
export interface CompanionRecord {
  readonly tandem: string;
  readonly pid: number;
  readonly port: number;
  readonly controlToken: string;
  readonly editor: Pick<EditorInfo, 'name' | 'displayName' | 'window'>;
  readonly workspaceFolders: readonly string[];
  readonly startedAt: number;
  readonly tokens: Readonly<Record<string, string>>;
  /** Set by a clean stop while agents were connected; the record is then a handover and nothing else. */
  readonly stoppedAt?: number;
  readonly sessions?: readonly RememberedSession[];
  /** What the face asked to be kept for the one after it; never a secret in clear. */
  readonly kept?: unknown;
}

export interface RememberedSession {
  readonly session: string;
  readonly agent: AgentInfo;
  readonly since: number;
}

/** The companions of this user, in one folder of our own. */
export class Registry {
  readonly #home: string;

  constructor(places: Places) {
    this.#home = places.env.TANDEM_HOME ? resolve(places.env.TANDEM_HOME) : join(places.home, '.tandem');
  }

  write(record: CompanionRecord): string {
    return writePrivateFile(ensurePrivateDirectory(this.#home, ['run']), fileName(record), record);
  }

  remove(record: Pick<CompanionRecord, 'pid' | 'port'>): void {
    removeFile(join(this.#home, 'run', fileName(record)));
  }

  /** Those that run, oldest first; records of the dead are taken away. */
  async living(): Promise<readonly CompanionRecord[]> {
    const living: CompanionRecord[] = [];
    for (const record of this.#all()) {
      if (record.stoppedAt !== undefined) {
        if (Date.now() - record.stoppedAt > HANDOVER_MS) this.remove(record);
      } else if (isAlive(record.pid) && (await answers(record.port))) living.push(record);
    }
    return living.sort((a, b) => a.startedAt - b.startedAt);
  }

  /**
   * The companion whose place the new one takes: same editor and first folder, just stopped or crashed. Its record goes.
   * Of several windows with the same folder it is the same window's, else the one that stopped last; the others wait.
   */
  async takeOver(
    editor: Pick<EditorInfo, 'name' | 'window'>,
    folders: readonly string[],
  ): Promise<CompanionRecord | undefined> {
    const ours: CompanionRecord[] = [];
    await sweep(join(this.#home, 'run'), process.pid); // what a crash left half written
    for (const record of this.#all()) {
      const stopped = record.stoppedAt !== undefined;
      if (!stopped && isAlive(record.pid) && (await answers(record.port))) continue;
      const late = stopped && Date.now() - (record.stoppedAt ?? 0) > HANDOVER_MS;
      if (!late && record.editor.name === editor.name && samePlace(record.workspaceFolders, folders)) ours.push(record);
      else if (!stopped || late) this.remove(record); // a stopped one waits for another window
    }
    // A window has another name once a folder was added, so the name alone does not decide.
    const isSame = (record: CompanionRecord) => Number(record.editor.window === editor.window);
    const [predecessor] = ours.sort((a, b) => isSame(b) - isSame(a) || endOf(b) - endOf(a));
    for (const record of ours) if (record === predecessor || record.stoppedAt === undefined) this.remove(record);
    return predecessor;
  }

  #all(): CompanionRecord[] {
    let names: string[];
    try {
      names = readdirSync(join(this.#home, 'run'));
    } catch {
      return [];
    }
    return names
      .filter((name) => /^\d+-\d+\.json$/.test(name))
      .map((name) => readOwnJson(join(this.#home, 'run', name)))
      .filter(isRecord);
  }
}

function fileName({ pid, port }: Pick<CompanionRecord, 'pid' | 'port'>): string {
  return `${pid}-${port}.json`;
}

/** When a crash happened is not known, but that it had begun by then. */
function endOf({ stoppedAt, startedAt }: CompanionRecord): number {
  return stoppedAt ?? startedAt;
}

/** A window is known by its first folder: others may have been added or taken away while it ran. */
function samePlace(before: readonly string[], now: readonly string[]): boolean {
  return before[0] === now[0];
}

/** Written by us, but anything may have happened to it since. */
function isRecord(value: Record<string, unknown> | undefined): value is Record<string, unknown> & CompanionRecord {
  if (!value || !isPid(value.pid) || !isPort(value.port)) return false;
  if (value.stoppedAt === undefined && !isToken(value.controlToken)) return false;
  const { editor, workspaceFolders, tokens } = value as Partial<CompanionRecord>;
  return (
    typeof editor?.name === 'string' &&
    Array.isArray(workspaceFolders) &&
    workspaceFolders.every((folder) => typeof folder === 'string') &&
    typeof tokens === 'object' &&
    tokens !== null &&
    Object.values(tokens).every(isToken) &&
    (value.sessions === undefined || Array.isArray(value.sessions))
  );
}
