import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

/** Whether a process runs; one of another user counts, one that has ended and only waits to be collected does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return process.platform !== 'linux' || !isZombie(pid);
}

/** In containers without an init nobody collects orphans, and a signal still reaches them. */
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return /^ [ZX]/.test(stat.slice(stat.lastIndexOf(')') + 1));
  } catch {
    return false;
  }
}

/** Whether anything listens on that port of this machine. One that is too busy to answer is still there. */
export function answers(port: number, timeoutMs = 500): Promise<boolean> {
  if (!isPort(port)) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(timeoutMs, () => done(true));
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
  });
}

export function isPort(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) < 65536;
}

export function isPid(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0;
}
