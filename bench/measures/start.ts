import type { Bundles } from '../bundles.ts';
import { dist } from '../bundles.ts';
import { Child, startHost } from '../children.ts';
import { HttpClient } from '../clients.ts';
import { NOISE, type Row } from '../rows.ts';
import { interleave, median } from '../stats.ts';
import { newWorld } from '../worlds.ts';

/** From before the import until every discovery file is written, in a fresh process each time. */
export async function start(bundles: Bundles, quick: boolean): Promise<Row[]> {
  const rounds = quick ? 6 : 25;
  const inside: Record<string, number[]> = {};
  const wall: Record<string, number[]> = {};
  const link: Record<string, number[]> = {};
  const note = (into: Record<string, number[]>, name: string, value: number) => {
    into[name] ??= [];
    into[name].push(value);
  };
  const fresh = (name: string, subject: string) => async (round: number) => {
    const { child, startMs, wallMs, port, tokens } = await startHost(bundles.host, subject, newWorld(bundles.core));
    const client = new HttpClient(port, tokens.http);
    const begun = performance.now();
    await client.connect();
    const linkMs = performance.now() - begun;
    client.drop();
    await child.end();
    if (round === 0) return; // the first one reads the files from disk
    note(inside, name, startMs);
    note(wall, name, wallMs);
    note(link, name, linkMs);
  };
  const command = async (round: number) => {
    const world = newWorld(bundles.core);
    const child = new Child([`${dist}/tandem.js`, 'serve', '--json', world.workspace], world);
    const line = await child.firstLine();
    if (round > 0) note(wall, 'command', child.age);
    if (JSON.parse(line).event !== 'ready') throw new Error(`tandem serve said ${line}`);
    await child.end();
  };
  const of = (from: Record<string, number[]>, name: string) => median(from[name] ?? []);
  await interleave(
    rounds + 1,
    fresh('ours', bundles.tandem),
    fresh('reference', bundles.reference),
    fresh('floor', bundles.floorHttp),
    command,
    ...(quick ? [] : [fresh('unbundled', bundles.referenceUnbundled)]),
  );
  const unbundled = quick
    ? ''
    : `the same reference as npm installs it, unbundled: ${of(inside, 'unbundled').toFixed(0)} ms; `;
  return [
    {
      id: 'start',
      measure: 'start: import to published',
      unit: 'ms',
      ours: of(inside, 'ours'),
      reference: of(inside, 'reference'),
      floor: of(inside, 'floor'),
      bar: { of: 'reference', max: 0.2, tolerance: NOISE.time },
      samples: rounds,
      note: `${unbundled}the floor writes no file`,
    },
    {
      id: 'start-wall',
      measure: 'start: spawn to ready',
      unit: 'ms',
      ours: of(wall, 'ours'),
      reference: of(wall, 'reference'),
      floor: of(wall, 'floor'),
      samples: rounds,
      note: `tandem serve --json, from spawn to its ready line: ${of(wall, 'command').toFixed(0)} ms`,
    },
    {
      id: 'first-link',
      measure: 'first link: initialize to open stream',
      unit: 'ms',
      ours: of(link, 'ours'),
      reference: of(link, 'reference'),
      floor: of(link, 'floor'),
      samples: rounds,
      note: 'ours loads the protocol library here, the reference at its start',
    },
  ];
}
