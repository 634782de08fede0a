// One door for every npm script. Runs on the Node that is there (20 or newer) and needs nothing installed: each task
// first makes sure that what it needs is installed and built, and says so when that takes a while.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { need } from './need.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const bin = join(root, 'node_modules', '.bin');
const [task, ...args] = process.argv.slice(2);
const exe = process.platform === 'win32' ? '.cmd' : '';

const TASKS = {
  build: () => build({ always: true }),
  start: async () => {
    await build({});
    // INIT_CWD is where the person stood when they typed npm start.
    await run(systemNode(), [join(root, 'packages/cli/dist/tandem.js'), 'workbench', ...args], {
      cwd: process.env.INIT_CWD ?? root,
    });
  },
  test: async () => {
    await build({});
    await needOrSay(['python3-ipykernel', 'zsh', 'fish']);
    await toolNode([
      '--test',
      ...testFlags(),
      '--test-concurrency=3', // most of the time they wait for processes
      ...(args.length > 0 ? args : ['packages/*/test/**/*.test.ts', 'editors/*/test/**/*.test.ts', 'test/*.test.ts']),
    ]);
  },
  'test:browser': async () => {
    await build({});
    await needOrSay(['chromium', 'python3-ipykernel']);
    await toolNode([
      '--test',
      ...testFlags(),
      '--test-concurrency=1',
      ...(args.length > 0 ? args : ['test/browser/**/*.test.ts']),
    ]);
  },
  'test:agents': async () => {
    await build({});
    await toolNode(['test/agents/run.ts', ...args]);
  },
  package: () => pack(args),
  'test:editors': async () => {
    await pack([]);
    await needOrSay(['chromium', 'tmux', 'procps', 'python3-ipykernel']);
    await toolNode(['test/editors/run.ts', ...args]);
  },
  bench: async () => {
    await build({});
    await toolNode(['bench/run.ts', ...args]);
  },
  check: async () => {
    await install();
    await step('format and lint', () => run(join(bin, `biome${exe}`), ['ci', '.']));
    await step('types', () => run(join(bin, `tsc${exe}`), ['-p', '.']));
    await step('types of the page', () => run(join(bin, `tsc${exe}`), ['-p', 'packages/ui']));
    await step('unit tests', () => TASKS.test());
    await step('requirements', () => toolNode(['scripts/gate.ts']));
  },
};

async function install() {
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs) return;
  await quietly('installing dependencies', `npm${exe}`, ['ci', '--no-audit', '--no-fund']);
}

async function build({ always = false }) {
  await install();
  const built = join(root, 'packages/cli/dist/tandem.js');
  const sources = [
    ...['core', 'client', 'chat', 'cli', 'ui'].map((name) => `packages/${name}/src`),
    'scripts/build.mjs',
    'package-lock.json',
  ];
  const newest = Math.max(...sources.map((source) => newestIn(join(root, source))));
  if (!always && existsSync(built) && statSync(built).mtimeMs > newest) return;
  await quietly('building', join(bin, 'node'), ['scripts/build.mjs']);
}

async function pack(packArgs) {
  await build({});
  await toolNode(['editors/vscode/package.ts', ...packArgs]);
}

/** Without it some tests fail and say why; the others are worth running. */
function needOrSay(packages) {
  return need(packages).catch((error) => console.error(error.message));
}

function newestIn(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}

/** The toolchain's own Node runs TypeScript as it is. */
function toolNode(nodeArgs) {
  return run(join(bin, 'node'), nodeArgs, { env: { ...process.env, TANDEM_NODE: systemNode() } });
}

/** The Node the person has, which is the one the product must run on. */
function systemNode() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? process.execPath;
}

/** A test that hangs fails, and says which one it was. No test is near this, and no group of them either. */
function testFlags() {
  return ['--test-timeout=300000', ...(process.env.CI ? ['--test-reporter=spec'] : [])];
}

async function step(name, work) {
  const begun = Date.now();
  console.log(`▸ ${name}`);
  await work();
  console.log(`  ${name} passed (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
}

/** Shows that it works, and its output only if it fails. */
async function quietly(what, command, commandArgs) {
  const begun = Date.now();
  const seconds = () => `${Math.round((Date.now() - begun) / 1000)} s`;
  process.stderr.write(`${what}…\n`);
  const tick = process.stderr.isTTY
    ? setInterval(() => process.stderr.write(`\r${what}… ${seconds()} `), 1000)
    : undefined;
  const output = [];
  const child = spawn(command, commandArgs, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  const code = await new Promise((resolve) => child.on('exit', resolve).on('error', () => resolve(1)));
  clearInterval(tick);
  if (code === 0)
    return void process.stderr.write(`${process.stderr.isTTY ? '\r' : ''}${what}: done in ${seconds()}\n`);
  process.stderr.write(`${Buffer.concat(output)}\n${what} failed\n`);
  process.exit(1);
}

/** Ends this process with the child's own exit code if it fails; signals go to the child, which the terminal has told too. */
function run(command, commandArgs, options = {}) {
  const child = spawn(command, commandArgs, { cwd: root, stdio: 'inherit', ...options });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`);
      process.exit(1);
    });
    child.on('exit', (code, signal) => (code === 0 ? resolve() : process.exit(code ?? (signal ? 130 : 1))));
  });
}

const work = TASKS[task ?? ''];
if (!work) {
  console.error(`there is no task "${task}": ${Object.keys(TASKS).join(', ')}`);
  process.exit(2);
}
await work();
