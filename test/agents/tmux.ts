// A tmux server of our own: own socket, no configuration, clean environment.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export class Tmux {
  readonly #name: string;
  readonly #env: Record<string, string>;

  /** `env` is what the server itself and `socketDir` what its socket lives in. */
  constructor(name: string, socketDir: string, env: Record<string, string>) {
    this.#name = name;
    this.#env = { ...env, TMUX_TMPDIR: socketDir };
  }

  /** Starts a program in a session of its own and gives the pane's pid. No shell, no quoting. */
  async start(session: string, cwd: string, env: Record<string, string>, command: string[]): Promise<number> {
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const size = ['-x', '150', '-y', '50'];
    // The screen of a dead program stays readable.
    await this.#tmux(
      'start-server',
      ';',
      'set-option',
      '-g',
      'remain-on-exit',
      'on',
      ';',
      'set-option',
      '-g',
      'exit-empty',
      'off',
    );
    await this.#tmux('new-session', '-d', '-s', session, ...size, '-c', cwd, 'env', '-i', ...variables, ...command);
    return Number(await this.#tmux('display-message', '-p', '-t', session, '#{pane_pid}'));
  }

  /** The visible screen, and with `history` also what scrolled out of it. */
  screen(session: string, history: boolean): Promise<string> {
    return this.#tmux('capture-pane', '-p', '-J', ...(history ? ['-S', '-500'] : []), '-t', session);
  }

  /** The exit code of the program in it; undefined while it runs. */
  async exitCode(session: string): Promise<number | undefined> {
    const format = '#{pid} #{pane_dead} #{pane_dead_status}';
    const [server, dead, status] = (await this.#tmux('display-message', '-p', '-t', session, format)).trim().split(' ');
    if (dead !== '1') return undefined;
    if (status) return Number(status);
    // Its terminal is gone a moment before its status is known; and tmux 3.3 has been seen to miss the signal that tells it,
    // and to leave a zombie until the next one.
    process.kill(Number(server), 'SIGCHLD');
    return undefined;
  }

  async type(session: string, text: string): Promise<void> {
    await this.#tmux('send-keys', '-t', session, '-l', text);
  }

  async press(session: string, key: string): Promise<void> {
    await this.#tmux('send-keys', '-t', session, key);
  }

  async end(session: string): Promise<void> {
    await this.#tmux('kill-session', '-t', session).catch(() => undefined);
  }

  async endServer(): Promise<void> {
    await this.#tmux('kill-server').catch(() => undefined);
  }

  async #tmux(...args: string[]): Promise<string> {
    const { stdout } = await run('tmux', ['-L', this.#name, '-f', '/dev/null', ...args], { env: this.#env });
    return stdout;
  }
}
