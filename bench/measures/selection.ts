import type { Bundles } from '../bundles.ts';
import { Child } from '../children.ts';
import { NOISE, type Row } from '../rows.ts';
import { median } from '../stats.ts';
import { newWorld, sourceFiles } from '../worlds.ts';

/** From the editor's event to the bytes at an agent in the same process; ten documents are open, 1 KB is selected. */
export async function selection(bundles: Bundles, quick: boolean): Promise<Row[]> {
  const rounds = quick ? 60 : 300;
  const worlds = [1, 2, 3].map(() => newWorld(bundles.core));
  const files = worlds.map((world) => sourceFiles(world));
  const { tandem, reference, floorHttp, floorWs } = bundles;
  const task = { modules: { tandem, reference, floorHttp, floorWs }, worlds, files, rounds };
  const child = new Child([bundles.selection, JSON.stringify(task)], newWorld(bundles.core));
  const series = await child.hear('selection');
  await child.end();
  const of = (name: string) => median(series[name] ?? []) * 1000;
  const bar = { of: 'floor', max: 3, tolerance: NOISE.time } as const;
  const work = (kind: string) =>
    `of it before the bytes are with the system: ours ${of(`ours ${kind} work`).toFixed(0)}, floor ${of(`floor ${kind} work`).toFixed(0)} µs`;
  return [
    {
      id: 'selection-http',
      measure: 'selection to wire: event stream, p50',
      unit: 'µs',
      ours: of('ours http'),
      reference: of('reference http'),
      floor: of('floor http'),
      bar,
      samples: rounds,
      note: work('http'),
    },
    {
      id: 'selection-ws',
      measure: 'selection to wire: WebSocket, p50',
      unit: 'µs',
      ours: of('ours ws'),
      floor: of('floor ws'),
      bar,
      samples: rounds,
      note: work('ws'),
    },
  ];
}
