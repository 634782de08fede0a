import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { tandem } from '../../support/command.ts';
import type { Message } from '../../support/http-agent.ts';
import { SocketAgent } from '../../support/socket-agent.ts';
import { createWorld, until, type World } from '../../support/world.ts';
import { SERVER_PATH } from './install-language-servers.ts';

const DIST = process.env.TANDEM_DIST ?? join(import.meta.dirname, '..', '..', '..', 'packages', 'cli', 'dist');
const NODE = process.env.TANDEM_NODE ?? process.execPath;

export interface LanguageBench {
  readonly world: World;
  readonly page: Page;
  readonly child: ChildProcess;
  readonly ready: Message;
  /** What the page complained of. */
  readonly complaints: string[];
  claude(): Promise<SocketAgent>;
  /** The language servers that the workbench has started, with all they have started. */
  processes(): { pid: number; command: string }[];
  accept(): Promise<void>;
  stop(): Promise<void>;
}

export interface Options {
  readonly servers?: boolean;
  readonly files: Readonly<Record<string, string>>;
}

/** The built `tandem workbench` with real language servers on its PATH, and a browser that has its page open. */
export async function startLanguageBench(t: TestContext, options: Options): Promise<LanguageBench> {
  let child: ChildProcess | undefined;
  let browser: Browser | undefined;
  t.after(async () => {
    await browser?.close();
    child?.kill('SIGTERM');
    await until('the end of the workbench', () => child === undefined || child.exitCode !== null || child.signalCode);
  });
  const world = createWorld(t);
  for (const [name, text] of Object.entries(options.files)) world.file(name, text);
  const env = {
    HOME: world.home,
    TMPDIR: world.tmp,
    PATH: [...(options.servers === false ? [] : SERVER_PATH), '/usr/bin', '/bin'].join(':'),
  };
  child = spawn(NODE, [join(DIST, 'tandem.js'), 'workbench', '--json'], {
    cwd: world.workspace,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const running = child;
  let output = '';
  running.stdout?.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  const ready: Message = JSON.parse(
    await until('the ready event', () => output.split('\n').find((line) => line.includes('"ready"')), 20_000),
  );
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const complaints: string[] = [];
  // Chromium itself tries to style what is typed over a selection, and is not allowed to.
  const own = (text: string) => !text.startsWith('Applying inline style violates');
  page.on('console', (message) => message.type() === 'error' && own(message.text()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(ready.url);
  await page.waitForSelector('text=connected');
  return {
    world,
    page,
    child: running,
    ready,
    complaints,
    claude: () => {
      const file = ready.dialects.find(
        (each: Message) => each.id === 'claude' || each.dialect === 'claude',
      ).discoveryFile;
      return new SocketAgent(ready.port, JSON.parse(readFileSync(file, 'utf8')).authToken).connect();
    },
    processes: () => descendants(running.pid ?? 0),
    async accept() {
      const { code, stderr } = await tandem(world, ['review', 'accept']);
      if (code !== 0) throw new Error(stderr);
    },
    async stop() {
      running.kill('SIGTERM');
      await until('the end of the workbench', () => running.exitCode !== null, 10_000);
    },
  };
}

/** One that has ended and was not fetched by its parent yet counts as gone. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2)[0] !== 'Z';
  } catch {
    return false;
  }
}

function descendants(root: number): { pid: number; command: string }[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (state === 'Z') return [];
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return [{ pid: Number(name), parent: Number(parent), command }];
      } catch {
        return []; // gone meanwhile
      }
    });
  const found: { pid: number; command: string }[] = [];
  for (let parents = [root]; parents.length > 0; ) {
    const children = all.filter(({ parent }) => parents.includes(parent));
    found.push(...children.map(({ pid, command }) => ({ pid, command })));
    parents = children.map(({ pid }) => pid);
  }
  return found;
}
