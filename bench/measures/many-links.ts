import type { Bundles } from '../bundles.ts';
import { NOISE, type Row } from '../rows.ts';
import { interleave, median, sleep } from '../stats.ts';
import { selectionText } from '../subject.ts';
import { newWorld } from '../worlds.ts';
import { Gathering } from './links.ts';

const SIZES = [1, 10, 100] as const;
/** What still counts as flat. */
const FLAT = 1.3;

/** What one link costs the server for one update, and whether everyone ends on the newest state. */
export async function manyLinks(bundles: Bundles, quick: boolean): Promise<Row[]> {
  const rounds = quick ? 3 : 5;
  const updates = quick ? 40 : 200;
  const gather = (size: number, subject: string) => Gathering.of(size, bundles.host, subject, newWorld(bundles.core));
  const ours = await Promise.all(SIZES.map((size) => gather(size, bundles.tandem)));
  const theirs = await Promise.all(SIZES.map((size) => gather(size, bundles.reference)));
  await sleep(500); // whatever follows a connection is done
  const cost = (gathering: Gathering, samples: number[]) => async (round: number) => {
    const ms = await gathering.broadcast(round * updates, updates);
    if (round > 0) samples.push((ms * 1000) / gathering.clients.length);
  };
  const mine: number[][] = SIZES.map(() => []);
  const reference: number[][] = SIZES.map(() => []);
  await interleave(
    rounds + 1,
    ...ours.map((gathering, index) => cost(gathering, mine[index] ?? [])),
    ...theirs.map((gathering, index) => cost(gathering, reference[index] ?? [])),
  );
  const storm = await newestState(ours[2] as Gathering, (rounds + 1) * updates);
  await Promise.all([...ours, ...theirs].map((gathering) => gathering.end()));
  const [one = 0, ten = 0, hundred = 0] = mine.map((samples) => median(samples));
  const [, theirTen = 0, theirHundred = 0] = reference.map((samples) => median(samples));
  return [
    {
      id: 'newest-state',
      measure: '100 links, 1,000 updates: links not on the newest state',
      unit: 'count',
      ours: storm.missing,
      bar: { max: 0, tolerance: NOISE.none },
      samples: 1,
      note: `everyone had it ${storm.ms.toFixed(0)} ms after the last update (the debounce is 50 ms); the storm cost the server ${storm.cpuMs.toFixed(0)} ms of CPU`,
    },
    {
      id: 'cost-per-link',
      measure: 'CPU per link and update: 100 links',
      unit: 'µs',
      ours: hundred,
      reference: theirHundred,
      bar: { of: { value: ten, name: '10 links' }, max: FLAT, tolerance: NOISE.time },
      samples: rounds,
      note: `1 link ${one.toFixed(0)}, 10 links ${ten.toFixed(0)}, 100 links ${hundred.toFixed(0)} µs; ${updates} updates a sample; half HTTP, half WebSocket (the reference: HTTP only)`,
    },
    {
      id: 'cost-of-one-more',
      measure: 'CPU of one more link: from 10 to 100',
      unit: 'µs',
      ours: (hundred * 100 - ten * 10) / 90,
      reference: (theirHundred * 100 - theirTen * 10) / 90,
      bar: { of: { value: (ten * 10 - one) / 9, name: 'to 10' }, max: FLAT, tolerance: NOISE.time },
      samples: rounds,
      note: 'the same without what an update costs however many links there are, which would hide growth',
    },
  ];
}

/** A thousand updates through the debounce, one a millisecond. */
async function newestState(
  gathering: Gathering,
  from: number,
): Promise<{ missing: number; ms: number; cpuMs: number }> {
  const { child } = gathering.host;
  const heard = child.hear('storm');
  child.tell('storm', { from, count: 1000 });
  const { cpuMs } = await heard;
  const begun = performance.now();
  await gathering.all(from + 1000, 5000);
  const ms = performance.now() - begun;
  await sleep(400); // nothing older may follow
  return { missing: gathering.clients.length - gathering.holding(selectionText(from + 1000)), ms, cpuMs };
}
