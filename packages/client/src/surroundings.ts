import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';

/** Where an agent stands when it looks for its editor. Everything it looks at is in here, so that a test can make it up. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly tmp: string;
  readonly pid: number;
  /** `undefined` on systems without one. */
  readonly uid: number | undefined;
  readonly processes: Processes;
  /** Whether anything listens on that port of this machine; `undefined` where that is not known. */
  readonly listens?: (port: number) => boolean | undefined;
}

export interface ProcessInfo {
  readonly parent: number;
  readonly command: string;
}

export interface Processes {
  look(pid: number): ProcessInfo | undefined;
  isAlive(pid: number): boolean;
}

export function here(): Surroundings {
  return {
    cwd: process.cwd(),
    env: process.env,
    home: homedir(),
    tmp: tmpdir(),
    pid: process.pid,
    uid: process.getuid?.(),
    processes: { look, isAlive },
    listens,
  };
}

/** As the agents do it themselves, one `ps` a step; without `ps` on the PATH they find nothing either. */
function look(pid: number): ProcessInfo | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8', timeout: 3000 });
    const [, parent, command] = /^\s*(\d+)\s+(.*)$/s.exec(line.trim()) ?? [];
    return parent === undefined ? undefined : { parent: Number(parent), command: command ?? '' };
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Linux tells it in a file; the agents try to connect instead. Column 1 is the local end, 3 the state, 0A listening. */
function listens(port: number): boolean | undefined {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) => {
    try {
      return [readFileSync(path, 'utf8')];
    } catch {
      return [];
    }
  });
  if (tables.length === 0) return undefined;
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return tables
    .flatMap((table) => table.split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .some(([, local, , state]) => state === '0A' && local?.endsWith(wanted) === true);
}
