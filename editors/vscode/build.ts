// Bundles the extension, split so that what only an agent needs (the protocol library, zod, ws) is read when the first
// one connects. esbuild splits modules only; they are then turned into CommonJS, which VS Code loads faster.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin, transform } from 'esbuild';

export const extensionFolder = dirname(fileURLToPath(import.meta.url));

/** The values that the API has, from its own declaration. */
const API_NAMES = new Set(
  [...declaration().matchAll(/^(?:\t| {4})(?:export )?(?:namespace|class|enum|const|function) (\w+)/gm)].map(
    (match) => match[1],
  ),
);

/**
 * `vscode` exists only for `require`, which the host intercepts. Its values are exported by name: a namespace made from
 * `require` would be copied, some hundred properties, for each of our modules.
 */
const vscodeByRequire: Plugin = {
  name: 'vscode-by-require',
  setup(context) {
    context.onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
      namespace === 'host' ? { path: 'vscode', external: true } : { path: 'vscode', namespace: 'host' },
    );
    // Marked as pure, so that only those in use remain.
    const values = [...API_NAMES].map((name) => `export const ${name} = /* @__PURE__ */ of('${name}');`);
    const contents = `const api = require('vscode');\nconst of = (name) => api[name];\n${values.join('\n')}`;
    context.onLoad({ filter: /.*/, namespace: 'host' }, () => ({ contents }));
  },
};

const COMMON = { platform: 'node', target: 'node20', legalComments: 'none', logLevel: 'warning' } as const;

const MODULES = {
  ...COMMON,
  bundle: true,
  write: false,
  format: 'esm',
  splitting: true,
  minify: true,
  keepNames: true,
  metafile: true,
  legalComments: 'linked',
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunks/[name]-[hash]',
  plugins: [vscodeByRequire],
} satisfies BuildOptions;

export interface Built {
  readonly outdir: string;
  /** Bytes that are read to activate: the entry and what it imports at once. */
  readonly activationBytes: number;
  /** The sources in them. */
  readonly activationInputs: readonly string[];
  readonly totalBytes: number;
}

/** Makes `main.cjs`, which exports what `entry` does, and its chunks. */
export async function buildExtension(
  outdir = join(extensionFolder, 'dist'),
  entry = join(extensionFolder, 'src/extension.ts'),
): Promise<Built> {
  rmSync(outdir, { recursive: true, force: true });
  const { metafile, outputFiles } = await build({ ...MODULES, entryPoints: { main: entry }, outdir });
  const sizes = new Map<string, number>();
  for (const { path, text } of outputFiles) {
    const code = path.endsWith('.mjs') ? await toCommonJs(text) : text;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path.replace('.mjs', '.cjs'), code);
    sizes.set(relative(process.cwd(), path), Buffer.byteLength(code));
  }
  const atOnce = importedAtOnce(metafile, 'main.mjs');
  const bytes = (paths: Iterable<string>) => [...paths].reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0);
  return {
    outdir,
    activationBytes: bytes(atOnce),
    activationInputs: atOnce.flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {})),
    totalBytes: bytes(sizes.keys()),
  };
}

async function toCommonJs(code: string): Promise<string> {
  const renamed = code.replaceAll(/(["'])(\.{1,2}\/[\w/.-]+)\.mjs\1/g, '$1$2.cjs$1');
  const options = { ...COMMON, format: 'cjs', minify: true } as const;
  // Chunks on demand come by require, too.
  return (await transform(renamed, { ...options, supported: { 'dynamic-import': false } })).code;
}

/** An output and everything it imports, except on demand. */
function importedAtOnce({ outputs }: Metafile, entry: string): readonly string[] {
  const first = Object.keys(outputs).find((path) => basename(path) === entry);
  if (!first) throw new Error(`the build has no ${entry}`);
  const wanted = new Set([first]);
  for (const path of wanted) {
    for (const { path: target, kind, external } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && !external) wanted.add(target);
    }
  }
  return [...wanted];
}

function declaration(): string {
  return readFileSync(fileURLToPath(import.meta.resolve('@types/vscode/index.d.ts')), 'utf8');
}
