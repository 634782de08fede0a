// The real agents, started in VS Code's own terminal: the extension's environment leads them to its window.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type AgentName, agentNames } from '../agents/paths.ts';
import { familyOf } from '../agents/processes.ts';
import { waitFor } from '../agents/wait.ts';
import type { Seat } from '../agents/world.ts';
import type { EditorCompanion } from './support/companion.ts';
import { Diff } from './support/diff.ts';
import { Seats } from './support/seats.ts';
import { Studio } from './support/studio.ts';
import { withEvidence } from './support/testing.ts';
import type { Window } from './support/window.ts';

const text = 'one\ntwo\nthree\nfour\n';
const edited = 'one\nTWO\nthree\nfour\n';
const amended = 'one\nTWO, said the user\nthree\nfour\n';

describe('the real agents in the integrated terminal', { concurrency: 1 }, () => {
  let seats: Seats;
  let studio: Studio;
  let window: Window;
  let companion: EditorCompanion;
  const seated = new Map<AgentName, Seat>();
  const run = (title: string, work: () => Promise<void>) => test(title, () => withEvidence(() => studio, title, work));
  /** Real programs on a loaded machine: one more try with the agents started anew, and it is said aloud. */
  const twice = (names: readonly AgentName[], title: string, work: (tag: string) => Promise<void>) =>
    run(title, async () => {
      try {
        await work('');
      } catch (error) {
        console.log(`RETRY: ${title}: ${(error as Error).message}\n${studio.server.evidence()}`);
        for (const name of names) await begin(name);
        await work('-again');
      }
    });
  const step = (name: AgentName, title: string, work: (tag: string) => Promise<void>) => twice([name], title, work);

  before(async () => {
    seats = await Seats.prepare();
    // Terminals outlive a reload, as they do by default.
    const settings = { 'terminal.integrated.enablePersistentSessions': true };
    studio = await Studio.start({ env: seats.env, settings });
    window = await studio.window();
    companion = await studio.companion(window);
  });
  after(async () => {
    await studio?.discard();
    await seats?.close();
  });

  const seat = (name: AgentName) => {
    const found = seated.get(name);
    assert.ok(found, `${name} has not been started`);
    return found;
  };

  /** In a terminal of its own; one that runs already is ended. */
  async function begin(name: AgentName): Promise<void> {
    await seated
      .get(name)
      ?.quit()
      .catch(() => undefined); // it may be gone already
    seated.set(name, await seats.start(name, studio.sandbox, window));
    await linked(companion, name, seat(name).agent.pid);
  }

  async function linked(at: EditorCompanion, name: AgentName, pid: number): Promise<void> {
    const ours = async () => {
      const family = familyOf(pid);
      return (await at.links()).some((link) => link.agent === name && family.includes(link.pid));
    };
    await waitFor(`${name} to connect by itself`, ours, 30_000, () => seat(name).agent.evidence());
  }

  async function propose(name: AgentName, task: string): Promise<{ path: string; diff: Diff }> {
    const path = studio.sandbox.write(`${task}.txt`, text);
    await seat(name).task(task, [{ tool: 'edit', path, old: 'two', new: 'TWO' }]);
    const diff = new Diff(window, path, name);
    await waitFor(
      'the diff',
      () => diff.tab.count(),
      25_000,
      () => seat(name).agent.evidence(),
    );
    return { path, diff };
  }

  async function onDisk(path: string, wanted: string): Promise<void> {
    const name = path.slice(studio.sandbox.workspace.length + 1);
    const got = () => JSON.stringify(studio.sandbox.read(name));
    await waitFor(
      `${name} to be written`,
      () => studio.sandbox.read(name) === wanted,
      15_000,
      async () => got(),
    );
  }

  for (const name of agentNames) {
    step(name, `[CLA-1] [GEM-1] [QWEN-1] ${name} connects by itself from the integrated terminal`, () => begin(name));

    step(name, `[CLA-4] [GEM-5] [QWEN-4] ${name}'s model sees what is selected in VS Code`, async (tag) => {
      const other = studio.sandbox.write(`${name}-other${tag}.txt`, text);
      const active = studio.sandbox.write(`${name}-active${tag}.txt`, text);
      await window.openFile(other);
      await window.openFile(active);
      await window.press('Control+Home', 'ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowRight');
      const { contextShown, selection, openFile } = seat(name).profile;
      // Any number of files may be open here.
      if (name !== 'gemini') await seat(name).knowsContext();
      else await seat(name).agent.waitForScreen(/\d+ open files?/);
      assert.ok(contextShown);
      const seen = await seat(name).ask(`see-${name}${tag}`);
      for (const part of selection(active, 'two\nth')) assert.ok(seen.includes(part), seen);
      if (openFile) assert.ok(seen.includes(openFile(other)), seen);
    });

    step(name, `[CLA-7] [GEM-8] [GEM-9] [QWEN-4] ${name}'s edit is changed in the diff and accepted`, async (tag) => {
      const { path, diff } = await propose(name, `amend-${name}${tag}`);
      assert.equal(studio.sandbox.read(`amend-${name}${tag}.txt`), text, 'nothing is written before the decision');
      await diff.typeAtEnd(2, ', said the user');
      await diff.accept();
      await onDisk(path, amended);
      await diff.closed();
      await seat(name).finished(`amend-${name}${tag}`);
      assert.match(seat(name).verdict(`amend-${name}${tag}`), seat(name).profile.amended('TWO, said the user'));
    });

    step(name, `[CLA-7] [GEM-9] [QWEN-4] ${name}'s edit is rejected in the diff`, async (tag) => {
      const { path, diff } = await propose(name, `reject-${name}${tag}`);
      await diff.reject();
      await diff.closed();
      await seat(name).sawRejection(path);
      assert.equal(studio.sandbox.read(`reject-${name}${tag}.txt`), text);
    });

    step(
      name,
      `[CLA-8] [GEM-10] [QWEN-4] ${name}'s terminal answers and the diff closes without a word`,
      async (tag) => {
        const { path, diff } = await propose(name, `terminal-${name}${tag}`);
        await seat(name).agent.allowInTerminal();
        await diff.closed();
        await onDisk(path, edited);
        await seat(name).finished(`terminal-${name}${tag}`);
        await companion.noReviews();
        assert.deepEqual(await window.notices(), []);
      },
    );
  }

  twice(
    agentNames,
    '[ALL-9] the window is reloaded with the agents connected, and each has a review after it',
    async (tag) => {
      const { port } = companion;
      await window.reload();
      companion = await studio.companion(window);
      assert.equal(companion.port, port, 'the same address as before');
      for (const name of agentNames) await linked(companion, name, seat(name).agent.pid);
      for (const name of agentNames) {
        const { path, diff } = await propose(name, `reloaded-${name}${tag}`);
        await diff.accept();
        await onDisk(path, edited);
        await seat(name).finished(`reloaded-${name}${tag}`);
      }
    },
  );

  for (const name of agentNames) {
    step(name, `[ALL-8] ${name} is killed with a diff open, and the diff goes away`, async (tag) => {
      const { diff } = await propose(name, `killed-${name}${tag}`);
      await seat(name).agent.kill9();
      await diff.closed();
      await companion.noReviews();
      const gone = async () => (await companion.links()).every((link) => link.agent !== name);
      await waitFor('the link to go', gone);
      assert.equal(studio.sandbox.read(`killed-${name}${tag}.txt`), text);
    });
  }

  let second: Window | undefined;
  twice([], 'with two windows on the same folder an agent attaches to the one whose terminal it runs in', async () => {
    second ??= await studio.window();
    const other = await studio.companion(second);
    assert.notEqual(other.port, companion.port);
    for (const name of agentNames) {
      for (const [here, its, elses] of [
        [second, other, companion],
        [window, companion, other],
      ] as const) {
        const agent = await seats.start(name, studio.sandbox, here);
        seated.set(name, agent);
        await linked(its, name, agent.agent.pid);
        const family = familyOf(agent.agent.pid);
        assert.ok(!(await elses.links()).some((link) => family.includes(link.pid)));
        await agent.quit();
      }
    }
  });

  test('[ALL-5] nothing is left', async () => {
    await studio.end();
  });
});
