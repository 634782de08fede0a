// The process table, as far as the tests need it: what belongs to a run, and who descends from whom.
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';

export interface Process {
  pid: number;
  parent: number;
  command: string;
}

/** Every process that was started with a variable of such a value. */
export function processesWith(variable: string, matches: (value: string) => boolean): Process[] {
  const name = `${variable}=`;
  return processes().filter(({ pid }) =>
    environment(pid).some((entry) => entry.startsWith(name) && matches(entry.slice(name.length))),
  );
}

/** A process and everything below it, the deepest last. */
export function familyOf(pid: number): number[] {
  const all = processes();
  const family = [pid];
  for (const member of family) {
    family.push(...all.filter(({ parent }) => parent === member).map((child) => child.pid));
  }
  return family;
}

/** The nearest process below `pid` that runs this program. A shell has others for a moment, such as those of its prompt. */
export function runningBelow(pid: number, program: string): number | undefined {
  const file = realpathSync(program);
  return familyOf(pid)
    .slice(1)
    .find((each) => executable(each) === file);
}

/** Those of the processes whose command line holds these words. */
export function pidsOf(among: readonly Process[], words: string): number[] {
  const line = (pid: number) => read(`/proc/${pid}/cmdline`).split('\0').join(' ');
  return among.map(({ pid }) => pid).filter((pid) => line(pid).includes(words));
}

/** Daemons that tandem has started for itself. */
export function ownDaemons(among: readonly Process[]): number[] {
  return pidsOf(among, ' serve --port 0 ');
}

export function isAlive(pid: number): boolean {
  return processes().some((process) => process.pid === pid);
}

/** Running processes; zombies that nobody has reaped yet do not count. */
function processes(): Process[] {
  const found: Process[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // "pid (command) state parent …"; the command may hold spaces and brackets.
    const [, command = '', state = '', parent = ''] =
      /^\d+ \((.*)\) (\S) (\d+)/s.exec(read(`/proc/${name}/stat`)) ?? [];
    if (parent !== '' && state !== 'Z') found.push({ pid: Number(name), parent: Number(parent), command });
  }
  return found;
}

function executable(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return '';
  }
}

function environment(pid: number): string[] {
  return read(`/proc/${pid}/environ`).split('\0');
}

/** Processes come and go while we look: what cannot be read is not there. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
