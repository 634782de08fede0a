// Packs the chat panel for a webview: its code and its style, and nothing that is read elsewhere.
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const panel = join(dirname(fileURLToPath(import.meta.resolve('@tandem/ui/chat-protocol'))));

/** Makes `webview.js`, its chunks and `webview.css`; says how many bytes they are. */
export async function buildWebview(outdir: string): Promise<number> {
  const { metafile } = await build({
    entryPoints: [join(panel, 'webview.tsx'), join(panel, 'webview.css')],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    metafile: true,
    legalComments: 'linked',
    chunkNames: 'chunks/[name]-[hash]',
    logLevel: 'warning',
  });
  return Object.keys(metafile.outputs).reduce((sum, path) => sum + statSync(path).size, 0);
}
