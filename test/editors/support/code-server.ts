// VS Code as a server, with extensions, settings and a HOME of its own.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Sandbox } from '../../agents/sandbox.ts';
import { waitFor } from '../../agents/wait.ts';
import { codeServerEntry, codeServerNode } from '../paths.ts';

const run = promisify(execFile);

/** Nothing that asks the network, and a layout in which a test finds what it looks for. */
const QUIET = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'chat.disableAIFeatures': true,
  'git.enabled': false,
  'files.autoSave': 'off',
  'window.confirmBeforeClose': 'never',
  // In the inline view a click does not put the caret into the right side.
  'diffEditor.useInlineViewWhenSpaceIsLimited': false,
  // The screen as elements, which a test can read.
  'terminal.integrated.gpuAcceleration': 'off',
  'terminal.integrated.enablePersistentSessions': false,
  'terminal.integrated.stickyScroll.enabled': false,
  'terminal.integrated.suggest.enabled': false,
  'terminal.integrated.initialHint': false,
  'terminal.integrated.defaultProfile.linux': 'bash',
};

export interface ServerOptions {
  /** Packed ones. */
  readonly extensions: readonly string[];
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Called when the extensions are installed and VS Code has not started yet. */
  readonly installed?: () => void;
  /** VS Code asks whether the folder is trusted; without this all are. */
  readonly trust?: boolean;
}

export class CodeServer {
  readonly sandbox: Sandbox;
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #log = '';

  private constructor(sandbox: Sandbox, port: number, options: ServerOptions) {
    this.sandbox = sandbox;
    this.port = port;
    const args = [
      '--bind-addr',
      `127.0.0.1:${port}`,
      '--auth',
      'none',
      '--disable-telemetry',
      '--disable-update-check',
    ];
    args.push('--disable-getting-started-override', '--ignore-last-opened');
    if (!options.trust) args.push('--disable-workspace-trust');
    this.#child = spawn(codeServerNode, [codeServerEntry, ...args, ...folders(sandbox)], {
      cwd: sandbox.root,
      env: environment(sandbox, options),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#ended = new Promise((resolve) => this.#child.on('exit', resolve));
    const keep = (chunk: Buffer) => {
      this.#log = `${this.#log}${chunk}`.slice(-20_000);
    };
    this.#child.stdout?.on('data', keep);
    this.#child.stderr?.on('data', keep);
  }

  static async start(sandbox: Sandbox, options: ServerOptions): Promise<CodeServer> {
    writeSettings(sandbox, options.settings ?? {});
    writeLanguages(sandbox);
    await installExtensions(sandbox, options);
    options.installed?.();
    const server = new CodeServer(sandbox, await freePort(), options);
    const answers = async () => {
      if (server.#child.exitCode !== null) throw new Error('code-server has ended');
      return (await fetch(`${server.origin}/healthz`)).ok;
    };
    await waitFor('code-server to listen', answers, 30_000, async () => server.evidence());
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Its standard output and errors, and so those of the extensions. */
  get log(): string {
    return this.#log;
  }

  /** What it complained of, but for what is expected without a network. */
  evidence(): string {
    const expected = / info |vsda|open-vsx|onnection|AgentHost|agent started|acceptReply/;
    const lines = this.#log.split('\n').filter((line) => line.trim() !== '' && !expected.test(line));
    return `--- code-server\n${lines.slice(-12).join('\n')}\n--- what Tandem logged\n${this.#ownLog().join('\n')}`;
  }

  /** The last lines of the extension's output channel, of all windows. */
  #ownLog(): string[] {
    const logs = join(this.sandbox.root, 'data', 'logs');
    if (!existsSync(logs)) return [];
    const files = readdirSync(logs, { recursive: true, encoding: 'utf8' }).filter((name) => /Tandem\.log$/.test(name));
    return files.flatMap((name) => readFileSync(join(logs, name), 'utf8').trimEnd().split('\n').slice(-15));
  }

  /** The extension hosts follow within seconds; whoever asks for the end waits for them as well. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#ended;
    const gone = () => this.sandbox.processes().length === 0;
    await waitFor('the extension hosts to end', gone, 15_000).catch(() => undefined);
  }
}

export function settingsFile(sandbox: Sandbox): string {
  return join(sandbox.root, 'data', 'User', 'settings.json');
}

function writeSettings(sandbox: Sandbox, settings: Readonly<Record<string, unknown>>): void {
  const file = settingsFile(sandbox);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...QUIET, ...settings }, null, 2));
}

/**
 * A language pack without texts, which is all that it takes for `vscode.env.language` to be `zh-cn`. Which language a
 * window has, its browser says: so it is where an argv.json names none.
 */
function writeLanguages(sandbox: Sandbox): void {
  const data = join(sandbox.root, 'data');
  const texts = join(data, 'vscode.i18n.json');
  const extensions = [{ extensionIdentifier: { id: 'tandem-tests.zh-cn' }, version: '0.0.1' }];
  const pack = { hash: 'none', label: '中文（简体）', extensions, translations: { vscode: texts } };
  writeFileSync(texts, JSON.stringify({ version: '1.0.0', contents: {} }));
  writeFileSync(join(data, 'languagepacks.json'), JSON.stringify({ 'zh-cn': pack }));
  writeFileSync(join(data, 'User', 'argv.json'), '{}');
}

/** As a user does it, from the command line. */
async function installExtensions(sandbox: Sandbox, options: ServerOptions): Promise<void> {
  const flags = options.extensions.flatMap((file) => ['--install-extension', file]);
  const args = [codeServerEntry, ...folders(sandbox), ...flags];
  const { stdout, stderr } = await run(codeServerNode, args, { env: environment(sandbox, options) });
  const installed = stdout.match(/was successfully installed/g)?.length ?? 0;
  if (installed !== options.extensions.length) throw new Error(`not all were installed: ${stdout}${stderr}`);
}

function folders(sandbox: Sandbox): string[] {
  return ['--extensions-dir', join(sandbox.root, 'extensions'), '--user-data-dir', join(sandbox.root, 'data')];
}

function environment(sandbox: Sandbox, options: ServerOptions): Record<string, string> {
  return { ...sandbox.env, ...options.env };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
