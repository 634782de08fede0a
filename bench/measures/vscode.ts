// The extension in a real VS Code: how soon it is published, what that loads, what it weighs, how fast a diff is there.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installCodeServer } from '../../test/editors/install.ts';
import { repoRoot, vsix } from '../../test/editors/paths.ts';
import { Studio } from '../../test/editors/support/studio.ts';
import type { VsCode, Window } from '../../test/editors/support/window.ts';
import type { Bundles } from '../bundles.ts';
import { NOISE, type Row } from '../rows.ts';
import { interleave, median } from '../stats.ts';
import { diffRows } from './vscode-diff.ts';
import { packReference } from './vscode-reference.ts';

const CHROMIUM = '/usr/bin/chromium';
const REFERENCE = 'tandem-bench.reference-companion';

export async function vscode(_bundles: Bundles, quick: boolean): Promise<Row[]> {
  if (!existsSync(CHROMIUM)) {
    process.stderr.write(`vscode: left out, because ${CHROMIUM} is not installed\n`);
    return [];
  }
  await installCodeServer();
  if (process.env.TANDEM_VSIX === undefined) {
    execFileSync(process.execPath, ['editors/vscode/package.ts'], {
      cwd: repoRoot,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  return [...(await activation(quick ? 3 : 9)), ...(await diffRows(quick ? 5 : 15))];
}

/**
 * A fresh extension host each time, once it is quiet. Counted is what VS Code itself calls activation: loading the code
 * and the call of activate; not the time until VS Code gets to it, which is the same for all.
 */
async function activation(rounds: number): Promise<Row[]> {
  let root = '';
  const studio = await Studio.start({
    extensions: (sandbox) => {
      root = sandbox.root;
      return [Promise.resolve(vsix()), packReference(root)];
    },
    // Neither starts by itself.
    installed: () => installedFolders(root).forEach(underTheClock),
  });
  try {
    const ours = idOf(installedFolders(studio.sandbox.root).find((path) => !path.includes('reference')) ?? '');
    const times = new Map<string, number[]>([ours, REFERENCE].map((id) => [id, []]));
    let loaded: number[] = [];
    const window = await studio.window();
    const one = (id: string) => async () => {
      for (const folder of published(studio)) rmSync(folder, { recursive: true, force: true });
      await window.reload();
      await window.inHost(quiet);
      const folders = id === ours ? published(studio) : published(studio).slice(0, 1);
      times.get(id)?.push(await window.inHost(activate, id, folders));
      if (id === ours) loaded.push(await loadedBytes(window, id));
    };
    await interleave(rounds, one(ours), one(REFERENCE));
    loaded = loaded.filter((bytes) => bytes > 0);
    return [
      {
        id: 'vscode-activation',
        measure: 'VS Code: activation to published',
        unit: 'ms',
        ours: median(times.get(ours) ?? []),
        reference: median(times.get(REFERENCE) ?? []),
        bar: { of: 'reference', max: 1 / 3, tolerance: NOISE.time },
        samples: rounds,
      },
      {
        id: 'vscode-activation-bytes',
        measure: 'VS Code: JavaScript before the first link',
        unit: 'KB',
        ours: median(loaded) / 1024,
        bar: { max: 150, tolerance: NOISE.none },
        samples: 1,
      },
      {
        id: 'vscode-vsix',
        measure: 'VS Code: the .vsix',
        unit: 'KB',
        ours: statSync(vsix()).size / 1024,
        bar: { max: 1536, tolerance: NOISE.none },
        samples: 1,
      },
    ];
  } finally {
    await studio.discard();
  }
}

/** Where each dialect publishes itself; the reference writes to the first only. */
function published({ sandbox }: Studio): string[] {
  const { home, tmp } = sandbox;
  return [join(tmp, 'gemini', 'ide'), join(home, '.claude', 'ide'), join(home, '.qwen', 'ide')];
}

/** Runs in the extension host: waits until timers fire in time. */
async function quiet(): Promise<void> {
  for (let calm = 0, tries = 0; calm < 5 && tries < 100; tries += 1) {
    const begun = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 40));
    calm = performance.now() - begun < 45 ? calm + 1 : 0;
  }
}

interface Clock {
  loading: number;
  activating: number;
}

/** Runs in the extension host: milliseconds until the extension is active and there is a file in each folder. */
async function activate(api: VsCode, id: string, folders: readonly string[]): Promise<number> {
  const fs = process.getBuiltinModule('node:fs');
  const there = (folder: string) => fs.existsSync(folder) && fs.readdirSync(folder).length > 0;
  const extension = api.extensions.getExtension(id);
  if (extension === undefined) throw new Error(`${id} is not installed`);
  if (extension.isActive) throw new Error(`${id} is active already`);
  await extension.activate();
  const { loading, activating } = (globalThis as unknown as { clock: Clock }).clock;
  const since = performance.now();
  let later = 0;
  while (!folders.every(there)) {
    if (later > 10_000) throw new Error(`${id} is not published in ${folders}`);
    await new Promise((resolve) => setImmediate(resolve));
    later = performance.now() - since;
  }
  return loading + activating + later;
}

/** The size of the extension's files that the engine has compiled. */
function loadedBytes(window: Window, id: string): Promise<number> {
  return window.inHost(async (api, extension) => {
    const { Session } = process.getBuiltinModule('node:inspector');
    const { statSync: stat } = process.getBuiltinModule('node:fs');
    const { fileURLToPath } = process.getBuiltinModule('node:url');
    const under = api.extensions.getExtension(extension)?.extensionPath ?? '';
    const files = new Set<string>();
    const session = new Session();
    session.connect();
    session.on('Debugger.scriptParsed', ({ params: { url } }) => {
      files.add(url.startsWith('file:') ? fileURLToPath(url) : url);
    });
    await new Promise((resolve) => session.post('Debugger.enable', resolve));
    session.post('Debugger.disable');
    session.disconnect();
    const own = [...files].filter((file) => file.startsWith(under));
    return own.reduce((sum, file) => sum + stat(file).size, 0);
  }, id);
}

function installedFolders(root: string): string[] {
  const folder = join(root, 'extensions');
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'package.json')) && !name.includes('probe'))
    .map((name) => join(folder, name));
}

function idOf(folder: string): string {
  const { publisher, name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${publisher}.${name}`;
}

/** Starts only when it is asked to, and says how long that took. */
function underTheClock(folder: string): void {
  const file = join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(join(folder, 'clock.cjs'), CLOCK.replace('MAIN', manifest.main));
  writeFileSync(file, JSON.stringify({ ...manifest, activationEvents: [], main: './clock.cjs' }));
}

const CLOCK = `
let begun = performance.now();
const main = require('MAIN');
const clock = (globalThis.clock = { loading: performance.now() - begun, activating: 0 });
exports.activate = async (context) => {
  begun = performance.now();
  const api = await main.activate(context);
  clock.activating = performance.now() - begun;
  return api;
};
exports.deactivate = () => main.deactivate();
`;
