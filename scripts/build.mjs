// Bundles the command and the page. What loads before the first agent connects stays in the entry's own chunks; the
// protocol library and the dialects' heavy parts are split off and load on demand.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const outdir = 'packages/cli/dist';
const page = join(outdir, 'page');
const common = {
  bundle: true,
  minify: true,
  format: 'esm',
  metafile: true,
  legalComments: 'linked',
  logLevel: 'warning',
};

rmSync(outdir, { recursive: true, force: true });
const results = await Promise.all([
  build({
    ...common,
    entryPoints: { tandem: 'packages/cli/src/tandem.ts', core: 'packages/core/src/index.ts' },
    outdir,
    inject: ['scripts/eager.ts'],
    splitting: true,
    keepNames: true,
    platform: 'node',
    target: 'node20',
    chunkNames: 'chunks/[name]-[hash]',
    // CommonJS dependencies call require for Node's own modules.
    banner: { js: "import{createRequire as __r}from'node:module';const require=__r(import.meta.url);" },
  }),
  build({
    ...common,
    entryPoints: {
      page: 'packages/ui/src/app/main.tsx',
      'diff-worker': 'packages/ui/src/review/diff-worker.ts',
    },
    outdir: page,
    splitting: true,
    platform: 'browser',
    target: 'es2022',
    chunkNames: 'chunks/[name]-[hash]',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  }),
  build({
    ...common,
    // The chat's loads with the chat.
    entryPoints: { page: 'packages/ui/src/app/page.css', chat: 'packages/ui/src/chat/chat.css' },
    outdir: page,
  }),
]);
// The manual says what --help says. This Node runs TypeScript as it is.
const { manPage } = await import('../packages/cli/src/man.ts');
const { version } = JSON.parse(readFileSync('packages/cli/package.json', 'utf8'));
mkdirSync('packages/cli/man', { recursive: true });
writeFileSync('packages/cli/man/tandem.1', manPage(version));

for (const asset of ['index.html', 'icon.svg']) cpSync(join('packages/ui/src', asset), join(page, asset));

const outputs = results.flatMap((result) => Object.values(result.metafile.outputs));
console.log(`built ${outdir} (${Math.round(outputs.reduce((sum, output) => sum + output.bytes, 0) / 1024)} KB)`);
