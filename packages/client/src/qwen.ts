import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import {
  type Candidate,
  containsReally,
  type Discovery,
  ENVIRONMENT,
  ideOf,
  portOf,
  type RawFile,
  readFolder,
  readOne,
  splitFolders,
  stringOf,
  unlessUnknown,
} from './candidates.ts';
import { ideProcess } from './ide-process.ts';
import type { Surroundings } from './surroundings.ts';

/** The companion that Qwen Code takes, as 0.24.4 looks for it. Where it refuses, the other fitting ones are tried. */
export function discoverQwen(around: Surroundings): Discovery {
  return unlessUnknown(look(around), around.env.TERM_PROGRAM === 'vscode');
}

function look(around: Surroundings): Discovery {
  const folder = join(around.env.QWEN_HOME ? resolve(around.env.QWEN_HOME) : join(around.home, '.qwen'), 'ide');
  const wanted = /^\d+$/.test(around.env.QWEN_CODE_IDE_SERVER_PORT ?? '')
    ? portOf(around.env.QWEN_CODE_IDE_SERVER_PORT)
    : undefined;
  const byPort = wanted === undefined ? undefined : readOne(join(folder, `${wanted}.lock`));
  const first = byPort?.content && candidate(byPort, around);
  const locks = readFolder(folder, /^\d+\.lock$/)
    .filter((file) => file.content !== undefined && file.path !== byPort?.path)
    .sort((a, b) => b.modified - a.modified)
    .map((file) => candidate(file, around));
  const legacy = legacyNames(around, wanted)
    .flatMap((path) => readOne(path) ?? [])
    .map((file) => candidate(file, around));
  const files = [...(first ? [first] : []), ...legacy, ...locks];
  // Without a file that fits the variable does, in VS Code's terminal; it carries no token.
  const named = wanted === undefined ? undefined : candidate(variable(wanted), around);
  const usable = files.filter((each) => each.refused === undefined);
  const chosen = usable[0] ?? (named?.refused === undefined ? named : undefined);
  const candidates = chosen === named && named ? [...files, named] : files;
  if (!chosen) return { candidates, chosen, note: candidates[0]?.refused ?? 'no companion has written a lock' };
  const next = usable.filter((each) => each !== chosen);
  return { candidates, chosen, ...(next.length > 0 ? { next } : {}) };
}

function variable(port: number): RawFile {
  return { path: ENVIRONMENT, name: '', modified: 0, uid: 0, content: { port } };
}

/** Extensions before 0.5.1 wrote here. */
function legacyNames(around: Surroundings, wanted: number | undefined): string[] {
  const pids = [ideProcess(around), ...(wanted === undefined ? [] : [wanted])];
  return pids.map((pid) => join(around.tmp, `qwen-code-ide-server-${pid}.json`));
}

function candidate(file: RawFile, around: Surroundings): Candidate {
  const content = file.content ?? {};
  const path = stringOf(content.workspacePath) ?? around.env.QWEN_CODE_IDE_WORKSPACE_PATH;
  const folders = path === undefined ? [] : foldersOf(path);
  const pid = typeof content.ppid === 'number' ? content.ppid : undefined;
  const refused = refusal(path, folders, pid, around);
  return {
    file: file.path,
    port: portOf(content.port),
    // There is no variable for it: the file is the only way.
    token: stringOf(content.authToken),
    folders,
    ide: ideOf(content.ideInfo),
    pid,
    ...(refused === undefined ? {} : { refused }),
  };
}

/** Joined by the delimiter, or a JSON list in a string. */
function foldersOf(path: string): string[] {
  if (path.startsWith('[')) {
    try {
      const list: unknown = JSON.parse(path);
      if (Array.isArray(list))
        return list.filter((each): each is string => typeof each === 'string' && isAbsolute(each));
    } catch {
      // a folder whose name begins with a bracket
    }
  }
  return splitFolders(path).filter((folder) => isAbsolute(folder));
}

function refusal(
  path: string | undefined,
  folders: readonly string[],
  pid: number | undefined,
  around: Surroundings,
): string | undefined {
  if (pid !== undefined && !around.processes.isAlive(pid))
    return `its process ${pid} has ended; Qwen Code deletes such a file`;
  if (pid === undefined && path && !existsSync(path))
    return 'it names no process and its workspace does not exist; Qwen Code deletes such a file';
  if (path === '') return 'no folder is open in the editor';
  if (path === undefined) return undefined;
  return containsReally(folders, around.cwd) ? undefined : `${around.cwd} is not below ${folders.join(', ')}`;
}
