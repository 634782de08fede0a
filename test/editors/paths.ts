import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const repoRoot = join(import.meta.dirname, '..', '..');

/** VS Code as a server, and a Node for it: about 600 MB, not a dependency of the project. */
export const codeServerDir = join(repoRoot, '.cache', 'code-server');
export const codeServerRoot = join(codeServerDir, 'node_modules', 'code-server');
export const codeServerEntry = join(codeServerRoot, 'out', 'node', 'entry.js');

/** The package that holds nothing but the program. */
export const nodePackage = `node-${process.platform}-${process.arch}`;
export const codeServerNode = join(codeServerDir, 'node_modules', nodePackage, 'bin', 'node');

/** What `npm run package` makes; another file for runs beside a build. */
export function vsix(): string {
  if (process.env.TANDEM_VSIX !== undefined) return process.env.TANDEM_VSIX;
  const folder = join(repoRoot, 'editors', 'vscode', 'dist');
  const name = existsSync(folder) ? readdirSync(folder).find((each) => each.endsWith('.vsix')) : undefined;
  if (name === undefined) throw new Error(`there is no .vsix in ${folder}: run npm run package`);
  return join(folder, name);
}
