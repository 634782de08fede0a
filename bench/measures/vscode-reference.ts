import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { pack } from '../../test/editors/support/pack.ts';

const reference = join(import.meta.dirname, '..', 'reference');

/** The reference as an extension, bundled into one file as the official ones are; gives the .vsix. */
export async function packReference(folder: string): Promise<string> {
  const unpacked = join(folder, 'reference');
  cpSync(join(reference, 'vscode-express'), unpacked, { recursive: true });
  await build({
    entryPoints: [join(reference, 'vscode-extension.ts')],
    outfile: join(unpacked, 'extension.cjs'),
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    external: ['vscode'],
    logLevel: 'warning',
  });
  return pack(unpacked, join(folder, 'reference.vsix'));
}
