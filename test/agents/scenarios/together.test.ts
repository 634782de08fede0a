// All three agents at once, in one workspace, on one file: every decision lands where it belongs.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe } from 'node:test';
import type { Review } from '../companion.ts';
import { type AgentName, agentNames } from '../paths.ts';
import { SharedWorld } from '../scenario.ts';
import type { World } from '../world.ts';

const text = 'one\ntwo\nthree\nfour\n';

type Decision = 'rejected' | 'accepted' | 'amended';

/** Each agent gets each decision once. Qwen Code decides before the file is written by another: see `restore`. */
const rounds: [AgentName, Decision][][] = [
  [
    ['claude', 'rejected'],
    ['qwen', 'accepted'],
    ['gemini', 'amended'],
  ],
  [
    ['gemini', 'rejected'],
    ['qwen', 'amended'],
    ['claude', 'accepted'],
  ],
  [
    ['qwen', 'rejected'],
    ['gemini', 'accepted'],
    ['claude', 'amended'],
  ],
];

describe('three agents on one file', { concurrency: 1 }, () => {
  const shared = new SharedWorld(...agentNames);

  for (const [index, decisions] of rounds.entries()) {
    const title = decisions.map(([name, decision]) => `${name} ${decision}`).join(', ');
    shared.scenario(
      `[ALL-7] [CLA-7] [GEM-9] [QWEN-4] each decision lands where it belongs: ${title}`,
      async (world) => {
        const task = `round-${index}`;
        const path = world.sandbox.write(`${task}.txt`, text);
        const reviews = await proposeAll(world, task, path);
        const waiting = new Set(agentNames);
        for (const name of agentNames) {
          assert.equal((await world.companion.show(reviews[name])).proposed, proposed(name));
        }
        for (const [name, decision] of decisions) {
          restore(path);
          await decide(world, task, reviews[name], decision);
          waiting.delete(name);
          const left = (await world.companion.reviews()).map(({ agent }) => agent);
          assert.deepEqual(new Set(left), waiting);
          assert.equal(left.length, waiting.size);
        }
      },
    );
  }

  shared.ends('[ALL-5] nothing is left after three agents');
});

/** Agents refuse to write over a text they have not read, so each finds what it read; Qwen Code looks at the time too. */
function restore(path: string): void {
  if (readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}

async function decide(world: World, task: string, review: Review, decision: Decision): Promise<void> {
  const seat = world.seat(review.agent as AgentName);
  if (decision === 'rejected') {
    await world.companion.reject(review);
    await seat.sawRejection(review.path);
    await world.onDisk(review.path, text);
    assert.equal(seat.model.mainRequests(task).length, 2, 'its turn ends there');
    return;
  }
  const wanted = decision === 'accepted' ? proposed(seat.name) : `${proposed(seat.name)}and a line by the user\n`;
  await world.companion.accept(review, decision === 'accepted' ? undefined : wanted);
  await world.onDisk(review.path, wanted);
  await seat.finished(task);
}

function proposed(name: AgentName): string {
  return text.replace('two', `two, says ${name}`);
}

async function proposeAll(world: World, task: string, path: string): Promise<Record<AgentName, Review>> {
  const open = async (name: AgentName): Promise<[AgentName, Review]> => {
    await world.seat(name).task(task, [{ tool: 'edit', path, old: 'two', new: `two, says ${name}` }]);
    return [name, await world.companion.review(path, name)];
  };
  return Object.fromEntries(await Promise.all(agentNames.map(open))) as Record<AgentName, Review>;
}
