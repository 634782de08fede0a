import { type Log, newToken } from '@tandem/core';
import { Child, type ChildRequest } from '../child.ts';
import { ChatError } from '../connection.ts';
import type { DaemonAddress } from './http.ts';

/** Where a daemon is found, asked anew at every attempt. */
export interface DaemonTarget {
  readonly own: boolean;
  locate(): Promise<DaemonAddress>;
  /** This connection no longer needs it. */
  release(): Promise<void>;
}

export function fixedTarget(address: DaemonAddress): DaemonTarget {
  return { own: false, locate: async () => address, release: async () => {} };
}

const START_MS = 30_000;
/** Its own goodbye takes five seconds; the history is on disk long before. */
const GRACE_MS = 1_500;

/**
 * The daemon is to end when we do, even if we are killed: it runs under a shell that holds the other end of our pipe
 * and ends it when the pipe closes.
 */
const GUARD = [
  'exec 3<&0',
  '"$@" </dev/null 3<&- &',
  'daemon=$!',
  '{ read -r _ <&3; kill -KILL $daemon; } 2>/dev/null &',
  'guard=$!',
  'exec 3<&-',
  'trap "kill -TERM $daemon 2>/dev/null" TERM',
  'wait $daemon; wait $daemon 2>/dev/null; code=$?',
  'kill $guard 2>/dev/null',
  'exit $code',
].join('\n');

/** "Start a daemon for me": `qwen serve` on a free port, with a token that only we know. Shared by all who ask for it. */
export class OwnDaemon {
  readonly #command: Omit<ChildRequest, 'env'>;
  readonly #env: ChildRequest['env'];
  readonly #log: Log;
  #users = 0;
  #child: Child | undefined;
  #address: Promise<DaemonAddress> | undefined;

  /** `command` and `args` start Qwen Code; `serve` and its options are added. */
  constructor(command: ChildRequest, log: Log = () => {}) {
    const { env, ...rest } = command;
    this.#command = rest;
    this.#env = env;
    this.#log = log;
  }

  get pid(): number | undefined {
    return this.#child?.process.pid;
  }

  /** For one conversation: the daemon is there while at least one of them needs it. */
  share(): DaemonTarget {
    let holds = false;
    return {
      own: true,
      locate: () => {
        if (!holds) this.#users += 1;
        holds = true;
        return this.locate();
      },
      release: async () => {
        if (!holds) return;
        holds = false;
        this.#users -= 1;
        if (this.#users === 0) await this.stop();
      },
    };
  }

  /** Starts it if it is not there (any more). */
  locate(): Promise<DaemonAddress> {
    if (this.#child?.isOver) this.#address = undefined;
    this.#address ??= this.#start().catch((error) => {
      this.#address = undefined;
      throw error;
    });
    return this.#address;
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    this.#address = undefined;
    await child?.end(GRACE_MS);
  }

  async #start(): Promise<DaemonAddress> {
    const token = newToken();
    const { command, args, cwd } = this.#command;
    const serve = [command, ...args, 'serve', '--port', '0', '--hostname', '127.0.0.1', '--no-web'];
    const [program = '', ...rest] = process.platform === 'win32' ? serve : ['/bin/sh', '-c', GUARD, 'sh', ...serve];
    const env = { ...this.#env, QWEN_SERVER_TOKEN: token };
    const child = new Child({ command: program, args: rest, cwd, env }, ['pipe', 'pipe', 'pipe']);
    this.#child = child;
    child.process.stderr?.resume(); // nobody reads it, and it must not fill up
    const url = await this.#listening(child);
    this.#log('info', 'the Qwen daemon of this window is running');
    return { url, token };
  }

  /** The port is what the daemon says, never what was asked for. */
  async #listening(child: Child): Promise<string> {
    let output = '';
    const heard = new Promise<string>((resolve) => {
      child.process.stdout?.on('data', (chunk: Buffer) => {
        if (output.length < 65_536) output += chunk.toString('utf8');
        const url = /listening on (https?:\/\/[^\s,]+)/.exec(output)?.[1];
        if (url !== undefined) resolve(url);
      });
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new ChatError('failed', 'the Qwen daemon did not start in time')), START_MS);
    });
    const died = child.ended.then((how) => {
      throw new ChatError('failed', `the Qwen daemon did not start: ${how}`);
    });
    try {
      return await Promise.race([heard, died, late]);
    } catch (error) {
      await child.end(0);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
