import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

const root = join(import.meta.dirname, '..');
/** Inside node_modules, so that what is not bundled finds its packages. */
const out = join(root, 'node_modules', '.cache', 'tandem-bench');
/** A copy of what was built, so that a build meanwhile does no harm. */
export const dist = join(out, 'dist');

/** The Node that people have; the bench itself may run on another. */
export const userNode = process.env.TANDEM_NODE ?? systemNode();

export interface Bundles {
  readonly host: string;
  readonly selection: string;
  readonly loaded: string;
  readonly timers: string;
  readonly tandem: string;
  readonly reference: string;
  readonly referenceUnbundled: string;
  readonly floorHttp: string;
  readonly floorWs: string;
  readonly floorMcp: string;
  /** Ours, as a URL. */
  readonly core: string;
}

export async function makeBundles(): Promise<Bundles> {
  const built = process.env.TANDEM_DIST ?? join(root, 'packages', 'cli', 'dist');
  if (!existsSync(join(built, 'core.js'))) throw new Error('npm run build first');
  rmSync(out, { recursive: true, force: true });
  cpSync(built, dist, { recursive: true });
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }');
  // As scripts/build.mjs makes ours.
  const asOurs: BuildOptions = {
    outdir: join(out, 'min'),
    bundle: true,
    splitting: true,
    minify: true,
    keepNames: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    legalComments: 'linked',
    banner: { js: "import{createRequire as __r}from'node:module';const require=__r(import.meta.url);" },
    logLevel: 'warning',
  };
  const here = (file: string) => join(import.meta.dirname, file);
  await Promise.all([
    build({ ...asOurs, entryPoints: { reference: here('reference/server.ts') } }),
    build({
      ...asOurs,
      splitting: false,
      outdir: out,
      entryPoints: {
        host: here('hosts/host.ts'),
        selection: here('hosts/selection.ts'),
        loaded: here('hosts/loaded.ts'),
        timers: here('hosts/timers.ts'),
        tandem: here('subjects/tandem.ts'),
        floorHttp: here('reference/floor-http.ts'),
        floorWs: here('reference/floor-ws.ts'),
        floorMcp: here('reference/floor-mcp.ts'),
      },
    }),
    build({
      entryPoints: { 'reference-unbundled': here('reference/server.ts') },
      outdir: out,
      bundle: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
      target: 'node20',
    }),
  ]);
  return {
    host: join(out, 'host.js'),
    selection: join(out, 'selection.js'),
    loaded: join(out, 'loaded.js'),
    timers: join(out, 'timers.js'),
    tandem: join(out, 'tandem.js'),
    reference: join(out, 'min', 'reference.js'),
    referenceUnbundled: join(out, 'reference-unbundled.js'),
    floorHttp: join(out, 'floorHttp.js'),
    floorWs: join(out, 'floorWs.js'),
    floorMcp: join(out, 'floorMcp.js'),
    core: pathToFileURL(join(dist, 'core.js')).href,
  };
}

function systemNode(): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? process.execPath;
}
