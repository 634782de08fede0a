// Makes the pictures of the README from the real page: node test/browser/screenshots.ts [folder] [--all] [--narrow]
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { Workbench } from '../../packages/cli/src/workbench/workbench.ts';
import { WorkbenchEditor } from '../../packages/cli/src/workbench/workbench-editor.ts';
import { Companion } from '../../packages/core/src/index.ts';
import { HttpAgent } from '../support/http-agent.ts';
import { SocketAgent } from '../support/socket-agent.ts';
import { ASSETS, connected, launch } from './support/browser.ts';
import { content, messages, nextReview, panelButton, press, review, row, shows, tab } from './support/steps.ts';

const [given = join(import.meta.dirname, '../../docs/images')] = process.argv
  .slice(2)
  .filter((arg) => !arg.startsWith('-'));
const folder = resolve(given);
const narrow = process.argv.includes('--narrow');
/** More than the README shows, for a look at everything. */
const all = narrow || process.argv.includes('--all');

const BEFORE = `import { readFile } from 'node:fs/promises';
import { parse } from './parse.ts';

export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly retries: number;
}

const DEFAULTS: Settings = { port: 8080, host: 'localhost', retries: 3 };

/** Reads the settings of a project, or gives the defaults. */
export async function readSettings(path: string): Promise<Settings> {
  const text = await readFile(path, 'utf8');
  const settings = parse(text);
  return { ...DEFAULTS, ...settings };
}

export function describe(settings: Settings): string {
  return settings.host + ':' + settings.port;
}
`;
const AFTER = BEFORE.replace(
  '  readonly retries: number;\n',
  '  readonly retries: number;\n  readonly timeoutMs: number;\n',
)
  .replace('retries: 3 }', 'retries: 3, timeoutMs: 5_000 }')
  .replace(
    "  const text = await readFile(path, 'utf8');\n  const settings = parse(text);\n  return { ...DEFAULTS, ...settings };",
    "  const text = await readFile(path, 'utf8').catch(() => '');\n  return { ...DEFAULTS, ...parse(text) };",
  )
  .replace("settings.host + ':' + settings.port", "[settings.host, settings.port].join(':')");

const FILES: Readonly<Record<string, string>> = {
  '.gitignore': 'node_modules\ndist\n',
  'README.md': '# harbour\n',
  'package.json': '{\n  "name": "harbour",\n  "type": "module"\n}\n',
  'src/main.ts': "import { readSettings } from './settings.ts';\n\nconsole.log(await readSettings('harbour.json'));\n",
  'src/parse.ts': 'export const parse = JSON.parse;\n',
  'src/settings.ts': BEFORE,
  'test/settings.test.ts': "import { test } from 'node:test';\n",
};

const root = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-pictures-')));
const workspace = join(root, 'harbour');
for (const [name, text] of Object.entries(FILES)) {
  mkdirSync(dirname(join(workspace, name)), { recursive: true });
  writeFileSync(join(workspace, name), text);
}
for (const name of ['home', 'tmp']) mkdirSync(join(root, name), { mode: 0o700 });
mkdirSync(folder, { recursive: true });

process.chdir(workspace); // where the agents say they work
const editor = new WorkbenchEditor('Tandem', [workspace]);
const companion = new Companion({ editor, places: { home: join(root, 'home'), tmp: join(root, 'tmp'), env: {} } });
await companion.start();
const workbench = new Workbench(companion, editor, undefined, ASSETS);
await workbench.start();
const browser = await launch();
const token = (dialect: string) => {
  const file = companion.published.find((each) => each.dialect.id === dialect)?.files[0] ?? '';
  return JSON.parse(readFileSync(file, 'utf8')).authToken;
};
const agents = [
  new HttpAgent(companion.port, token('gemini')),
  new HttpAgent(companion.port, token('qwen')),
  new SocketAgent(companion.port, token('claude')),
] as const;

try {
  for (const agent of agents) await agent.connect();
  for (const colorScheme of ['light', 'dark'] as const) await pictures(colorScheme);
} finally {
  await browser.close();
  agents[2].socket.terminate();
  agents[0].drop();
  agents[1].drop();
  await workbench.stop();
  await companion.stop();
  rmSync(root, { recursive: true, force: true });
}

async function pictures(colorScheme: 'light' | 'dark'): Promise<void> {
  const viewport = narrow ? { width: 480, height: 720 } : { width: 1280, height: 720 };
  const context = await browser.newContext({ viewport, colorScheme, locale: 'en-GB', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(workbench.invite());
  await connected(page);
  const take = (name: string) => page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
  const panel = async (name: string) => {
    if ((await panelButton(page, name).getAttribute('aria-pressed')) !== 'true') await panelButton(page, name).click();
    await page.getByRole('complementary', { name }).waitFor();
  };
  if (narrow) {
    await panel('Files');
    await take('files');
  }
  await edit(page, panel);
  await take('editor');

  const proposal = { filePath: join(workspace, 'src/settings.ts'), newContent: AFTER };
  await agents[0].call('openDiff', proposal);
  await shows('announced', messages(page), 'proposes a change');
  if (all) await take('announced');
  if (!narrow) await panel('Reviews');
  await nextReview(page);
  await shows('compared', review(page), 'of ');
  await quiet(page);
  await press(page, 'F7');
  await review(page).getByRole('button', { name: 'Accept', disabled: false }).waitFor();
  await take('review');
  await agents[0].call('closeDiff', { filePath: proposal.filePath, suppressNotification: true });
  await page.getByRole('button', { name: 'Back to the text' }).click();

  await quiet(page);
  await panel('Agents');
  await take('agents');
  await panel('Context');
  if (all) await take('context');
  await page.getByRole('button', { name: 'Send to Claude Code' }).click();
  await shows('sent', messages(page), 'sent');
  await page.getByRole('button', { name: 'Show what was sent' }).click();
  await page.locator('.ledger details').first().locator('summary').click();
  await quiet(page);
  await take('ledger');
  await context.close();
}

async function quiet(page: Page): Promise<void> {
  const dismiss = messages(page).getByRole('button', { name: 'Dismiss' });
  while ((await dismiss.count()) > 0) await dismiss.first().click();
}

async function edit(page: Page, panel: (name: string) => Promise<void>): Promise<void> {
  await panel('Files');
  if ((await row(page, 'main.ts').count()) === 0) await row(page, 'src').click();
  await row(page, 'main.ts').dblclick();
  await tab(page, 'main.ts').waitFor();
  await panel('Files');
  await row(page, 'settings.ts').dblclick();
  await tab(page, 'settings.ts').waitFor();
  await content(page).click();
  await press(page, 'Control+Home');
  for (let i = 0; i < 12; i++) await press(page, 'ArrowDown');
  await press(page, 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+End');
  await page.locator('.cm-selectionBackground').first().waitFor();
}
