import { join, resolve } from 'node:path';
import {
  type Candidate,
  containsTextually,
  type Discovery,
  portOf,
  type RawFile,
  readFolder,
  stringOf,
} from './candidates.ts';
import type { Surroundings } from './surroundings.ts';

const MAX_ANCESTORS = 10;

/** The companion that Claude Code connects to by itself, as 2.1.325 looks for it: exactly one must fit, or none is taken. */
export function discoverClaude(around: Surroundings): Discovery {
  const folders = [...new Set([configuredFolder(around), join(around.home, '.claude', 'ide')])];
  const wanted = portOf(around.env.CLAUDE_CODE_SSE_PORT);
  const candidates = folders
    .flatMap((folder) => readFolder(folder, /^\d+\.lock$/))
    .sort((a, b) => b.modified - a.modified)
    .map((file) => candidate(file, wanted, around));
  if (isFalse(around.env.CLAUDE_CODE_AUTO_CONNECT_IDE)) {
    return { candidates, chosen: undefined, note: 'CLAUDE_CODE_AUTO_CONNECT_IDE switches it off' };
  }
  const usable = candidates.filter((each) => each.refused === undefined);
  const byPort = usable.find((each) => each.port === wanted);
  const chosen = byPort ?? (usable.length === 1 ? usable[0] : undefined);
  // It counts all the same, and stands in the way of a better one.
  if (chosen?.transport === 'sse') return { candidates, chosen, note: 'it does not speak WebSocket' };
  if (chosen) return { candidates, chosen };
  const note =
    usable.length > 1 ? `${usable.length} companions fit, so none is taken; choose one with /ide` : undefined;
  return { candidates, chosen, note: note ?? candidates[0]?.refused ?? 'no companion has written a lock' };
}

function configuredFolder({ env, home }: Surroundings): string {
  return join(env.CLAUDE_CONFIG_DIR ? resolve(env.CLAUDE_CONFIG_DIR) : join(home, '.claude'), 'ide');
}

function candidate(file: RawFile, wanted: number | undefined, around: Surroundings): Candidate {
  const content = file.content ?? {};
  const folders = Array.isArray(content.workspaceFolders)
    ? content.workspaceFolders.filter((each) => typeof each === 'string')
    : [];
  const pid = typeof content.pid === 'number' ? content.pid : undefined;
  // The name of the file says the port, not its content.
  const port = portOf(file.name.replace('.lock', ''));
  const refused = refusal(port, pid, folders, wanted, around);
  const ideName = stringOf(content.ideName) ?? 'IDE';
  return {
    file: file.path,
    port,
    token: stringOf(content.authToken),
    folders,
    ide: { name: ideName, displayName: ideName },
    pid,
    ...(content.transport === 'ws' ? {} : { transport: 'sse' }),
    ...(refused === undefined ? {} : { refused }),
  };
}

function refusal(
  port: number | undefined,
  pid: number | undefined,
  folders: readonly string[],
  wanted: number | undefined,
  around: Surroundings,
): string | undefined {
  if (pid !== undefined && !around.processes.isAlive(pid))
    return `its process ${pid} has ended; Claude Code deletes such a file`;
  if (pid === undefined && port !== undefined && around.listens?.(port) === false)
    return 'it names no process and nothing listens there; Claude Code deletes such a file';
  if (wanted !== undefined && port === wanted) return undefined;
  if (around.env.CLAUDE_CODE_IDE_SKIP_VALID_CHECK !== '1' && !containsTextually(folders, around.cwd)) {
    return `${around.cwd} is not below ${folders.join(', ') || 'any folder'}, compared as text`;
  }
  if (inKnownTerminal(around.env) && (pid === undefined || !isAncestor(pid, around))) {
    return 'this is the terminal of another editor, whose process it does not name';
  }
  return undefined;
}

function inKnownTerminal(env: Surroundings['env']): boolean {
  return (
    env.TERM_PROGRAM === 'vscode' ||
    env.CURSOR_TRACE_ID !== undefined ||
    env.TERMINAL_EMULATOR === 'JetBrains-JediTerm' ||
    env.FORCE_CODE_TERMINAL !== undefined
  );
}

function isAncestor(pid: number, { pid: own, processes }: Surroundings): boolean {
  let current = own;
  for (let i = 0; i <= MAX_ANCESTORS; i += 1) {
    const parent = processes.look(current)?.parent;
    if (parent === undefined || parent <= 1) return false;
    if (parent === pid) return true;
    current = parent;
  }
  return false;
}

function isFalse(value: string | undefined): boolean {
  return value !== undefined && ['0', 'false', 'no', 'off'].includes(value.toLowerCase().trim());
}
