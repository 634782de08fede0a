import { pathToFileURL } from 'node:url';
import type { Bundles } from '../bundles.ts';
import type { Idle, TimerInfo } from '../hosts/messages.ts';
import { NOISE, type Row } from '../rows.ts';
import { sleep } from '../stats.ts';
import { newWorld } from '../worlds.ts';
import { Gathering } from './links.ts';

const LINKS = 10;
/** The periods of keep-alives: ours, the official companion's own, and its SDK's. */
const KEEP_ALIVE_MS = [25_000, 60_000, 15_000];

/** Ten agents and nothing to do: which timers wait, which are made, and the CPU it takes. */
export async function idle(bundles: Bundles, quick: boolean): Promise<Row[]> {
  const ms = quick ? 3000 : 10_000;
  const preload = ['--import', pathToFileURL(bundles.timers).href];
  const subjects = [bundles.tandem, bundles.reference, bundles.floorHttp];
  const gatherings = await Promise.all(
    subjects.map((subject) => Gathering.of(LINKS, bundles.host, subject, newWorld(bundles.core), preload)),
  );
  await sleep(1500);
  const seen = await Promise.all(
    gatherings.map(({ host: { child } }) => {
      const heard = child.hear('idle');
      child.tell('idle', { ms });
      return heard;
    }),
  );
  for (const gathering of gatherings) await gathering.end();
  const [ours, reference, floor] = seen as [Idle, Idle, Idle];
  return [
    {
      id: 'idle-timers',
      measure: `idle with ${LINKS} links: timers but keep-alives`,
      unit: 'count',
      ours: others(ours).length,
      reference: others(reference).length,
      bar: { max: 0, tolerance: NOISE.none },
      samples: 1,
      note: `${ms / 1000} s; keep-alives: ours ${keepAlives(ours)}, reference ${keepAlives(reference)}; others: ${list(others(ours)) || 'none'}; Node's own (http) are not counted`,
    },
    {
      id: 'idle-cpu',
      measure: `idle with ${LINKS} links: CPU in a second`,
      unit: 'ms',
      ours: (ours.cpuMs / ms) * 1000,
      reference: (reference.cpuMs / ms) * 1000,
      floor: (floor.cpuMs / ms) * 1000,
      samples: 1,
    },
  ];
}

/** Those that wait and those that came and went. */
function others(idle: Idle): TimerInfo[] {
  const ours = [...idle.waiting, ...idle.made].filter((timer) => !timer.internal);
  return ours.filter((timer) => !isKeepAlive(timer));
}

function keepAlives(idle: Idle): number {
  return idle.waiting.filter(isKeepAlive).length;
}

function isKeepAlive(timer: TimerInfo): boolean {
  return timer.repeats && KEEP_ALIVE_MS.includes(timer.ms);
}

function list(timers: readonly TimerInfo[]): string {
  const counts = new Map<string, number>();
  for (const { ms, where } of timers) {
    const key = `${ms} ms at ${where.replace(/^at |\(?file:.*\/|\)$/g, '')}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => `${count} × ${key}`).join(', ');
}
