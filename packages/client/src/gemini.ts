import { join } from 'node:path';
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

const NAME = /^gemini-ide-server-(\d+)-\d+\.json$/;

/** The companion that Gemini CLI takes, as 0.61.0 looks for it. No other file is tried, also if its port is dead. */
export function discoverGemini(around: Surroundings): Discovery {
  return unlessUnknown(look(around), isKnownTerminal(around.env));
}

function look(around: Surroundings): Discovery {
  const folder = join(around.tmp, 'gemini', 'ide');
  const editor = Number(around.env.GEMINI_CLI_IDE_PID) > 0 ? Number(around.env.GEMINI_CLI_IDE_PID) : ideProcess(around);
  // The name of older versions wins outright, whatever its workspace.
  const legacy = readOne(join(folder, `gemini-ide-server-${editor}.json`));
  if (legacy?.content) {
    const chosen = candidate(legacy, editor, around);
    const note = 'the file name without a port wins over all others';
    return { candidates: [chosen], chosen, ...byVariable(chosen, around), note };
  }
  const candidates = readFolder(folder, NAME)
    .filter((file) => file.content !== undefined)
    .map((file) => candidate(file, Number(NAME.exec(file.name)?.[1]), around))
    .sort((a, b) => rank(b, editor, around) - rank(a, editor, around) || (b.pid ?? 0) - (a.pid ?? 0));
  if (candidates.length > 0) return { candidates, ...choose(candidates, around) };
  const named = fromEnvironment(around);
  return { candidates: named ? [named] : [], ...choose(named ? [named] : [], around) };
}

/** Without any file the variables do, in the terminal of a known editor. */
function fromEnvironment(around: Surroundings): Candidate | undefined {
  if (portOf(around.env.GEMINI_CLI_IDE_SERVER_PORT) === undefined) return undefined;
  const content = { port: around.env.GEMINI_CLI_IDE_SERVER_PORT };
  const nothing = { path: ENVIRONMENT, name: '', modified: 0, uid: around.uid ?? 0, content };
  return { ...candidate(nothing, 0, around), pid: undefined };
}

/** The port of the variable, with the file's token, after the file's own. */
function byVariable(chosen: Candidate, { env }: Surroundings): Pick<Discovery, 'next'> {
  const port = portOf(env.GEMINI_CLI_IDE_SERVER_PORT);
  return port === undefined || port === chosen.port ? {} : { next: [{ ...chosen, port }] };
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

function choose(candidates: readonly Candidate[], around: Surroundings): Omit<Discovery, 'candidates'> {
  const usable = candidates.filter((each) => each.refused === undefined);
  const wanted = portOf(around.env.GEMINI_CLI_IDE_SERVER_PORT);
  const chosen = (usable.length > 1 && usable.find((each) => each.port === wanted)) || usable[0];
  if (chosen) {
    const note = usable.length > 1 ? { note: `${usable.length} companions fit` } : {};
    return { chosen, ...byVariable(chosen, around), ...note };
  }
  return { chosen: undefined, note: candidates[0]?.refused ?? 'no companion has written a file' };
}

function isKnownTerminal(env: Surroundings['env']): boolean {
  return (
    ['vscode', 'sublime', 'Zed'].includes(env.TERM_PROGRAM ?? '') ||
    Boolean(env.ZED_SESSION_ID || env.XCODE_VERSION_ACTUAL) ||
    (env.TERMINAL_EMULATOR ?? '').toLowerCase().includes('jetbrains')
  );
}
