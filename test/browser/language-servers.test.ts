import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Message } from '../support/http-agent.ts';
import type { SocketAgent } from '../support/socket-agent.ts';
import { until } from '../support/world.ts';
import { installLanguageServers } from './support/install-language-servers.ts';
import { isRunning, startLanguageBench } from './support/language-bench.ts';

const SLOW = 30_000;
const ERROR = '.cm-lintRange-error';

before(installLanguageServers);

async function diagnostics(agent: SocketAgent, uri?: string): Promise<Message[]> {
  const [text = ''] = await agent.texts('getDiagnostics', uri === undefined ? {} : { uri });
  return JSON.parse(text);
}

/** The errors of one file; warnings and hints are a matter of a server's taste. */
async function errors(agent: SocketAgent, path: string): Promise<Message[]> {
  const files = await diagnostics(agent);
  const file = files.find((each) => each.uri === `file://${path}`);
  return (file?.diagnostics ?? []).filter((each: Message) => each.severity === 'Error');
}

async function open(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).or(page.getByRole('treeitem', { name })).first().click();
  await page.locator(`.cm-content[aria-label$="${name}"]`).waitFor();
}

/** Puts the caret at the end of the text. */
async function typeAtEnd(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content:visible').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
}

test('a type error is seen in the page and by Claude, and fixing it takes it away', async (t) => {
  const bench = await startLanguageBench(t, {
    files: {
      'my file.ts': 'const text = "a";\nconst count: number = text;\nexport { count };\n',
      // What the project brings along is not run.
      'node_modules/typescript/package.json': '{"name": "typescript", "version": "5.9.3"}',
      'node_modules/typescript/lib/tsserver.js': 'require("fs").writeFileSync(__dirname + "/ran", "");',
    },
  });
  const { page } = bench;
  const path = join(bench.world.workspace, 'my file.ts');
  await open(page, 'my file.ts');
  await page.locator(ERROR).waitFor({ timeout: SLOW });
  assert.equal(await page.locator(ERROR).textContent(), 'count');
  assert.equal(await page.locator('.cm-lint-marker-error').count(), 1);
  assert.equal(existsSync(join(bench.world.workspace, 'node_modules/typescript/lib/ran')), false);

  const agent = await bench.claude();
  const expected = {
    message: "Type 'string' is not assignable to type 'number'.",
    severity: 'Error',
    range: { start: { line: 1, character: 6 }, end: { line: 1, character: 11 } },
    source: 'typescript',
    code: '2322',
  };
  assert.deepEqual(await errors(agent, path), [expected]);
  const [one] = await diagnostics(agent, `file://${path}`);
  assert.equal(one.uri, `file://${path}`);
  assert.deepEqual(one.diagnostics, [expected]);

  const second = await page.context().newPage();
  await second.goto(new URL('/', bench.ready.url).href);
  await open(second, 'my file.ts');
  await second.locator(ERROR).waitFor();
  await second.close();

  await page.getByRole('button', { name: /1 error, 0 warnings/ }).click();
  const problem = page.locator('.problem');
  assert.match((await problem.textContent()) ?? '', /Type 'string' is not assignable.*typescript · 2322 · line 2/);
  await page.keyboard.press('Control+Home');
  await problem.click();
  await page.keyboard.type('amount: number = 1, count');
  await page.locator(ERROR).waitFor({ state: 'visible', timeout: SLOW });
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('export const count: number = 1;');
  await page.locator(ERROR).waitFor({ state: 'detached', timeout: SLOW });
  await until('nothing for Claude', async () => (await diagnostics(agent)).length === 0);
  await page.getByText('No problems.').waitFor();
  assert.deepEqual(bench.complaints, []);
});

test('an error that an accepted write brings is reported before Claude stops waiting', async (t) => {
  const good = 'export const count: number = 1;\n';
  const bad = 'export const count: number = "one";\n';
  const bench = await startLanguageBench(t, { files: { 'open.ts': good, 'closed.ts': good, 'other.ts': bad } });
  await open(bench.page, 'open.ts');
  await open(bench.page, 'other.ts'); // its error says that the server is awake
  await bench.page.locator(ERROR).waitFor({ timeout: SLOW });
  const agent = await bench.claude();
  for (const name of ['open.ts', 'closed.ts', 'new.ts']) {
    const path = join(bench.world.workspace, name);
    const asked = agent.ask('tools/call', {
      name: 'openDiff',
      arguments: { old_file_path: path, new_file_path: path, new_file_contents: bad, tab_name: `tab ${name}` },
    });
    await bench.page.getByText(name).first().waitFor();
    await until('the review', async () =>
      bench
        .accept()
        .then(() => true)
        .catch(() => false),
    );
    const answer = await until('the answer', () => agent.answerTo(asked));
    assert.equal(answer.result.content[0].text, 'FILE_SAVED');
    writeFileSync(path, bad);
    const begun = Date.now();
    const found = await errors(agent, path);
    assert.equal(found.length, 1, `${name} after ${Date.now() - begun} ms`);
    assert.deepEqual(found[0].range.start, { line: 0, character: 13 });
    assert.ok(Date.now() - begun < 2000, `${name} took ${Date.now() - begun} ms`);
  }
  await bench.page.close();
  const path = join(bench.world.workspace, 'open.ts');
  writeFileSync(path, good);
  await until('no error without a page', async () => (await errors(agent, path)).length === 0, SLOW);
});

