import { delimiter, resolve } from 'node:path';
import { findProgram } from '@tandem/core';

/** Where a command is, as the shell that we were started from would find it: also relative to where the user is. */
export function findOnPath(command: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => folder !== '');
  const name = /[\\/]/.test(command) ? resolve(command) : command;
  return findProgram(
    name,
    env,
    folders.map((folder) => resolve(folder)),
  );
}
