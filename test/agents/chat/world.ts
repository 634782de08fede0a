// A folder, a model, and real agents to talk to: Qwen Code as a child and as a daemon.
import { type ChildProcess, spawn } from 'node:child_process';
import { AcpConnection } from '../../../packages/chat/src/acp/connection.ts';
import { DaemonIdeConnection } from '../../../packages/chat/src/daemon/connection.ts';
import { fixedTarget } from '../../../packages/chat/src/daemon/own-daemon.ts';
import type { Patience } from '../../../packages/chat/src/daemon/pump.ts';
import { assertNothingLeft } from '../leftovers.ts';
import { isAlive } from '../processes.ts';
import { Sandbox } from '../sandbox.ts';
import { waitFor } from '../wait.ts';
import { ChatModel } from './model.ts';
import { qwenCommand, settleQwen } from './qwen-home.ts';
import { Recorder } from './recorder.ts';

/** Stands for the token of a daemon that somebody else started. */
export const DAEMON_TOKEN = 'tok-canary-0f4b1c77d9e2';

export class Daemon {
  readonly process: ChildProcess;
  output = '';

  constructor(sandbox: Sandbox, options: { token?: string | undefined; args?: readonly string[]; cwd?: string } = {}) {
    const { command, args } = qwenCommand();
    const token = 'token' in options ? options.token : DAEMON_TOKEN;
    const env = { ...sandbox.env, ...(token === undefined ? {} : { QWEN_SERVER_TOKEN: token }) };
    const serve = [...args, 'serve', '--no-web', '--hostname', '127.0.0.1', ...(options.args ?? ['--port', '0'])];
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    this.process = spawn(command, serve, { cwd: options.cwd ?? sandbox.workspace, env, stdio: [...stdio] });
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk.toString('utf8');
      });
    }
  }

  async url(): Promise<string> {
    const heard = () => /listening on (http:\/\/[^\s,]+)/.exec(this.output)?.[1];
    return waitFor('the daemon to listen', heard, 30_000, async () => this.output);
  }

  get port(): number {
    return Number(/listening on http:\/\/[^:]+:(\d+)/.exec(this.output)?.[1]);
  }

  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const { pid } = this.process;
    this.process.kill(signal);
    await waitFor('the daemon to end', () => pid === undefined || !isAlive(pid), 15_000);
  }
}

export class ChatWorld {
  readonly sandbox = new Sandbox();
  readonly model: ChatModel;
  readonly #connections: Recorder[] = [];
  readonly daemons: Daemon[] = [];
  readonly logs: string[] = [];

  private constructor(model: ChatModel) {
    this.model = model;
    settleQwen(this.sandbox, model);
  }

  static async start(): Promise<ChatWorld> {
    return new ChatWorld(await ChatModel.start());
  }

  daemon(options: ConstructorParameters<typeof Daemon>[1] = {}): Daemon {
    const daemon = new Daemon(this.sandbox, options);
    this.daemons.push(daemon);
    return daemon;
  }

  /** Qwen Code as a child. */
  acp(): Recorder {
    const { command, args } = qwenCommand();
    const agent = { id: 'qwen', name: 'Qwen Code', command, args: [...args, '--acp'] };
    const options = { agent, cwd: this.sandbox.workspace, env: this.sandbox.env, log: this.log };
    return this.record(new AcpConnection(options));
  }

  /** Qwen Code in a daemon, at an address. */
  at(url: string, options: { token?: string; cwd?: string; patience?: Partial<Patience> } = {}): Recorder {
    const target = fixedTarget({ url, token: options.token ?? DAEMON_TOKEN });
    const { patience, cwd = this.sandbox.workspace } = options;
    const connection = new DaemonIdeConnection({ target, cwd, log: this.log, ...(patience ? { patience } : {}) });
    return this.record(connection);
  }

  record(connection: ConstructorParameters<typeof Recorder>[0]): Recorder {
    const recorder = new Recorder(connection);
    this.#connections.push(recorder);
    return recorder;
  }

  readonly log = (level: string, message: string): void => {
    this.logs.push(`${level} ${message}`);
  };

  async end(): Promise<void> {
    await this.#stop();
    // Without the ports: those of daemons that ended long ago may be somebody else's by now.
    await assertNothingLeft(this.sandbox, []);
    this.sandbox.remove();
  }

  async discard(): Promise<void> {
    await this.#stop().catch(() => undefined);
    this.sandbox.killAll();
    this.sandbox.remove();
  }

  async #stop(): Promise<void> {
    await Promise.all(this.#connections.map(({ connection }) => connection.stop()));
    await Promise.all(this.daemons.map((daemon) => daemon.end()));
    await this.model.close();
  }
}