test('python with pyright, and problems of a file that is never shared stay here', async (t) => {
  const bad = 'def size(word: str) -> int:\n    return word\n';
  const bench = await startLanguageBench(t, { files: { 'a.py': bad, '.env.py': bad } });
  const { page, world } = bench;
  await open(page, '.env.py');
  await page.locator(ERROR).waitFor({ timeout: SLOW });
  const agent = await bench.claude();
  const secret = join(world.workspace, '.env.py');
  assert.deepEqual(await diagnostics(agent), []);
  assert.deepEqual(await diagnostics(agent, `file://${secret}`), []);

  await open(page, 'a.py');
  await page.locator(`${ERROR}:visible`).first().waitFor({ timeout: SLOW });
  const path = join(world.workspace, 'a.py');
  const found = await until('an error', async () => (await errors(agent, path))[0], SLOW);
  assert.deepEqual(found.range, { start: { line: 1, character: 11 }, end: { line: 1, character: 15 } });
  assert.equal(found.source, 'Pyright');
  assert.equal((await diagnostics(agent)).length, 1);
  assert.deepEqual(bench.complaints, []);
});

test('without a server there is a quiet hint and no error', async (t) => {
  const bench = await startLanguageBench(t, { servers: false, files: { 'a.py': 'x = (\n' } });
  const { page } = bench;
  await open(page, 'a.py');
  await page.getByText('no pyright-langserver').waitFor();
  assert.equal(await page.locator('.toast').count(), 0);
  await page.locator('.problem-count').click();
  await page.getByText('npm install -g pyright').waitFor();
  const agent = await bench.claude();
  assert.deepEqual(await diagnostics(agent), []);
  assert.deepEqual(bench.complaints, []);
});

test('a server that is killed comes back, and stopping leaves no process', async (t) => {
  const bench = await startLanguageBench(t, { files: { 'a.ts': 'export const a: number = "";\n' } });
  const { page } = bench;
  await open(page, 'a.ts');
  await page.locator(ERROR).waitFor({ timeout: SLOW });
  const server = bench.processes().find(({ command }) => command.includes('typescript-language-server'));
  assert.ok(server);
  process.kill(server.pid, 'SIGKILL');
  await page
    .getByText(/typescript-language-server stopped \(SIGKILL\)/)
    .first()
    .waitFor();
  await typeAtEnd(page, 'export const b: string = 1;\n');
  await until('both errors', async () => (await page.locator(ERROR).count()) === 2, SLOW);
  const left = bench.processes();
  assert.ok(left.length >= 2);
  await bench.stop();
  for (const { pid, command } of left) await until(`the end of ${command}`, () => !isRunning(pid), 1000);
});

test('hover, completion, definition, references, rename and formatting', async (t) => {
  const bench = await startLanguageBench(t, {
    files: {
      'lib.ts':
        '/** Says <img src="x" onerror="alert(1)"> hello **loudly**. */\nexport function greeting(name: string) {\n  return name;\n}\n',
      'main.ts': 'import { greeting } from "./lib";\ngreeting("x");\n',
    },
  });
  const { page } = bench;
  await open(page, 'main.ts');
  const word = page.locator('.cm-line', { hasText: 'greeting("x")' });
  const hover = page.locator('.cm-tooltip-hover');
  await until(
    'a hover',
    async () => {
      await page.mouse.move(0, 0);
      await word.hover({ position: { x: 20, y: 8 } });
      // While the project loads, less is known.
      return hover
        .getByText('greeting(name: string): string')
        .waitFor({ timeout: 1500 })
        .then(
          () => true,
          () => false,
        );
    },
    SLOW,
  );
  assert.equal(await hover.locator('strong').textContent(), 'loudly');
  assert.equal(await hover.locator('img').count(), 0);
  await page.mouse.move(0, 0);

  await typeAtEnd(page, 'greet');
  const option = page.locator('.cm-tooltip-autocomplete li', { hasText: 'greeting' }).first();
  await option.waitFor({ timeout: SLOW });
  await page.keyboard.press('Escape');

  await word.click({ position: { x: 20, y: 8 } });
  await page.keyboard.press('F12');
  await page.locator('.cm-content[aria-label$="lib.ts"]').waitFor();
  await until('the caret at the definition', async () =>
    (await page.locator('.status').textContent())?.includes('2:17'),
  );

  await page.keyboard.press('Shift+F12');
  await page.getByText('3 places').waitFor({ timeout: SLOW });
  await page.locator('.cm-content:visible').focus();
  await page.keyboard.press('F2');
  await page.locator('.cm-panel input[name=name]').fill('salute');
  await page.keyboard.press('Enter');
  await page.getByText('Renamed in 2 files').waitFor({ timeout: SLOW });
  await page.getByText('export function salute(').waitFor();
  await page.getByRole('tab', { name: 'main.ts' }).click();
  await page.getByText('import { salute } from').waitFor();

  await typeAtEnd(page, ';\nif(true){salute(  "y" )');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+Alt+f');
  await page.getByText('if (true) { salute("y") }').waitFor({ timeout: SLOW });
  assert.deepEqual(bench.complaints, []);
});
