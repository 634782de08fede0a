import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Companion, type CompanionOptions, MemoryEditor } from '../../packages/core/src/index.ts';

export interface World {
  readonly root: string;
  readonly home: string;
  readonly tmp: string;
  readonly workspace: string;
  /** Writes a file below the workspace and returns its path. */
  file(name: string, content: string): string;
}

/** What must end before a world can go: a companion that stops may still leave a record in its HOME. */
const endings = new WeakMap<World, (() => Promise<void>)[]>();

/** And a test that ends its companion by itself may do so later than its world. */
const roots: string[] = [];
process.on('exit', () => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

/** A HOME, a TMPDIR and a workspace of their own, gone after the test. */
export function createWorld(t: TestContext): World {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-test-')));
  roots.push(root);
  const [home, tmp, workspace] = ['home', 'tmp', 'ws'].map((name) => join(root, name)) as [string, string, string];
  for (const folder of [home, tmp, workspace]) mkdirSync(folder, { mode: 0o700 });
  const world: World = {
    root,
    home,
    tmp,
    workspace,
    file(name, content) {
      const path = join(workspace, name);
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, content);
      return path;
    },
  };
  // One hook for both, because hooks run in the order in which they came.
  t.after(async () => {
    try {
      await Promise.all((endings.get(world) ?? []).map((end) => end()));
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
  return world;
}

export interface Running {
  readonly world: World;
  readonly editor: MemoryEditor;
  readonly companion: Companion;
  readonly logged: string[];
  /** The token of a dialect, read from its discovery file as an agent would. */
  token(dialect: string): string;
}

/** A started companion with a MemoryEditor, stopped after the test. */
export async function startCompanion(
  t: TestContext,
  options: Partial<CompanionOptions> & { world?: World; editor?: MemoryEditor } = {},
): Promise<Running> {
  const world = options.world ?? createWorld(t);
  const editor = options.editor ?? new MemoryEditor({ folders: [world.workspace] });
  const logged: string[] = [];
  const companion = new Companion({
    log: (level, message) => logged.push(`${level} ${message}`),
    ...options,
    editor,
    places: { home: world.home, tmp: world.tmp, env: {}, ...options.places },
  });
  endings.set(world, [...(endings.get(world) ?? []), () => companion.stop()]);
  await companion.start();
  return { world, editor, companion, logged, token: (dialect) => tokenOf(companion, dialect) };
}

function tokenOf(companion: Companion, dialect: string): string {
  const file = companion.published.find((each) => each.dialect.id === dialect)?.files[0];
  if (!file) throw new Error(`${dialect} is not published`);
  return JSON.parse(readFileSync(file, 'utf8')).authToken;
}

/** Waits for a condition; the message says what did not come. */
export async function until<T>(what: string, probe: () => T | Promise<T>, ms = 5000): Promise<NonNullable<T>> {
  const deadline = Date.now() + ms;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`waited ${ms} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
