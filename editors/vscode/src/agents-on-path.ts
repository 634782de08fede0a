import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** The program a command line begins with. */
export function programOf(line: string): string {
  const quoted = /^\s*"([^"]+)"/.exec(line);
  return quoted?.[1] ?? line.trim().split(/\s+/)[0] ?? '';
}

/** Whether a shell would find it. */
export function isOnPath(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
  platform = process.platform,
): boolean {
  return programOnPath(program, env, platform) !== undefined;
}

/** The file that a shell would run. Folders that depend on where one is are left out: a project would choose what runs. */
export function programOnPath(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
  platform = process.platform,
): string | undefined {
  if (program === '') return undefined;
  const windows = platform === 'win32';
  const endings = windows ? ['', ...(env.PATHEXT ?? '.EXE;.CMD;.BAT').split(';')] : [''];
  const given = program.includes('/') || (windows && program.includes('\\'));
  const folders = given ? [''] : (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const files = folders.flatMap((folder) => endings.map((ending) => join(folder, program + ending)));
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
