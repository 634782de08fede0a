import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename } from 'node:path';
import type { Surroundings } from '@tandem/client';
import type { AgentId } from '../../run/agents.ts';
import type { OtherEnvironment, RunningAgent } from '../model.ts';

/** How an agent looks in a process table: its command, or the package that a Node process runs. */
const LOOKS: Readonly<Record<AgentId, RegExp>> = {
  claude: /(^|\/)claude$|@anthropic-ai\/claude-code/,
  gemini: /(^|\/)gemini$|@google\/gemini-cli/,
  qwen: /(^|\/)qwen$|@qwen-code\/qwen-code/,
};

const TICKS_PER_SECOND = 100;

interface Entry {
  readonly pid: number;
  readonly parent: number;
  readonly startedAt: number;
  readonly args: readonly string[];
}

/** Processes of this user. Only Linux tells us their folder and environment; elsewhere there are none. */
export class ProcessTable {
  readonly #entries: readonly Entry[];

  constructor(uid: number | undefined = process.getuid?.()) {
    this.#entries = process.platform === 'linux' ? readAll(uid) : [];
  }

  /** Agents at work; of several processes that are one program, the first. */
  agents(): readonly RunningAgent[] {
    const found = this.#entries.flatMap((entry) => {
      const agent = agentOf(entry.args);
      return agent === undefined ? [] : [{ ...entry, agent }];
    });
    const isChild = (entry: (typeof found)[number]) =>
      found.some((each) => each.pid === entry.parent && each.agent === entry.agent);
    return found
      .filter((entry) => !isChild(entry))
      .flatMap(({ agent, pid, startedAt }) => {
        const cwd = link(`/proc/${pid}/cwd`);
        return cwd === undefined ? [] : [{ agent, pid, cwd, startedAt, family: this.#family(pid) }];
      });
  }

  /** Where other processes of this user have their HOME and so on, each set once; also what is usual on this system. */
  environments(around: Surroundings): readonly OtherEnvironment[] {
    const usual = { pid: undefined, command: 'the login', claudeConfigDir: undefined, qwenHome: undefined };
    const all = [
      ...this.#entries.filter(({ pid }) => pid !== around.pid).flatMap((entry) => environmentOf(entry) ?? []),
      { ...usual, home: loginHome() ?? around.home, tmp: around.tmp },
      { ...usual, home: around.home, tmp: '/tmp' },
    ];
    const key = ({ home, tmp, claudeConfigDir, qwenHome }: OtherEnvironment) =>
      JSON.stringify([home, tmp, claudeConfigDir, qwenHome]);
    return [...new Map(all.map((each) => [key(each), each])).values()];
  }

  #family(pid: number): readonly number[] {
    const family = [pid];
    for (const member of family) {
      family.push(...this.#entries.filter(({ parent }) => parent === member).map((child) => child.pid));
    }
    return family;
  }
}

function agentOf(args: readonly string[]): AgentId | undefined {
  // A program, or the script that an interpreter was given first; not every command line that mentions one.
  const script = /^(node|bun|deno)/.test(basename(args[0] ?? ''))
    ? args.slice(1).find((arg) => !arg.startsWith('-'))
    : '';
  const agents = Object.keys(LOOKS) as AgentId[];
  return agents.find((agent) => [args[0], script].some((part) => LOOKS[agent].test(part ?? '')));
}

function environmentOf({ pid, args }: Entry): OtherEnvironment | undefined {
  const variables = new Map(
    read(`/proc/${pid}/environ`)
      .split('\0')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const home = variables.get('HOME');
  if (!home) return undefined;
  return {
    pid,
    command: basename(args[0] ?? ''),
    home,
    tmp: variables.get('TMPDIR')?.replace(/(.)\/$/, '$1') || '/tmp',
    claudeConfigDir: variables.get('CLAUDE_CONFIG_DIR') || undefined,
    qwenHome: variables.get('QWEN_HOME') || undefined,
  };
}

function loginHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined; // a container may run a user without an entry
  }
}

function readAll(uid: number | undefined): Entry[] {
  // Not btime, which counts whole seconds.
  const boot = Date.now() - Number.parseFloat(read('/proc/uptime')) * 1000;
  return list('/proc')
    .filter((name) => /^\d+$/.test(name) && ownerOf(`/proc/${name}`) === uid)
    .flatMap((name) => {
      const stat = read(`/proc/${name}/stat`);
      // The command in brackets may hold anything.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const args = read(`/proc/${name}/cmdline`).split('\0');
      if (stat === '' || args[0] === '') return [];
      const startedAt = boot + (Number(fields[19]) * 1000) / TICKS_PER_SECOND;
      return [{ pid: Number(name), parent: Number(fields[1]), startedAt, args }];
    });
}

function ownerOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.uid;
}

/** Processes come and go while we look. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function link(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
