// Installs the language servers that the tests talk to into .cache/language-servers; they are no dependency of Tandem.
// Run: node test/browser/support/install-language-servers.ts
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = join(root, '.cache', 'language-servers');

const PACKAGES: Readonly<Record<string, string>> = {
  'typescript-language-server': '6.0.2',
  // The last one with a tsserver: TypeScript 7 has none.
  typescript: '5.9.3',
  pyright: '1.1.414',
};

/** What the PATH needs in front: the servers, and a Node that is new enough for them. */
export const SERVER_PATH: readonly string[] = [join(folder, 'node_modules', '.bin'), dirname(newNode())];

export async function installLanguageServers(): Promise<void> {
  const wanted = Object.entries(PACKAGES);
  if (wanted.every(([name, version]) => installedVersion(name) === version)) return;
  mkdirSync(folder, { recursive: true });
  const manifest = { name: 'tandem-language-servers', private: true, dependencies: PACKAGES };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  console.log(`installing ${wanted.map((each) => each.join('@')).join(', ')} into ${folder}`);
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']);
  for (const [name, version] of wanted) {
    const got = installedVersion(name);
    if (got !== version) throw new Error(`npm installed ${name}@${got ?? 'nothing'} instead of ${version}`);
  }
}

function installedVersion(name: string): string | undefined {
  const file = join(folder, 'node_modules', name, 'package.json');
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, 'utf8')) as { version?: string }).version;
}

function newNode(): string {
  const own = join(root, 'node_modules', 'node', 'bin', 'node');
  return existsSync(own) ? own : process.execPath;
}

function run(command: string, args: string[]): Promise<void> {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const ticker = setInterval(() => console.log(`  … ${seconds()} s`), 5000);
  return new Promise<void>((resolve, reject) => {
    const child = spawn(command, args, { cwd: folder, stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`))));
  }).finally(() => {
    clearInterval(ticker);
    console.log(`  done after ${seconds()} s`);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await installLanguageServers();
