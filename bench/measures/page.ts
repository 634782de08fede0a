import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from 'playwright-core';
import { HttpAgent } from '../../test/support/http-agent.ts';
import { until } from '../../test/support/world.ts';
import { type Bundles, dist, userNode } from '../bundles.ts';
import { NOISE, type Row } from '../rows.ts';
import { median, sleep } from '../stats.ts';

const CHROMIUM = '/usr/bin/chromium';
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
];
const LINES = 10_000;
/** A task longer than this is felt as a hitch; the browser's own measure of a long task is 50 ms. */
const FREEZE_MS = 200;

/** The workbench in a real browser: what it loads, how soon it is there, and how it bears large reviews and typing. */
export async function page(_bundles: Bundles, quick: boolean): Promise<Row[]> {
  if (!existsSync(CHROMIUM)) {
    process.stderr.write(`page: left out, because ${CHROMIUM} is not installed\n`);
    return [];
  }
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-bench-page-')));
  const bench = await Bench.start(root);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
  try {
    return [
      ...(await loading(bench, browser, quick ? 3 : 9)),
      ...(await reviews(bench, browser)),
      ...(await typing(bench, browser, quick ? 60 : 200)),
    ];
  } finally {
    await browser.close();
    await bench.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

/** `tandem workbench` with a large file, and an agent at its other side. */
class Bench {
  readonly workspace: string;
  readonly #child: ReturnType<typeof spawn>;
  readonly #ready: { url: string; port: number; dialects: { dialect: string; discoveryFile: string }[] };
  readonly #env: Record<string, string>;
  #used = false;

  private constructor(workspace: string, child: ReturnType<typeof spawn>, ready: never, env: Record<string, string>) {
    this.workspace = workspace;
    this.#child = child;
    this.#ready = ready;
    this.#env = env;
  }

  static async start(root: string): Promise<Bench> {
    const [home, tmp, workspace] = ['home', 'tmp', 'ws'].map((name) => join(root, name)) as [string, string, string];
    for (const folder of [home, tmp, workspace]) mkdirSync(folder);
    writeFileSync(join(workspace, 'large.ts'), text());
    const env = { HOME: home, TMPDIR: tmp, PATH: '/usr/bin:/bin' };
    const child = spawn(userNode, [join(dist, 'tandem.js'), 'workbench', '--json'], {
      cwd: workspace,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    await until('the workbench', () => output.includes('\n'), 10_000);
    return new Bench(workspace, child, JSON.parse(output.split('\n', 1)[0] ?? '') as never, env);
  }

  /** A page of its own, let in by a code of its own. */
  async open(browser: Browser): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
    const opened = await context.newPage();
    await opened.addInitScript({ content: WATCH_LONG_TASKS });
    await opened.goto(this.#used ? await this.#address() : this.#ready.url);
    this.#used = true;
    await opened.getByText('connected', { exact: true }).waitFor();
    return opened;
  }

  async agent(): Promise<HttpAgent> {
    const file = this.#ready.dialects.find((each) => each.dialect === 'gemini')?.discoveryFile ?? '';
    return new HttpAgent(this.#ready.port, JSON.parse(readFileSync(file, 'utf8')).authToken).connect();
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    await ended;
  }

  #address(): Promise<string> {
    const child = spawn(userNode, [join(dist, 'tandem.js'), 'workbench', '--url'], {
      cwd: this.workspace,
      env: this.#env,
    });
    return new Promise((resolve) => child.stdout.once('data', (chunk) => resolve(String(chunk).trim())));
  }
}

/** Runs in the page, before anything of it; as text, because it is written for another world than this file. */
const WATCH_LONG_TASKS = `
  globalThis.longTasks = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) longTasks.push(entry.duration);
  }).observe({ entryTypes: ['longtask'] });
`;

const WATCH_KEYS = `
  globalThis.keyTimes = [];
  addEventListener('keydown', () => {
    const at = performance.now();
    requestAnimationFrame(() => setTimeout(() => keyTimes.push(performance.now() - at)));
  }, true);
`;

async function loading(bench: Bench, browser: Browser, samples: number): Promise<Row[]> {
  const times: number[] = [];
  let loaded: string[] = [];
  for (let i = 0; i < samples; i += 1) {
    const opened = await bench.open(browser);
    times.push(await opened.evaluate(() => performance.now()));
    loaded = await opened.evaluate(() =>
      performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname),
    );
    await opened.context().close();
  }
  const files = ['index.html', ...new Set(loaded)]
    .map((path) => join(dist, 'page', path))
    .filter((path) => existsSync(path) && /\.(js|css|html)$/.test(path));
  const gzipped = files.reduce((sum, path) => sum + gzipSync(readFileSync(path)).length, 0) / 1024;
  return [
    {
      id: 'page-bytes',
      measure: 'page: code before it can be used, gzip',
      unit: 'KB',
      ours: gzipped,
      bar: { max: 250, tolerance: NOISE.none },
      samples: 1,
      note: `${files.length} files; ${readdirSync(join(dist, 'page', 'chunks')).length} more load on demand`,
    },
    { id: 'page-ready', measure: 'page: from address to connected', unit: 'ms', ours: median(times), samples },
  ];
}

/** Every change must be found, and no task may freeze the page while it is. */
async function reviews(bench: Bench, browser: Browser): Promise<Row[]> {
  const rows: Row[] = [];
  const agent = await bench.agent();
  const opened = await bench.open(browser);
  for (const [id, count, every] of [
    ['200', 200, LINES / 200],
    ['5000', 5000, 2],
  ] as const) {
    await agent.call('openDiff', { filePath: join(bench.workspace, 'large.ts'), newContent: text(every) });
    const begun = Date.now();
    const shown = opened.getByText(new RegExp(`of ${count} changes`));
    await shown.waitFor({ timeout: 20_000 });
    const ms = Date.now() - begun;
    await sleep(300);
    const tasks: number[] = await opened.evaluate(() =>
      (globalThis as unknown as { longTasks: number[] }).longTasks.splice(0),
    );
    await opened.keyboard.press('Control+Shift+Backspace');
    await until('the rejection', () => agent.notified('ide/diffRejected').length > rows.length / 2);
    const name = `page: review of ${LINES.toLocaleString('en')} lines, ${count.toLocaleString('en')} changes`;
    rows.push({
      id: `page-review-${id}`,
      measure: `${name}, all shown`,
      unit: 'ms',
      ours: ms,
      samples: 1,
      ...(count === 200 ? { bar: { max: 1000, tolerance: 0.5 } } : {}),
      note: 'from the agent’s proposal to the count on the screen',
    });
    rows.push({
      id: `page-freeze-${id}`,
      measure: `${name}, longest task`,
      unit: 'ms',
      ours: Math.max(0, ...tasks),
      samples: 1,
      bar: { max: FREEZE_MS, tolerance: 1 },
      note: 'the bar is for a quiet machine; twice that fails',
    });
  }
  agent.drop();
  await opened.context().close();
  return rows;
}

/** From a key to the frame after it, in a large file, while ten changes of context a second go to an agent. */
async function typing(bench: Bench, browser: Browser, keys: number): Promise<Row[]> {
  const agent = await bench.agent();
  const opened = await bench.open(browser);
  await opened.getByRole('treeitem', { name: 'large.ts' }).dblclick();
  await opened.locator('.cm-content').first().click();
  await opened.evaluate(WATCH_KEYS);
  const before = agent.contexts.length;
  for (let i = 0; i < keys; i += 1) {
    await opened.keyboard.press('x');
    await sleep(50);
  }
  const times: number[] = await opened.evaluate('keyTimes');
  const sent = agent.contexts.length - before;
  agent.drop();
  await opened.context().close();
  return [
    {
      id: 'page-typing',
      measure: `page: key to frame in ${LINES.toLocaleString('en')} lines, p50`,
      unit: 'ms',
      ours: median(times),
      samples: times.length,
      bar: { max: 33, tolerance: 1 },
      note: `${sent} updates left for the agent meanwhile; two frames are the bar`,
    },
  ];
}

/** The large file; with `every`, each so-manieth line is changed. */
function text(every?: number): string {
  const changed = (i: number) => every !== undefined && i % every === 0;
  const lines = Array.from({ length: LINES }, (_, i) => `compute(${i}${changed(i) ? ", 'changed'" : ''})`);
  return lines.map((call, i) => `export const value${i} = ${call};\n`).join('');
}
