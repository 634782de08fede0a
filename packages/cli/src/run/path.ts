import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, extname, join, resolve } from 'node:path';

/** Where a command is, as a shell would find it; one with a separator in it is taken as it is. */
export function findOnPath(command: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (/[\\/]/.test(command)) return isProgram(resolve(command)) ? resolve(command) : undefined;
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => folder !== '');
  const endings = process.platform === 'win32' && extname(command) === '' ? windowsEndings(env) : [''];
  for (const folder of folders) {
    for (const ending of endings) {
      const path = join(folder, command + ending);
      if (isProgram(path)) return path;
    }
  }
  return undefined;
}

function windowsEndings(env: Readonly<Record<string, string | undefined>>): string[] {
  return (env.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';').filter((ending) => ending !== '');
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
