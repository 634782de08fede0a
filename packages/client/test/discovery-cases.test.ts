import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import {
  type CaseFile,
  DISCOVERY_CASES,
  type DiscoveryCase,
  type Place,
  tokenOf,
} from '../../../test/agents/discovery-cases.ts';
import { createWorld, type World } from '../../../test/support/world.ts';
import { type DialectName, discover, endpointsOf, type Surroundings } from '../src/index.ts';

// The library's answers; test/agents/scenarios/discovery.test.ts asks the real agents the same.
describe("[CLA-2] Claude Code's cases", () => cases('claude'));
describe("[GEM-16] Gemini CLI's cases", () => cases('gemini'));
describe("[QWEN-5] Qwen Code's cases", () => cases('qwen'));

function cases(agent: DialectName): void {
  for (const each of DISCOVERY_CASES.filter((one) => one.agent === agent)) {
    test(`finds ${each.finds ?? 'nobody'}: ${each.title}`, (t) => put(t, each));
  }
}

function put(t: TestContext, each: DiscoveryCase): void {
  const place = madeUp(createWorld(t));
  for (const file of each.files(place)) write(file);
  const cwd = each.cwd === undefined ? place.workspace : place[each.cwd];
  const discovery = discover(each.agent, standIn(place, cwd, each.env?.(place) ?? {}));
  // A knock needs somebody who listens: the agents go on, or give up, where nobody does.
  const knocked = endpointsOf(each.agent, discovery).find(({ port }) => port !== place.ports.closed);
  const expected = each.finds === undefined ? undefined : place.ports[each.finds];
  assert.equal(knocked?.port, expected, JSON.stringify(discovery, null, 2));
  if (each.finds === undefined) return;
  const token = each.token === null ? undefined : (each.token ?? tokenOf(each.finds));
  assert.equal(knocked?.token, token);
}

function madeUp(world: World): Place {
  const [alias, other, sub] = [
    join(world.root, 'alias'),
    join(world.root, 'other'),
    join(world.workspace, 'sub'),
  ] as const;
  symlinkSync(world.workspace, alias);
  for (const folder of [other, sub]) mkdirSync(folder);
  return {
    workspace: world.workspace,
    home: world.home,
    tmp: world.tmp,
    alias,
    other,
    sub,
    ports: { a: 40_001, b: 40_002, closed: 40_003 },
    pids: { editor: 100, low: 200, high: 300, dead: 400 },
  };
}

/** The agent in a terminal multiplexer, as the live tests start it. */
function standIn(place: Place, cwd: string, env: Surroundings['env']): Surroundings {
  const parents: Record<number, number> = { 120: 110, 110: place.pids.editor, [place.pids.editor]: 1 };
  return {
    cwd,
    env,
    home: place.home,
    tmp: place.tmp,
    pid: 120,
    uid: process.getuid?.(),
    processes: {
      look: (pid) => (parents[pid] === undefined ? undefined : { parent: parents[pid], command: 'program' }),
      isAlive: (pid) => pid !== place.pids.dead,
    },
    listens: (port) => port !== place.ports.closed,
  };
}

function write({ path, content, age = 0 }: CaseFile): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  const time = Date.now() / 1000 - age;
  utimesSync(path, time, time);
}
