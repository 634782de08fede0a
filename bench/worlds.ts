import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { World } from './subject.ts';

let root: string | undefined;
let count = 0;

/** A HOME, a TMPDIR and a workspace that nobody used before. */
export function newWorld(core: string): World {
  root ??= realpathSync(mkdtempSync(join(tmpdir(), 'tandem-bench-')));
  count += 1;
  const [home, tmp, workspace] = ['home', 'tmp', 'workspace'].map((name) => join(root ?? '', String(count), name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, tmp, workspace]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  return { home, tmp, workspace, core };
}

/** As many source files as an agent is ever told about; the first will be the active one. */
export function sourceFiles(world: World, number = 10): string[] {
  const folder = join(world.workspace, 'packages', 'app', 'src');
  mkdirSync(folder, { recursive: true });
  return Array.from({ length: number }, (_, index) => {
    const path = join(folder, `file-${index}.ts`);
    writeFileSync(path, 'const answer = 42; // selected\n'.repeat(132)); // 4 KB
    return path;
  });
}

process.on('exit', () => {
  if (root !== undefined) rmSync(root, { recursive: true, force: true });
});
