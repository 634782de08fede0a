// What breaks without a goodbye: an agent with a review open, a companion that restarts, a companion that is killed.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe } from 'node:test';
import type { Review } from '../companion.ts';
import { companionFiles, discoveryFiles } from '../leftovers.ts';
import { agentNames } from '../paths.ts';
import { scenario } from '../scenario.ts';
import type { Seat, World } from '../world.ts';

const text = 'one\ntwo\nthree\nfour\n';

describe('deaths and restarts', { concurrency: 2 }, () => {
  for (const name of agentNames) describe(name, { concurrency: 1 }, () => deaths(name));
});

function deaths(name: (typeof agentNames)[number]): void {
  scenario(`[ALL-8] ${name} is killed with a review open and the review goes away`, [name], async (world) => {
    const seat = world.seat();
    const review = await propose(world, seat, 'killed');
    await seat.agent.kill9();
    await world.companion.ended(review, 'withdrawn');
    await world.unlisted(review);
    assert.deepEqual(await world.companion.links(), []);
    assert.equal(world.sandbox.read('killed.txt'), text);
  });

  scenario(
    `[ALL-9] [CLA-11] [GEM-13] [QWEN-4] ${name} stays connected while the companion restarts`,
    [name],
    async (world) => {
      const seat = world.seat();
      const { port } = world.companion;
      // An agent that has had a review is connected for sure, not in the middle of its handshake.
      await acceptOne(world, seat, 'before');
      assert.equal(await world.companion.stop(), 0);
      assert.deepEqual(discoveryFiles(world.sandbox), []);
      await world.startCompanion();
      assert.equal(world.companion.port, port);
      // Claude Code tries again and again; the others were told to wait, and do not have to when there is something to do.
      if (name === 'claude') await comeBack(world, seat);
      await acceptOne(world, seat, 'restarted');
    },
  );

  scenario(`[ALL-5] ${name} is not stuck when the companion stops with a review open`, [name], async (world) => {
    const seat = world.seat();
    const review = await propose(world, seat, 'stopped');
    assert.equal(await world.companion.stop(), 0);
    if (seat.profile.keepsAsking) {
      await seat.agent.allowInTerminal();
      await world.onDisk(review.path, 'one\nTWO\nthree\nfour\n');
    } else {
      await seat.sawRejection(review.path);
      assert.equal(world.sandbox.read('stopped.txt'), text);
    }
    await world.startCompanion();
    if (name === 'claude') await comeBack(world, seat);
    await acceptOne(world, seat, 'unstuck');
  });

  scenario(
    `[ALL-6] [ALL-9] [CLA-11] [QWEN-4] ${name} works on after the companion was killed`,
    [name],
    async (world) => {
      const seat = world.seat();
      const deadPid = world.companion.pid;
      await acceptOne(world, seat, 'before');
      await world.companion.kill9();
      const stale = companionFiles(world.sandbox);
      assert.ok(stale.length > 0, 'a killed companion cannot tidy up');
      await world.startCompanion();
      const ofTheDead = new RegExp(`\\b${deadPid}\\b`);
      for (const file of companionFiles(world.sandbox)) {
        assert.doesNotMatch(`${file} ${readFileSync(file, 'utf8')}`, ofTheDead, 'left by the dead companion');
      }

      await comeBack(world, seat);
      await acceptOne(world, seat, 'revived');
      await seat.quit();
      await world.startAgent(seat);
      await acceptOne(world, seat, 'started-again');
    },
  );
}

/** Claude Code reconnects by itself; the others stay off until the user says otherwise. */
async function comeBack(world: World, seat: Seat): Promise<void> {
  if (seat.profile.reconnect !== undefined) await seat.agent.say(seat.profile.reconnect);
  const sessions = () => world.companion.connections(seat.name) > 0;
  await world.until(`${seat.name} to come back`, sessions, 25_000);
}

async function propose(world: World, seat: Seat, task: string): Promise<Review> {
  const path = world.sandbox.write(`${task}.txt`, text);
  await seat.task(task, [{ tool: 'edit', path, old: 'two', new: 'TWO' }]);
  return world.companion.review(path, seat.name);
}

async function acceptOne(world: World, seat: Seat, task: string): Promise<void> {
  const review = await propose(world, seat, task);
  await world.companion.accept(review);
  await world.onDisk(review.path, 'one\nTWO\nthree\nfour\n');
  await seat.finished(task);
}
