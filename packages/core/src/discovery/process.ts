import { connect } from 'node:net';

/** Whether a process exists; one of another user counts. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
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
