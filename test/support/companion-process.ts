/**
 * A companion in a process of its own: for what needs another user, another view of the file system, or a kill -9.
 * Started by `startProcess` with its options as JSON; says one event a line; stops when its standard input ends.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

export interface ProcessOptions {
  readonly home: string;
  readonly tmp: string;
  readonly workspace: string;
  readonly editor?: string;
  readonly umask?: number;
  /** Looks at every file and folder in these after each call that changes one, and reports what must not be seen. */
  readonly spyOn?: readonly string[];
  /** A folder whose content is told at the start and the end, because only this process may see it. */
  readonly list?: string;
}

interface Sight {
  readonly path: string;
  readonly mode: number;
  readonly problem: string;
}

const options: ProcessOptions = JSON.parse(process.argv[2] ?? '{}');
const say = (event: object) => process.stdout.write(`${JSON.stringify(event)}\n`);
const listed = () => (options.list === undefined ? {} : { listed: fs.readdirSync(options.list) });
const spied = { looks: 0, temporaries: 0, problems: [] as Sight[] };

if (options.umask !== undefined) process.umask(options.umask);
if (options.spyOn) spy(options.spyOn);

const { Companion, MemoryEditor } = await import('../../packages/core/src/index.ts');
const logged: string[] = [];
const companion = new Companion({
  editor: new MemoryEditor({ folders: [options.workspace], info: { name: options.editor ?? 'memory' } }),
  places: { home: options.home, tmp: options.tmp, env: {} },
  log: (level, message) => logged.push(`${level} ${message}`),
});
try {
  await companion.start();
  say({
    event: 'ready',
    pid: process.pid,
    port: companion.port,
    published: companion.published.map(({ dialect, files, error }) => ({ dialect: dialect.id, files, error })),
    logged,
    spied,
    ...listed(),
  });
} catch (error) {
  say({ event: 'failed', message: (error as Error).message, logged, spied });
}
process.stdin.resume();
process.stdin.on('end', async () => {
  await companion.stop();
  say({ event: 'stopped', logged, spied, ...listed() });
});

/** Every state that a call leaves behind is one that somebody else could see. */
function spy(folders: readonly string[]): void {
  let looking = false;
  const look = () => {
    if (looking) return; // our own reading opens files too
    looking = true;
    spied.looks += 1;
    for (const folder of folders) walk(folder);
    looking = false;
  };
  const calls = [
    'openSync',
    'writeSync',
    'renameSync',
    'mkdirSync',
    'chmodSync',
    'closeSync',
    'writeFileSync',
  ] as const;
  for (const name of calls) {
    const real = fs[name] as (...args: unknown[]) => unknown;
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        const result = real(...args);
        look();
        return result;
      },
    });
  }
  syncBuiltinESMExports();
}

function walk(folder: string): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const mode = fs.lstatSync(path).mode & 0o777;
    const note = (problem: string) => spied.problems.push({ path, mode, problem });
    if (entry.isDirectory()) {
      if ((mode & 0o077) !== 0) note('a folder that others can look into');
      walk(path);
      continue;
    }
    if (mode !== 0o600) note('a file that is not 0600');
    if (entry.name.endsWith('.tmp')) spied.temporaries += 1;
    else if (!isJson(path)) note('a half-written file under its final name');
  }
}

function isJson(path: string): boolean {
  try {
    JSON.parse(fs.readFileSync(path, 'utf8'));
    return true;
  } catch {
    return false;
  }
}
