import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, extname, isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** What Gemini CLI takes as a sign that it runs in a container; then it looks for its editor on the host. */
export const CONTAINER_MARKS: readonly string[] = ['/.dockerenv', '/run/.containerenv'];

/** The folders of the PATH. Those that depend on where one is are left out: a project would choose what runs. */
export function pathFolders(env: Environment): readonly string[] {
  return (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
}

/** The file that a shell would run for that name. A path is taken as it is, if it depends on nothing. */
export function findProgram(
  name: string,
  env: Environment,
  folders: readonly string[] = pathFolders(env),
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (name === '') return undefined;
  const windows = platform === 'win32';
  const given = name.includes('/') || (windows && name.includes('\\'));
  // npm puts a shell script without an ending beside the one that Windows can run.
  const endings = windows && extname(name) === '' ? (env.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';') : [''];
  const files = (given ? [''] : folders).flatMap((folder) => endings.map((ending) => join(folder, name + ending)));
  return files.find((file) => isAbsolute(file) && isProgram(file, windows));
}

function isProgram(path: string, windows: boolean): boolean {
  try {
    if (!windows) accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
