// Installs code-server (VS Code in a server) and the Node it wants into .cache/code-server. Only npm, no compiler, no
// install scripts: what those would do is done here. Run: node test/editors/install.ts
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeServerDir, codeServerEntry, codeServerNode, codeServerRoot, nodePackage } from './paths.ts';

const PACKAGES: Readonly<Record<string, string>> = {
  'code-server': '4.139.1',
  // It wants Node 24, and the machine may have another.
  [nodePackage]: '24.21.0',
};

/** Written last: whatever was interrupted is done again. A new recipe needs another number. */
const stamp = join(codeServerDir, 'installed.json');
const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

export async function installCodeServer(): Promise<void> {
  const wanted = JSON.stringify({ ...PACKAGES, recipe: 1 });
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted && existsSync(codeServerEntry)) return;
  rmSync(codeServerDir, { recursive: true, force: true });
  mkdirSync(codeServerDir, { recursive: true });
  const manifest = { name: 'tandem-code-server', private: true, dependencies: PACKAGES };
  writeFileSync(join(codeServerDir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const names = Object.entries(PACKAGES).map((each) => each.join('@'));
  await npm(`installing ${names.join(' and ')}`, ['install', ...quiet, '--no-package-lock'], codeServerDir);
  // VS Code's own dependencies come with a lock file of theirs; native parts are prebuilt, but for the log writer.
  const vscode = join(codeServerRoot, 'lib', 'vscode');
  await npm("installing VS Code's own dependencies", ['install', ...quiet, '--omit=dev'], vscode);
  link('browser-linux.sh', join(vscode, 'bin', 'helpers', 'browser.sh'));
  link('code-linux.sh', join(vscode, 'bin', 'remote-cli', 'code-server'));
  cpSync(join(import.meta.dirname, 'support', 'spdlog.cjs'), join(vscode, 'node_modules/@vscode/spdlog/index.js'));
  for (const file of [codeServerEntry, codeServerNode]) {
    if (!existsSync(file)) throw new Error(`${file} is missing after the install`);
  }
  writeFileSync(stamp, wanted);
}

function link(target: string, path: string): void {
  rmSync(path, { force: true });
  symlinkSync(target, path);
}

function npm(what: string, args: string[], cwd: string): Promise<void> {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  console.log(`${what}…`);
  const ticker = setInterval(() => console.log(`  … ${seconds()} s`), 10_000);
  return new Promise<void>((resolve, reject) => {
    const child = spawn('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`npm ended with ${code}: ${what}`))));
  }).finally(() => {
    clearInterval(ticker);
    console.log(`  done after ${seconds()} s`);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await installCodeServer();
