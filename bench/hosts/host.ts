// Runs one subject in a process of its own and does what the bench asks. Imports as little as it can: what it costs
// is part of the bare process that the others are compared with.
import { type Launch, selectionText, type World } from '../subject.ts';
import type { Answers, Asks, TimerInfo } from './messages.ts';

const begun = performance.now();
const { subject: file, world } = JSON.parse(process.argv[2] ?? '') as { subject: string; world: World };
const { launch } = (await import(file)) as { launch: Launch };
const subject = await launch(world);
const startMs = performance.now() - begun;
say('ready', { startMs, port: subject.port, tokens: subject.tokens });

const work: { [K in keyof Asks]?: (value: Asks[K]) => Promise<void> | void } = {
  async open(paths) {
    await subject.open(paths);
    say('opened', true);
  },
  async memory() {
    for (let i = 0; i < 3; i += 1) {
      globalThis.gc?.();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const { rss, heapUsed } = process.memoryUsage();
    say('memory', { rss, heapUsed });
  },
  async idle({ ms }) {
    timers?.begin();
    const cpu = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, ms));
    const cpuMs = cpuSince(cpu);
    const { waiting, made } = timers?.end() ?? { waiting: [], made: [] };
    say('idle', { cpuMs, waiting, made, resources: process.getActiveResourcesInfo() });
  },
  async broadcast({ from, count, batch }) {
    const cpu = process.cpuUsage();
    for (let i = from + 1; i <= from + count; i += 1) {
      subject.broadcast(selectionText(i));
      await new Promise((resolve) => setImmediate(resolve));
      if (i % batch > 0) continue;
      const seen = new Promise<void>((resolve) => {
        work.seen = () => resolve();
      });
      say('sent', i);
      await seen;
    }
    say('broadcast', { cpuMs: cpuSince(cpu) });
  },
  async storm({ from, count }) {
    const cpu = process.cpuUsage();
    for (let i = from + 1; i <= from + count; i += 1) {
      subject.select(selectionText(i));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    say('storm', { cpuMs: cpuSince(cpu) });
  },
};

process.on('message', (message: Partial<Asks>) => {
  for (const [key, value] of Object.entries(message)) {
    const job = work[key as keyof Asks] as ((value: unknown) => Promise<void> | void) | undefined;
    void Promise.resolve(job?.(value)).catch((error) => {
      console.error(error);
      process.exit(1);
    });
  }
});
process.on('disconnect', () => process.exit());

function say<K extends keyof Answers>(key: K, value: Answers[K]): void {
  process.send?.({ [key]: value });
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

declare global {
  /** Set by `timers.ts` when it was loaded first. */
  var timers: { begin(): void; end(): { waiting: TimerInfo[]; made: TimerInfo[] } } | undefined;
}
