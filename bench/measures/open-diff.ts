import { writeFileSync } from 'node:fs';
import type { Bundles } from '../bundles.ts';
import { startHost } from '../children.ts';
import { HttpClient } from '../clients.ts';
import { NOISE, type Row } from '../rows.ts';
import { interleave, median, quantile } from '../stats.ts';
import { newWorld, sourceFiles } from '../worlds.ts';

/** From the first byte of openDiff to the last byte of its answer, on a connection that stays open. */
export async function openDiff(bundles: Bundles, quick: boolean): Promise<Row[]> {
  const subjects = { ours: bundles.tandem, reference: bundles.reference, floor: bundles.floorHttp };
  const runners = await Promise.all(
    Object.entries(subjects).map(async ([name, subject]) => {
      const world = newWorld(bundles.core);
      const [path = ''] = sourceFiles(world, 1);
      const { child, port, tokens } = await startHost(bundles.host, subject, world);
      const client = new HttpClient(port, tokens.http);
      await client.connect();
      return { name, path, child, client };
    }),
  );
  const line = 'const answer = 43; // proposed \u2014 "quoted" text\n';
  const measure = async (id: string, size: number, rounds: number): Promise<Row> => {
    const content = line.repeat(Math.ceil(size / Buffer.byteLength(line)));
    const series: Record<string, number[]> = { ours: [], reference: [], floor: [] };
    const warmUp = Math.ceil(rounds / 5);
    for (const { path } of runners) writeFileSync(path, content.replaceAll('43', '42'));
    await interleave(
      rounds + warmUp,
      ...runners.map(({ name, path, client }) => async (round: number) => {
        const open = client.tool('openDiff', { filePath: path, newContent: content });
        const begun = performance.now();
        const answer = await client.post(open);
        const took = performance.now() - begun;
        if (!answer.includes('"content"') || answer.includes('isError')) throw new Error(`${name}: ${answer}`);
        await client.post(client.tool('closeDiff', { filePath: path, suppressNotification: true }));
        if (round >= warmUp) series[name]?.push(took);
      }),
    );
    const p95 = Object.entries(series).map(([name, samples]) => `${name} ${quantile(samples, 0.95).toFixed(2)}`);
    return {
      id,
      measure: `openDiff of ${size >= 1024 * 1024 ? `${size / 1024 / 1024} MB` : `${size / 1024} KB`}, p50`,
      unit: 'ms',
      ours: median(series.ours ?? []),
      reference: median(series.reference ?? []),
      floor: median(series.floor ?? []),
      bar: { of: 'reference', max: 1, tolerance: NOISE.time },
      samples: rounds,
      note: `p95 ${p95.join(', ')} ms`,
    };
  };
  const rows = [
    await measure('open-diff-4k', 4 * 1024, quick ? 200 : 1000),
    await measure('open-diff-1m', 1024 * 1024, quick ? 25 : 100),
  ];
  for (const { child, client } of runners) {
    client.drop();
    await child.end();
  }
  return rows;
}
