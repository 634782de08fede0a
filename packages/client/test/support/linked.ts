import type { TestContext } from 'node:test';
import { createWorld, type Running, startCompanion, until, type World } from '../../../../test/support/world.ts';
import type { MemoryEditor, Review } from '../../../core/src/index.ts';
import {
  type CompanionLink,
  type ConnectOptions,
  connect,
  type DialectName,
  here,
  type Surroundings,
} from '../../src/index.ts';

/** Quick for a test; the pauses of real life are in the defaults. */
export const QUICK = { firstMs: 20, maxMs: 50, giveUpMs: 5_000 };

export function aroundOf(world: World): Surroundings {
  return { ...here(), cwd: world.workspace, env: {}, home: world.home, tmp: world.tmp };
}

export interface Linked extends Running {
  readonly link: CompanionLink;
}

/** A running companion, and a link to it that was found as the agent finds it. */
export async function linked(
  t: TestContext,
  dialect: DialectName,
  options: { readonly world?: World; readonly editor?: MemoryEditor } = {},
): Promise<Linked> {
  const world = options.world ?? createWorld(t);
  const running = await startCompanion(t, { limits: { retryMs: 50, restartMs: 50 }, ...options, world });
  const link = await connected(t, dialect, world);
  return { ...running, link };
}

export async function connected(
  t: TestContext,
  dialect: DialectName,
  world: World,
  options: ConnectOptions = {},
): Promise<CompanionLink> {
  const link = await connect(dialect, { around: aroundOf(world), reconnect: QUICK, ...options });
  t.after(() => link.close());
  return link;
}

/** The review that the editor shows for this path. */
export function shown(editor: MemoryEditor, path: string): Promise<Review> {
  return until(`a review of ${path}`, () => [...editor.shown.values()].find((review) => review.path === path));
}
