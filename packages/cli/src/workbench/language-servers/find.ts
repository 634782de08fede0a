import { realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { contains, findProgram } from '@tandem/core';

/**
 * Where commands are looked for. npm and npx put the project's own node_modules/.bin on the PATH unasked, and whoever
 * wrote the project wrote what is in there: it counts only if the user trusts the folder.
 */
export function searchPath(folder: string, path: string | undefined, trusted: boolean): readonly string[] {
  const entries = (path ?? '').split(delimiter).filter(isAbsolute);
  if (trusted) return [join(folder, 'node_modules', '.bin'), ...entries];
  return entries.filter((entry) => {
    const project = /^(.*)[\\/]node_modules[\\/]\.bin[\\/]?$/.exec(entry)?.[1];
    return project === undefined || !(contains([folder], project) || contains([project], folder));
  });
}

/** The file behind a name; `undefined` when it is not installed. */
export function findCommand(name: string, path: readonly string[]): string | undefined {
  return findProgram(name, process.env, path);
}

/** The tsserver.js that belongs to a typescript-language-server, or to a `tsserver` on the path. */
export function findTsserver(server: string, path: readonly string[]): string | undefined {
  const others = findCommand('tsserver', path);
  for (const place of others === undefined ? [server] : [server, others]) {
    try {
      const typescript = createRequire(realpathSync(place)).resolve('typescript');
      const tsserver = join(dirname(typescript), 'tsserver.js');
      if (statSync(tsserver).isFile()) return tsserver;
    } catch {
      // none there
    }
  }
  return undefined;
}
