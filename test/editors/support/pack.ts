// Packs a folder with a package.json as VS Code wants it.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repoRoot } from '../paths.ts';

const run = promisify(execFile);

/** Gives the path of the .vsix. */
export async function pack(folder: string, out: string): Promise<string> {
  const vsce = join(repoRoot, 'node_modules', '@vscode', 'vsce', 'vsce');
  const flags = ['--no-dependencies', '--skip-license', '--allow-missing-repository', '--allow-star-activation'];
  await run(process.execPath, [vsce, 'package', ...flags, '--out', out], { cwd: folder });
  return out;
}
