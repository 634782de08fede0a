import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

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
) {
  if (program === '') return false;
  const windows = platform === 'win32';
  const endings = windows ? ['', ...(env.PATHEXT ?? '.EXE;.CMD;.BAT').split(';')] : [''];
  const given = program.includes('/') || (windows && program.includes('\\'));
  const folders = given ? [''] : (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => endings.some((ending) => isProgram(join(folder, program + ending), windows)));
}

function isProgram(path: string, windows: boolean): boolean {
  try {
    if (!windows) accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
