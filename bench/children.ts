import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { userNode } from './bundles.ts';
import type { Answers, Asks } from './hosts/messages.ts';
import type { World } from './subject.ts';

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));

/** One process on the Node that people have, with nothing of our environment but the path. */
export class Child {
  readonly #process: ChildProcess;
  readonly #spawned = performance.now();

  constructor(args: readonly string[], world: World) {
    this.#process = spawn(userNode, args, {
      cwd: world.workspace,
      env: { PATH: process.env.PATH, HOME: world.home, TMPDIR: world.tmp },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    running.add(this.#process);
    this.#process.once('exit', () => running.delete(this.#process));
  }

  /** The next message that has `key`. */
  async hear<K extends keyof Answers>(key: K): Promise<Answers[K]> {
    return new Promise((resolve, reject) => {
      const listen = (message: Partial<Answers>) => {
        const value = message[key];
        if (value === undefined) return;
        this.#process.off('message', listen);
        this.#process.off('exit', gone);
        resolve(value as Answers[K]);
      };
      const gone = (code: number | null) => reject(new Error(`a process ended with ${code} instead of saying ${key}`));
      this.#process.on('message', listen);
      this.#process.once('exit', gone);
    });
  }

  tell<K extends keyof Asks>(key: K, value: Asks[K]): void {
    this.#process.send({ [key]: value });
  }

  /** Milliseconds since it was spawned. */
  get age(): number {
    return performance.now() - this.#spawned;
  }

  /** The first line on its standard output. */
  async firstLine(): Promise<string> {
    let text = '';
    this.#process.stdout?.setEncoding('utf8');
    for await (const chunk of this.#process.stdout ?? []) {
      text += chunk;
      if (text.includes('\n')) break;
    }
    return text.split('\n', 1)[0] ?? '';
  }

  async end(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exited;
  }
}

export interface Started {
  readonly child: Child;
  readonly startMs: number;
  readonly wallMs: number;
  readonly port: number;
  readonly tokens: { readonly http: string; readonly socket?: string };
}

/** A host process with one subject, ready. */
export async function startHost(
  host: string,
  subject: string,
  world: World,
  flags: readonly string[] = [],
): Promise<Started> {
  const child = new Child([...flags, host, JSON.stringify({ subject, world })], world);
  const ready = await child.hear('ready');
  return { child, wallMs: child.age, ...ready };
}
