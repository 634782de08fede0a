// Bundles the command. What loads before the first agent connects stays in the entry's own chunks; the protocol
// library and the dialects' heavy parts are split off and load on demand.

import { rmSync } from 'node:fs';
import { build } from 'esbuild';

const outdir = 'packages/cli/dist';
rmSync(outdir, { recursive: true, force: true });
const result = await build({
  entryPoints: { tandem: 'packages/cli/src/tandem.ts', core: 'packages/core/src/index.ts' },
  outdir,
  bundle: true,
  splitting: true,
  minify: true,
  keepNames: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  chunkNames: 'chunks/[name]-[hash]',
  metafile: true,
  legalComments: 'linked',
  // CommonJS dependencies call require for Node's own modules.
  banner: { js: "import{createRequire as __r}from'node:module';const require=__r(import.meta.url);" },
  logLevel: 'warning',
});
const bytes = Object.values(result.metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
console.log(`built ${outdir} (${Math.round(bytes / 1024)} KB)`);
