import { join } from 'node:path';
import {
  type Candidate,
  containsReally,
  type Discovery,
  ideOf,
  portOf,
  type RawFile,
  readFolder,
  readOne,
  splitFolders,
  stringOf,
} from './candidates.ts';
import { ideProcess } from './ide-process.ts';
import type { Surroundings } from './surroundings.ts';

const NAME = /^gemini-ide-server-(\d+)-\d+\.json$/;

/** The companion that Gemini CLI takes, as 0.61.0 looks for it. Only that one is tried, also if its port is dead. */
export function discoverGemini(around: Surroundings): Discovery {
  const folder = join(around.tmp, 'gemini', 'ide');
  const editor = Number(around.env.GEMINI_CLI_IDE_PID) > 0 ? Number(around.env.GEMINI_CLI_IDE_PID) : ideProcess(around);
  // The name of older versions wins outright, whatever its workspace.
  const legacy = readOne(join(folder, `gemini-ide-server-${editor}.json`));
  if (legacy?.content) {
    const chosen = candidate(legacy, editor, around);
    return { candidates: [chosen], chosen, note: 'the file name without a port wins over all others' };
  }
  const candidates = readFolder(folder, NAME)
    .filter((file) => file.content !== undefined)
    .map((file) => candidate(file, Number(NAME.exec(file.name)?.[1]), around))
    .sort((a, b) => rank(b, editor, around) - rank(a, editor, around) || (b.pid ?? 0) - (a.pid ?? 0));
  return { candidates, ...choose(candidates, around) };
}

function candidate(file: RawFile, pid: number, around: Surroundings): Candidate {
  const content = file.content ?? {};
  const path = stringOf(content.workspacePath) ?? around.env.GEMINI_CLI_IDE_WORKSPACE_PATH;
  const folders = splitFolders(path ?? '');
  const refused = refusal(file, path, folders, around);
  return {
    file: file.path,
    port: portOf(content.port),
    token: stringOf(content.authToken) ?? around.env.GEMINI_CLI_IDE_AUTH_TOKEN,
    folders,
    ide: ideOf(content.ideInfo),
    pid,
    ...(refused === undefined ? {} : { refused }),
  };
}

function refusal(
  file: RawFile,
  path: string | undefined,
  folders: readonly string[],
  around: Surroundings,
): string | undefined {
  if (around.uid !== undefined && file.uid !== around.uid) return 'it belongs to another user';
  if (path === undefined) return 'it names no workspace';
  if (path === '') return 'no folder is open in the editor';
  return containsReally(folders, around.cwd) ? undefined : `${around.cwd} is not below ${folders.join(', ')}`;
}

/** The editor it runs in, then the living, then the dead. */
function rank({ pid = 0 }: Candidate, editor: number, around: Surroundings): number {
  if (pid === editor) return 2;
  return around.processes.isAlive(pid) ? 1 : 0;
}

function choose(candidates: readonly Candidate[], { env }: Surroundings): Pick<Discovery, 'chosen' | 'note'> {
  const usable = candidates.filter((each) => each.refused === undefined);
  const wanted = portOf(env.GEMINI_CLI_IDE_SERVER_PORT);
  const chosen = (usable.length > 1 && usable.find((each) => each.port === wanted)) || usable[0];
  if (chosen) return { chosen, ...(usable.length > 1 ? { note: `${usable.length} companions fit` } : {}) };
  return { chosen: undefined, note: candidates[0]?.refused ?? 'no companion has written a file' };
}
