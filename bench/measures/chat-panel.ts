import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium, type Page } from 'playwright-core';
import { until } from '../../test/support/world.ts';
import { type Bundles, dist, userNode } from '../bundles.ts';
import { NOISE, type Row } from '../rows.ts';

const CHROMIUM = '/usr/bin/chromium';
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];
const AGENT = join(import.meta.dirname, '../hosts/chat-agent.ts');
/** A task longer than this is felt as a hitch. */
const FREEZE_MS = 200;

/** The chat panel in a real browser, with an agent behind it that says as much as it can. */
export async function chatPanel(_bundles: Bundles, quick: boolean): Promise<Row[]> {
  if (!existsSync(CHROMIUM)) {
    process.stderr.write(`chat-panel: left out, because ${CHROMIUM} is not installed\n`);
    return [];
  }
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-bench-chat-')));
  const bench = await workbench(root);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    await page.addInitScript({ content: WATCH_LONG_TASKS });
    await page.goto(bench.url);
    await page.getByText('connected', { exact: true }).waitFor();
    const loaded = await opened(page);
    return [loaded, ...(await stream(page, quick ? 5000 : 20_000)), ...(await history(page, 10_000))];
  } finally {
    await browser.close();
    await bench.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

/** `tandem workbench` whose user has one agent of their own in the settings. */
async function workbench(root: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const [home, tmp, cwd] = ['home', 'tmp', 'ws'].map((name) => join(root, name)) as [string, string, string];
  for (const folder of [home, tmp, cwd, join(home, '.tandem')]) mkdirSync(folder, { mode: 0o700 });
  const settings = { 'chat.agents': { Bench: [process.execPath, AGENT] } };
  writeFileSync(join(home, '.tandem', 'settings.json'), JSON.stringify(settings));
  const env = { HOME: home, TMPDIR: tmp, PATH: '/usr/bin:/bin' };
  const child = spawn(userNode, [join(dist, 'tandem.js'), 'workbench', '--json'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await until('the workbench', () => output.includes('\n'), 10_000);
  return {
    url: JSON.parse(output.split('\n', 1)[0] ?? '').url,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const WATCH_LONG_TASKS = `
  globalThis.longTasks = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) longTasks.push(entry.duration);
  }).observe({ entryTypes: ['longtask'] });
`;

const resources = (page: Page) =>
  page.evaluate(`performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname)`) as Promise<
    string[]
  >;
const longest = async (page: Page) => Math.max(0, ...((await page.evaluate('longTasks.splice(0)')) as number[]));

/** What the first look at the panel loads; the page without it must not pay for it. */
async function opened(page: Page): Promise<Row> {
  const before = new Set(await resources(page));
  await page.keyboard.press('Alt+6');
  await page.getByRole('button', { name: 'Start Bench' }).click();
  await page.getByRole('textbox', { name: 'Message to Bench' }).waitFor();
  await page.getByText('Bench · connected').waitFor();
  const files = [...new Set(await resources(page))].filter((path) => !before.has(path) && /\.(js|css)$/.test(path));
  const gzipped = files.reduce((sum, path) => sum + gzipSync(readFileSync(join(dist, 'page', path))).length, 0) / 1024;
  return {
    id: 'chat-panel-bytes',
    measure: 'chat panel: code that loads when it is first opened, gzip',
    unit: 'KB',
    ours: gzipped,
    bar: { max: 80, tolerance: NOISE.none },
    samples: 1,
    note: `${files.length} files; nothing of it with the page`,
  };
}

async function ask(page: Page, prompt: string): Promise<number> {
  await longest(page);
  await page.getByRole('textbox', { name: 'Message to Bench' }).fill(prompt);
  const begun = Date.now();
  await page.keyboard.press('Enter');
  await page.getByRole('log').getByText(`the end of ${prompt}`).waitFor({ timeout: 120_000 });
  return Date.now() - begun;
}

async function stream(page: Page, count: number): Promise<Row[]> {
  const ms = await ask(page, `words ${count}`);
  return [
    {
      id: 'chat-panel-event',
      measure: `chat panel: one of ${count.toLocaleString('en')} pieces of a message, from the agent’s pipe to the screen`,
      unit: 'µs',
      ours: (ms * 1000) / count,
      samples: count,
      bar: { max: 500, tolerance: 1 },
      note: `${Math.round(count / (ms / 1000)).toLocaleString('en')} events a second, all drawn`,
    },
    {
      id: 'chat-panel-freeze',
      measure: 'chat panel: the same, longest task of the page',
      unit: 'ms',
      ours: await longest(page),
      samples: 1,
      bar: { max: FREEZE_MS, tolerance: 1 },
      note: 'the bar is for a quiet machine; twice that fails',
    },
  ];
}

async function history(page: Page, count: number): Promise<Row[]> {
  const before = await heap(page);
  await ask(page, `items ${count}`);
  const shown = await page.getByRole('log').locator('article, .fold').count();
  const grown = (await heap(page)) - before;
  await page.reload();
  const begun = Date.now();
  await page.getByRole('log').getByText(`the end of items ${count}`).waitFor({ timeout: 60_000 });
  const ms = Date.now() - begun;
  const name = `chat panel: ${count.toLocaleString('en')} messages and tool calls`;
  return [
    {
      id: 'chat-panel-memory',
      measure: `${name}, memory of the page`,
      unit: 'MB',
      ours: grown,
      samples: 1,
      bar: { max: 40, tolerance: 0.25 },
      note: `after a collection; ${shown} of them are drawn`,
    },
    { id: 'chat-panel-reload', measure: `${name}, shown after a reload`, unit: 'ms', ours: ms, samples: 1 },
    {
      id: 'chat-panel-reload-freeze',
      measure: `${name}, longest task of that`,
      unit: 'ms',
      ours: await longest(page),
      samples: 1,
      bar: { max: FREEZE_MS, tolerance: 1 },
    },
  ];
}

/** What is left after a collection. */
async function heap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1024 / 1024;
}
