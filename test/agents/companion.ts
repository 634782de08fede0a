// `tandem serve --json` (or `tandem workbench --json`) as a child process, and the other tandem commands beside it.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { tandemJs, tandemNode } from './paths.ts';
import type { Sandbox } from './sandbox.ts';
import { waitFor } from './wait.ts';

export interface Link {
  id: string;
  agent: string;
  version?: string;
  pid?: number;
  since: string;
}

export interface Review {
  id: string;
  agent: string;
  path: string;
  state: 'open' | 'amended' | 'accepted' | 'rejected' | 'withdrawn';
  openedAt: string;
}

export interface ShownReview extends Review {
  original: { text: string; exists: boolean };
  proposed: string;
  hunks: { lines: string[] }[];
}

export type CompanionEvent =
  | {
      event: 'ready';
      pid: number;
      port: number;
      /** The workbench's page, with a code that lets one browser in. */
      url?: string;
      workspaceFolders: string[];
      dialects: { dialect: string; error?: string }[];
    }
  | { event: 'link'; state: 'connected' | 'updated' | 'gone'; link: Link }
  | { event: 'review'; state: Review['state']; review: Review }
  | { event: 'notice'; level: string; message: string }
  | { event: 'stopped' };

/** All run a companion; the workbench is an editor in a browser page as well, the proxy has another's companion behind it. */
export type Serving = 'serve' | 'workbench' | 'proxy';

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** How long a companion may take to say goodbye. */
const stopMs = 10_000;

export class Companion {
  readonly events: CompanionEvent[] = [];
  port = 0;
  url = '';
  readonly #sandbox: Sandbox;
  readonly #child: ChildProcess;
  readonly #log: string[] = [];
  readonly #ended: Promise<number | null>;

  private constructor(sandbox: Sandbox, env: Record<string, string>, command: Serving, args: readonly string[]) {
    this.#sandbox = sandbox;
    this.#child = spawn(tandemNode, [tandemJs, command, '--json', ...args], {
      cwd: sandbox.workspace,
      env: { ...sandbox.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#ended = new Promise((resolve) => this.#child.on('exit', resolve));
    this.#listen();
  }

  static async start(
    sandbox: Sandbox,
    env: Record<string, string> = {},
    command: Serving = 'serve',
    args: readonly string[] = [],
  ): Promise<Companion> {
    const companion = new Companion(sandbox, env, command, args);
    try {
      const ready = () => companion.events.find((event) => event.event === 'ready');
      const { port, url = '' } = await companion.#until(`tandem ${command} to be ready`, ready);
      companion.port = port;
      companion.url = url;
      return companion;
    } catch (error) {
      await companion.kill9();
      throw error;
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The ports it listens on: the agents' and, with a workbench, the page's. */
  get ports(): number[] {
    return [this.port, ...(this.url === '' ? [] : [Number(new URL(this.url).port)])];
  }

  /** A tandem command in the workspace, as a user would type it in a second terminal. */
  async cli(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...args);
    if (code !== 0) throw new Error(`tandem ${args.join(' ')} ended with ${code}: ${stderr || stdout}`);
    return stdout;
  }

  /** The same, for commands that are expected to fail. */
  run(...args: string[]): Promise<CommandResult> {
    // Whoever is asked to edit a text puts ours in its place.
    const env = { ...this.#sandbox.env, EDITOR: `cp ${this.#wanted}` };
    const options = { cwd: this.#sandbox.workspace, env, timeout: 20_000 };
    return new Promise((resolve) => {
      execFile(tandemNode, [tandemJs, ...args], options, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, stdout, stderr });
      });
    });
  }

  async reviews(): Promise<Review[]> {
    return JSON.parse(await this.cli('review', 'list', '--json')) as Review[];
  }

  async show(review: Review): Promise<ShownReview> {
    return JSON.parse(await this.cli('review', 'show', review.id, '--json')) as ShownReview;
  }

  /** Accepts a review, as it is or with the user's own text. */
  async accept(review: Review, text?: string): Promise<void> {
    if (text !== undefined) writeFileSync(this.#wanted, text);
    await this.cli('review', 'accept', review.id, ...(text === undefined ? [] : ['--content-file', this.#wanted]));
  }

  /** Changes the proposed text and leaves the decision open. */
  async amend(review: Review, text: string): Promise<void> {
    writeFileSync(this.#wanted, text);
    await this.cli('review', 'edit', review.id);
  }

  async reject(review: Review): Promise<void> {
    await this.cli('review', 'reject', review.id);
  }

  async links(): Promise<Link[]> {
    return (JSON.parse(await this.cli('status', '--json')) as { links: Link[] }).links;
  }

  /** How many times an agent of this kind has connected to this process. */
  connections(agent: string): number {
    return this.events.filter((e) => e.event === 'link' && e.state === 'connected' && e.link.agent === agent).length;
  }

  /** Waits for an open review of this path (and agent); reviews that were decided do not count. */
  review(path: string, agent?: string, ms = 20_000): Promise<Review> {
    const what = `a review of ${path}${agent === undefined ? '' : ` by ${agent}`}`;
    return this.#until(what, () => this.#open().find((r) => r.path === path && (agent ?? r.agent) === r.agent), ms);
  }

  /** Waits until a review has come to this end. */
  async ended(review: Review, state: Review['state'], ms = 20_000): Promise<void> {
    const all = () => this.events.filter((e) => e.event === 'review').filter((e) => e.review.id === review.id);
    await this.#until(`review ${review.id} to be ${state}`, () => all().some((e) => e.state === state), ms);
  }

  /** Stops it as a terminal or an init system would, and gives its exit code. One that does not stop is killed. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill(signal);
    const stubborn = setTimeout(() => {
      this.#log.push(`it did not stop within ${stopMs} ms of ${signal}`);
      this.#child.kill('SIGKILL');
    }, stopMs);
    const code = await this.#ended;
    clearTimeout(stubborn);
    return code;
  }

  async kill9(): Promise<void> {
    await this.stop('SIGKILL');
  }

  evidence(): string {
    return `--- tandem serve, last lines\n${this.#log.slice(-25).join('\n')}`;
  }

  #open(): Review[] {
    const latest = new Map<string, Review>();
    for (const event of this.events) {
      if (event.event !== 'review') continue;
      if (event.state === 'open' || event.state === 'amended') latest.set(event.review.id, event.review);
      else latest.delete(event.review.id);
    }
    return [...latest.values()];
  }

  get #wanted(): string {
    return join(this.#sandbox.root, 'wanted.txt');
  }

  #until<T>(what: string, look: () => T, ms?: number): Promise<NonNullable<T>> {
    return waitFor(what, look, ms, async () => this.evidence());
  }

  #listen(): void {
    const { stdout, stderr } = this.#child;
    if (stdout === null || stderr === null) throw new Error('tandem serve has no pipes');
    createInterface(stdout).on('line', (line) => {
      this.#log.push(line);
      if (line.startsWith('{')) this.events.push(JSON.parse(line) as CompanionEvent);
    });
    createInterface(stderr).on('line', (line) => this.#log.push(`stderr: ${line}`));
  }
}
