// The extension's manifest and adapter with the contract in place of its companion.
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildExtension, extensionFolder } from '../../../editors/vscode/build.ts';
import { pack } from './pack.ts';

/** Gives the .vsix. */
export async function packContract(folder: string): Promise<string> {
  const unpacked = join(folder, 'contract');
  rmSync(unpacked, { recursive: true, force: true });
  const own = ['src', 'test', 'dist', 'node_modules', 'build.ts', 'package.ts', 'README.md'].map((name) =>
    join(extensionFolder, name),
  );
  cpSync(extensionFolder, unpacked, { recursive: true, filter: (path) => !own.includes(path) });
  await buildExtension(join(unpacked, 'dist'), join(import.meta.dirname, 'contract-host.ts'));
  if (!existsSync(join(unpacked, 'package.json'))) throw new Error('the extension has no manifest');
  return pack(unpacked, join(folder, 'contract.vsix'));
}
