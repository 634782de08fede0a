// Loaded before everything else: knows every timer of the process and who made it.
import { createHook } from 'node:async_hooks';
import type { TimerInfo } from './messages.ts';

interface Timer extends NodeJS.Timeout {
  _idleTimeout: number;
  _repeat: number | null;
  _destroyed: boolean;
}

const all = new Map<number, { timer: WeakRef<Timer>; stack: string }>();
let since: number | undefined;
let newest = 0;
createHook({
  init(id, type, _trigger, resource) {
    if (type !== 'Timeout') return;
    newest = id;
    all.set(id, { timer: new WeakRef(resource as Timer), stack: new Error().stack ?? '' });
  },
  destroy(id) {
    if (since === undefined) all.delete(id);
  },
}).enable();
Error.stackTraceLimit = 30;

globalThis.timers = {
  begin() {
    since = newest;
  },
  end() {
    const made: TimerInfo[] = [];
    const waiting: TimerInfo[] = [];
    for (const [id, { timer, stack }] of all) {
      const live = timer.deref();
      const info = describe(live, stack);
      if (info.where.includes('host.js')) continue; // the bench's own
      if (id > (since ?? 0)) made.push(info);
      if (live && !live._destroyed) waiting.push(info);
    }
    since = undefined;
    return { waiting, made };
  },
};

function describe(timer: Timer | undefined, stack: string): TimerInfo {
  const frames = stack
    .split('\n')
    .slice(1)
    .filter((frame) => !/timers\.js|node:timers|node:internal/.test(frame));
  const where = frames[0]?.trim() ?? 'node';
  return {
    ms: timer?._idleTimeout ?? -1,
    repeats: typeof timer?._repeat === 'number',
    internal: frames.length === 0 || where.includes('node:'),
    where,
  };
}
