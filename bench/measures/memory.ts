import type { Bundles } from '../bundles.ts';
import { startHost } from '../children.ts';
import { HttpClient } from '../clients.ts';
import { type Bar, NOISE, type Row } from '../rows.ts';
import { interleave, median, sleep } from '../stats.ts';
import { newWorld, sourceFiles } from '../worlds.ts';

/** What a process holds more than one that only listens, after a collection, in a fresh process each time. */
export async function memory(bundles: Bundles, quick: boolean): Promise<Row[]> {
  const rounds = quick ? 3 : 9;
  const series: Record<string, number[]> = {};
  const sample = (name: string, subject: string) => async () => {
    const world = newWorld(bundles.core);
    const [file = ''] = sourceFiles(world, 1);
    const { child, port, tokens } = await startHost(bundles.host, subject, world, ['--expose-gc']);
    const weigh = async (when: string) => {
      const heard = child.hear('memory');
      child.tell('memory', true);
      const { rss, heapUsed } = await heard;
      for (const [what, value] of [
        ['rss', rss],
        ['heap', heapUsed],
      ] as const) {
        const key = `${name} ${when} ${what}`;
        series[key] ??= [];
        series[key].push(value / 1024 / 1024);
      }
    };
    await weigh('ready');
    const client = new HttpClient(port, tokens.http);
    await client.connect();
    await client.post(client.tool('openDiff', { filePath: file, newContent: 'const answer = 43;\n'.repeat(215) }));
    await sleep(quick ? 150 : 300);
    await weigh('linked');
    client.drop();
    await child.end();
  };
  await interleave(
    rounds,
    sample('ours', bundles.tandem),
    sample('reference', bundles.reference),
    sample('floor', bundles.floorHttp),
  );
  const row = (when: string, what: string, measure: string, bar: Bar): Row => {
    const floor = median(series[`floor ${when} ${what}`] ?? []);
    return {
      id: `memory-${when}-${what}`,
      measure,
      unit: 'MB',
      ours: median(series[`ours ${when} ${what}`] ?? []) - floor,
      reference: median(series[`reference ${when} ${what}`] ?? []) - floor,
      bar,
      samples: rounds,
      note: `a bare process has ${floor.toFixed(1)} MB, which is taken off`,
    };
  };
  const third: Bar = { of: 'reference', max: 1 / 3, tolerance: NOISE.memory };
  const same: Bar = { of: 'reference', max: 1, tolerance: NOISE.memory };
  return [
    row('ready', 'rss', 'memory added at ready: RSS', third),
    row('ready', 'heap', 'memory added at ready: heap', third),
    row('linked', 'rss', 'memory added with one link: RSS', same),
    row('linked', 'heap', 'memory added with one link: heap', same),
  ];
}
