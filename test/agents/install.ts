// Installs the pinned agents into .cache/agents and checks the Debian tools the live tests drive them with.
// Run: node test/agents/install.ts
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentCommand, agentNames, agentPackages, agentsDir, claudeAcp, codexAcp, nodeBin, nodeDir } from './paths.ts';

/** No package needs its install script: Claude Code's only copies a binary, the others' native parts are prebuilt. */
const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];

const debianPackages: Record<string, string> = { tmux: 'tmux', ps: 'procps' };

export async function install(): Promise<void> {
  installTools();
  await installAgents();
  await installClaudeAcp();
  await installCodexAcp();
  linkNode();
  for (const agent of agentNames) {
    const [program = '', script = program] = agentCommand(agent);
    if (!existsSync(program) || !existsSync(script))
      throw new Error(`${agent}: ${script} is missing after the install`);
  }
}

function installTools(): void {
  const missing = Object.keys(debianPackages).filter((tool) => !onPath(tool));
  if (missing.length === 0) return;
  const packages = missing.map((tool) => debianPackages[tool] ?? tool);
  if (process.getuid?.() !== 0) {
    throw new Error(
      `The live tests need ${missing.join(' and ')}. Install them: apt-get install ${packages.join(' ')}`,
    );
  }
  console.log(`installing ${packages.join(', ')} with apt-get`);
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { stdio: 'inherit' });
}

function onPath(tool: string): boolean {
  return (process.env.PATH ?? '').split(':').some((dir) => dir !== '' && existsSync(join(dir, tool)));
}

async function installAgents(): Promise<void> {
  const wanted = Object.values(agentPackages);
  if (wanted.every(({ name, version }) => installedVersion(name) === version)) return;
  mkdirSync(agentsDir, { recursive: true });
  const dependencies = Object.fromEntries(wanted.map(({ name, version }) => [name, version]));
  const manifest = { name: 'tandem-agents', private: true, dependencies };
  writeFileSync(join(agentsDir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  console.log(`installing ${wanted.map(({ name, version }) => `${name}@${version}`).join(', ')} into ${agentsDir}`);
  await runWithProgress('npm', ['install', ...QUIET], agentsDir);
  for (const { name, version } of wanted) {
    const got = installedVersion(name);
    if (got !== version) throw new Error(`npm installed ${name}@${got ?? 'nothing'} instead of ${version}`);
  }
}

/** Without its optional packages: they are Claude Code again, and it is told to use ours. */
async function installClaudeAcp(): Promise<void> {
  const { name, version, dir } = claudeAcp;
  await installInto(dir, { [name]: version }, ['--omit=optional']);
}

/** Codex is named as well, because the adapter would take any newer one that fits. Its binary is an optional package. */
async function installCodexAcp(): Promise<void> {
  const { name, version, codex, dir } = codexAcp;
  await installInto(dir, { [name]: version, '@openai/codex': codex }, []);
}

async function installInto(dir: string, dependencies: Record<string, string>, args: string[]): Promise<void> {
  const wanted = Object.entries(dependencies);
  if (wanted.every(([name, version]) => installedVersion(name, dir) === version)) return;
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'package.json'), `${JSON.stringify({ private: true, dependencies })}\n`);
  console.log(`installing ${wanted.map((each) => each.join('@')).join(', ')} into ${dir}`);
  await runWithProgress('npm', ['install', ...args, ...QUIET], dir);
}

function installedVersion(name: string, dir = agentsDir): string | undefined {
  const file = join(dir, 'node_modules', name, 'package.json');
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, 'utf8')) as { version?: string }).version;
}

function linkNode(): void {
  mkdirSync(nodeDir, { recursive: true });
  const link = join(nodeDir, 'node');
  rmSync(link, { force: true });
  symlinkSync(nodeBin, link);
}

function runWithProgress(command: string, args: string[], cwd: string): Promise<void> {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const ticker = setInterval(() => console.log(`  … ${seconds()} s`), 5000);
  return new Promise<void>((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}`));
    });
  }).finally(() => {
    clearInterval(ticker);
    console.log(`  done after ${seconds()} s`);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await install();
