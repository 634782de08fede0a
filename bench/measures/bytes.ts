import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Bundles, dist } from '../bundles.ts';
import { Child, startHost } from '../children.ts';
import { NOISE, type Row } from '../rows.ts';
import { newWorld } from '../worlds.ts';

const BAR = { max: 150, tolerance: NOISE.none };

/** The files that the engine has really compiled when the companion is ready and nobody has connected. */
export async function bytes(bundles: Bundles): Promise<Row[]> {
  const loaded = ['--import', pathToFileURL(bundles.loaded).href];
  const ours = await startHost(bundles.host, bundles.tandem, newWorld(bundles.core), loaded);
  const core = await sizes(ours.child, dist);
  const theirs = await startHost(bundles.host, bundles.reference, newWorld(bundles.core), loaded);
  const reference = await sizes(theirs.child, bundles.reference);
  const world = newWorld(bundles.core);
  const command = new Child([...loaded, `${dist}/tandem.js`, 'serve', '--json', world.workspace], world);
  await command.firstLine();
  const serve = await sizes(command, dist);
  return [
    {
      id: 'bytes-core',
      measure: 'JavaScript before the first link: core',
      unit: 'KB',
      ours: core.kilobytes,
      reference: reference.kilobytes,
      bar: BAR,
      samples: 1,
      note: core.list,
    },
    {
      id: 'bytes-serve',
      measure: 'JavaScript before the first link: tandem serve',
      unit: 'KB',
      ours: serve.kilobytes,
      bar: BAR,
      samples: 1,
      note: serve.list,
    },
  ];
}

async function sizes(child: Child, under: string): Promise<{ kilobytes: number; list: string }> {
  const heard = child.hear('loaded');
  child.tell('loaded', true);
  const paths = [...new Set((await heard).map((url) => fileURLToPath(url)))].filter((path) => path.startsWith(under));
  await child.end();
  const found = paths.map((path) => ({ name: basename(path), size: statSync(path).size / 1024 }));
  if (found.length === 0) throw new Error(`nothing was loaded from ${under}`);
  return {
    kilobytes: found.reduce((sum, each) => sum + each.size, 0),
    list: found.map(({ name, size }) => `${name} ${size.toFixed(1)}`).join(', '),
  };
}
