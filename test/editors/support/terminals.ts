// Integrated terminals of a VS Code window, driven as the live tests of the agents drive tmux.
import { readFileSync } from 'node:fs';
import { runningBelow } from '../../agents/processes.ts';
import { Sandbox } from '../../agents/sandbox.ts';
import { Tmux } from '../../agents/tmux.ts';
import { waitFor } from '../../agents/wait.ts';
import type { Window } from './window.ts';

/** tmux's names of keys, and the browser's. */
const KEYS: Readonly<Record<string, string>> = { 'C-c': 'Control+c' };

/** A sandbox whose agents run in the terminals of a window. */
export class EditorSandbox extends Sandbox {
  override readonly tmux = new IntegratedTerminals();
}

interface Session {
  readonly window: Window;
  readonly shell: number;
}

export class IntegratedTerminals extends Tmux {
  /** Where the next terminal opens. */
  window: Window | undefined;
  /** How many lines it has at least: the agents print more than VS Code has room for at first. */
  rows = 24;
  readonly #sessions = new Map<string, Session>();

  constructor() {
    super('none', '', {});
  }

  /**
   * Types the command into a new terminal. Nothing is added to the environment that VS Code gives it: what the model
   * needs must be in VS Code's own.
   */
  override async start(name: string, _cwd: string, env: Record<string, string>, command: string[]): Promise<number> {
    if (this.window === undefined) throw new Error('there is no window for the terminal');
    const shell = await openTerminal(this.window);
    await enlarge(this.window, this.rows);
    const { PATH: _, ...expected } = env;
    const missing = Object.entries(expected).filter(([key, value]) => !variables(shell).includes(`${key}=${value}`));
    if (missing.length > 0) throw new Error(`VS Code was started without ${missing.join(' and ')}`);
    this.#sessions.set(name, { window: this.window, shell });
    await this.type(name, command.map(quoted).join(' '));
    await this.press(name, 'Enter');
    return waitFor(`${name} to run in the terminal`, () => runningBelow(shell, command[0] ?? ''));
  }

  /** What is visible; VS Code keeps the rest to itself. */
  override async screen(name: string, _history: boolean): Promise<string> {
    const { window } = await this.#show(name);
    return screenOf(window);
  }

  /** A terminal that has just got the focus loses what is typed now and then; the user sees that and types it again. */
  override async type(name: string, text: string): Promise<void> {
    const ending = text.slice(-20);
    const echo = async (window: Window) => (await screenOf(window)).replaceAll('\n', '').includes(ending);
    for (const last of [false, true]) {
      const { window } = await this.#focus(name);
      await window.page.keyboard.insertText(text);
      const shown = waitFor(
        `${ending} in the terminal`,
        () => echo(window),
        5000,
        () => screenOf(window),
      );
      if (last) await shown;
      else if (await shown.catch(() => undefined)) return;
    }
  }

  override async press(name: string, key: string): Promise<void> {
    const { window } = await this.#focus(name);
    await window.press(KEYS[key] ?? key);
  }

  /** As the user does with the bin beside its name. */
  override async end(name: string): Promise<void> {
    const session = this.#sessions.get(name);
    this.#sessions.delete(name);
    if (session === undefined) return;
    await session.window.inHost(async (api, shell) => {
      for (const terminal of api.window.terminals) if ((await terminal.processId) === shell) terminal.dispose();
    }, session.shell);
  }

  override async endServer(): Promise<void> {}

  async #show(name: string, focus = false): Promise<Session> {
    const session = this.#sessions.get(name);
    if (session === undefined) throw new Error(`no terminal runs ${name}`);
    const show = async (api: typeof import('vscode'), shell: number, take: boolean): Promise<boolean> => {
      for (const terminal of api.window.terminals) {
        if ((await terminal.processId) !== shell) continue;
        if (take || api.window.activeTerminal !== terminal) terminal.show(!take);
        return true;
      }
      return false;
    };
    if (!(await session.window.inHost(show, session.shell, focus))) throw new Error(`the terminal of ${name} is gone`);
    return session;
  }

  async #focus(name: string): Promise<Session> {
    const session = await this.#show(name, true);
    await session.window.page.locator('.terminal-wrapper.active .xterm-helper-textarea:focus').waitFor();
    return session;
  }
}

/** Opens a terminal as a user does, waits for its prompt and gives the pid of its shell. */
export async function openTerminal(window: Window): Promise<number> {
  const before = await window.inHost((api) => api.window.terminals.length);
  await window.command('Terminal: Create New Terminal');
  const newest = () =>
    window.inHost(async (api, count) => {
      return api.window.terminals.length > count ? await api.window.terminals.at(-1)?.processId : undefined;
    }, before);
  const shell = await waitFor('a terminal', newest, 20_000);
  await window.page.locator('.terminal-wrapper.active .xterm-helper-textarea:focus').waitFor();
  await waitFor(
    'a prompt',
    async () => /[#$]\s*$/.test(await screenOf(window)),
    20_000,
    () => screenOf(window),
  );
  return shell;
}

/** Draws the panel's edge up. */
async function enlarge(window: Window, wanted: number): Promise<void> {
  const { page } = window;
  const rows = page.locator('.terminal-wrapper.active .xterm-rows > div');
  if ((await rows.count()) >= wanted) return;
  const panel = await page.locator('.part.panel').boundingBox();
  const sashes = await page.locator('.monaco-sash.horizontal:not(.disabled)').all();
  const boxes = (await Promise.all(sashes.map((sash) => sash.boundingBox()))).filter((box) => box !== null);
  const distance = (box: { y: number }) => Math.abs(box.y - (panel?.y ?? 0));
  const [edge] = boxes.sort((a, b) => distance(a) - distance(b));
  if (edge === undefined) throw new Error('the panel has no edge');
  await page.mouse.move(edge.x + edge.width / 3, edge.y + edge.height / 2);
  await page.mouse.down();
  await page.mouse.move(edge.x + edge.width / 3, edge.y - 40);
  await page.mouse.move(edge.x + edge.width / 3, (page.viewportSize()?.height ?? 0) * 0.4);
  await page.mouse.up();
  await waitFor(
    'a larger terminal',
    async () => (await rows.count()) >= wanted,
    5000,
    async () => `${await rows.count()} rows`,
  );
}

/** The visible lines of the terminal in front. */
export async function screenOf(window: Window): Promise<string> {
  const rows = await window.page.locator('.terminal-wrapper.active .xterm-rows > div').allTextContents();
  return rows.join('\n').replaceAll('\u00a0', ' ').replace(/\n+$/, '');
}

/** The variables a process was started with, each as NAME=value. */
export function variables(pid: number): string[] {
  return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
}

function quoted(word: string): string {
  return /^[\w./@:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
