// What reaches an agent's model from the editor, without a word from the user.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { type AgentName, agentNames, agentPackages } from '../paths.ts';
import { familyOf } from '../processes.ts';
import { SharedWorld } from '../scenario.ts';

const text = 'one\ntwo\nthree\nfour\n';

describe('context', { concurrency: 2 }, () => {
  // Within one agent strictly in order: the scenarios share a terminal.
  for (const name of agentNames) describe(name, { concurrency: 1 }, () => context(name));
});

function context(name: AgentName): void {
  const shared = new SharedWorld(name);

  shared.scenario(
    `[ALL-1] [CLA-1] [CLA-2] [GEM-1] [GEM-2] [GEM-4] [QWEN-1] ${name} connects by itself in a plain terminal`,
    async (world) => {
      const links = await world.companion.links();
      assert.equal(links.length, 1);
      assert.equal(links[0]?.agent, name);
      // Qwen Code does not tell its version.
      if (name !== 'qwen') assert.equal(links[0]?.version, agentPackages[name].version);
      const family = familyOf(world.seat().agent.pid);
      const named = async () => family.includes((await world.companion.links())[0]?.pid ?? 0);
      await world.until("the link to name the agent's process", named);
    },
  );

  shared.scenario(
    `[ALL-13] [ALL-14] [CLA-4] [GEM-5] [GEM-6] [QWEN-4] ${name}'s model sees the selection and the open files`,
    async (world) => {
      const seat = world.seat();
      const secret = world.sandbox.write('.env.local', 'KEY=value');
      const other = world.sandbox.write('other.txt', text);
      const active = world.sandbox.write('active.txt', text);
      await world.companion.run('open', '.env.local');
      await world.companion.cli('open', 'other.txt');
      await world.companion.cli('select', 'active.txt:2:1-3:3');
      await seat.knowsContext();

      const seen = await seat.ask('see-context');
      for (const part of seat.profile.selection(active, 'two\nth')) assert.ok(seen.includes(part), seen);
      if (seat.profile.openFile) assert.ok(seen.includes(seat.profile.openFile(other)), seen);
      const ledger = await world.companion.cli('ledger', '--json');
      assert.ok(ledger.includes(active), ledger);
      assert.ok(!seen.includes(secret) && !ledger.includes(secret), 'a denied file never leaves');
    },
  );

  if (name === 'claude') {
    shared.scenario('[CLA-4] claude is told the selection again with the next prompt', async (world) => {
      const seat = world.seat();
      const path = world.sandbox.write('again.txt', text);
      await world.companion.cli('select', 'again.txt:2:1-3:3');
      for (const keyword of ['first-time', 'second-time']) {
        await seat.agent.waitForVisible(seat.profile.contextShown.pattern);
        const seen = await seat.ask(keyword);
        assert.ok(seen.includes(`The user selected the lines 2 to 3 from ${path}`), seen);
      }
    });

    shared.scenario('[CLA-5] claude gets a mention of lines in its prompt', async (world) => {
      const seat = world.seat();
      world.sandbox.write('mention.txt', text);
      await world.companion.cli('send', 'mention.txt:2-3', '--to', 'claude');
      await seat.agent.waitForVisible(/@mention\.txt#L2-3/);
      const seen = await seat.ask('with-mention');
      assert.ok(seen.includes('@mention.txt#L2-3'), seen);
    });
  }

  shared.ends(`[ALL-5] nothing is left after ${name} was told its context`);
}
