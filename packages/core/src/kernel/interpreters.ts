import { realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';

export interface Interpreter {
  readonly path: string;
  /** The root of the virtual environment it belongs to. */
  readonly venv?: string;
}

const WINDOWS = process.platform === 'win32';
const NAMES = WINDOWS ? ['python.exe', 'python3.exe'] : ['python3'];

/** Where a kernel may be, best first: the workspace's own environment, the active one, then what is on the PATH. */
export function interpreters(folders: readonly string[], env: NodeJS.ProcessEnv): Interpreter[] {
  const environments = folders.flatMap((folder) => [join(folder, '.venv'), join(folder, 'venv')]);
  if (env.VIRTUAL_ENV) environments.push(env.VIRTUAL_ENV);
  const path = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  if (!WINDOWS) path.push('/usr/bin');
  const all: Interpreter[] = [
    ...environments.map((venv) => ({ path: pythonOf(venv), venv })),
    ...path.flatMap((folder) => NAMES.map((name) => ({ path: join(folder, name) }))),
  ];
  const seen = new Set<string>();
  return all.filter((each) => {
    const place = isFile(each.path) ? placeOf(each.path) : undefined;
    if (place === undefined || seen.has(place)) return false;
    seen.add(place);
    return true;
  });
}

/** What `activate` would set, so that `!pip` in the code means the same environment. */
export function environmentOf(interpreter: Interpreter, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (interpreter.venv === undefined) return env;
  const bin = dirname(interpreter.path);
  return { ...env, VIRTUAL_ENV: interpreter.venv, PATH: env.PATH ? `${bin}${delimiter}${env.PATH}` : bin };
}

function pythonOf(venv: string): string {
  return WINDOWS ? join(venv, 'Scripts', 'python.exe') : join(venv, 'bin', 'python');
}

/** `/bin` may be `/usr/bin`; but the file itself is not resolved, because an environment's is a link to the system's. */
function placeOf(path: string): string {
  return join(realpathSync(dirname(path)), basename(path));
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
