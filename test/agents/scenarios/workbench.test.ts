// The workbench's page in a real browser, with the real agents: what a person does there, and where it arrives.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe } from 'node:test';
import { installLanguageServers } from '../../browser/support/install-language-servers.ts';
import { Bench } from '../bench.ts';
import type { Review } from '../companion.ts';
import type { Step } from '../models/model.ts';
import { shownNames } from '../page.ts';
import { type AgentName, agentNames } from '../paths.ts';
import { Shared } from '../scenario.ts';
import { pause } from '../wait.ts';
import type { Seat } from '../world.ts';

const text = 'one\ntwo\nthree\nfour\n';
const edited = 'one\nTWO\nthree\nfour\n';
const amended = 'one\nTWO, said the user\nthree\nfour\n';

/** Python that shows the smallest of pictures. */
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const showsPicture = `import base64, IPython.display as d\nd.display(d.Image(base64.b64decode("${picture}")))`;

/** Puts the caret at the end of line 2. */
const toSecondLine = ['Control+Home', 'ArrowDown', 'End'];

describe('workbench', { concurrency: 2 }, () => {
  // Within one agent strictly in order: the scenarios share a terminal and a page.
  for (const name of agentNames) describe(name, { concurrency: 1 }, () => workbench(name));
});

describe('three agents and one page', { concurrency: 1 }, together);

function workbench(name: AgentName): void {
  const shared = new Shared(() => Bench.start(name));

  shared.scenario(
    `[CLA-4] [GEM-5] [GEM-6] [QWEN-4] ${name}'s model sees what is selected in the page`,
    async (world) => {
      const seat = world.seat();
      const other = world.sandbox.write('other.txt', text);
      const active = world.sandbox.write('active.txt', text);
      await world.page.openFile(other, true);
      await world.page.openFile(active);
      await world.page.press('Control+Home', 'ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowRight');
      await seat.knowsContext();

      const seen = await seat.ask('see-selection');
      for (const part of seat.profile.selection(active, 'two\nth')) assert.ok(seen.includes(part), seen);
      if (seat.profile.openFile) assert.ok(seen.includes(seat.profile.openFile(other)), seen);
    },
  );

  shared.scenario(
    `[CLA-7] [GEM-8] [GEM-9] [QWEN-4] ${name}'s edit is changed and accepted in the page`,
    async (world) => {
      const seat = world.seat();
      const path = world.sandbox.write('amend.txt', text);
      await world.page.openFile(path);
      await propose(world, seat, 'amend-it', path);
      await announced(world, seat, path);
      assert.ok(await world.page.hasCaret(path), 'a review never takes the keyboard');

      await world.page.showReview(path, name);
      await world.page.press(...toSecondLine);
      await world.page.type(', said the user');
      await world.page.press('Control+Enter');
      await world.onDisk(path, amended);
      await seat.finished('amend-it');
      assert.match(seat.verdict('amend-it'), seat.profile.amended('TWO, said the user'));
      await world.until('the open document to follow the disk', async () => (await world.page.text(path)) === amended);
      assert.equal(await world.page.isUnsaved(path), false);
      await nothingWaits(world);
    },
  );

  shared.scenario(`[CLA-7] [GEM-9] [QWEN-4] ${name}'s edit is rejected in the page`, async (world) => {
    const seat = world.seat();
    const path = world.sandbox.write('reject.txt', text);
    const review = await propose(world, seat, 'reject-it', path);
    await world.page.showReview(path, name);
    await world.page.press('Control+Shift+Backspace');
    await world.companion.ended(review, 'rejected');
    await seat.sawRejection(path);
    assert.equal(world.sandbox.read('reject.txt'), text);
    assert.equal(seat.model.mainRequests('reject-it').length, 2, 'the turn ends without asking the model again');
    await nothingWaits(world);
  });

  shared.scenario(`[CLA-8] [GEM-10] [QWEN-4] ${name}'s terminal answers, and the page says so`, async (world) => {
    const seat = world.seat();
    const path = world.sandbox.write('terminal.txt', text);
    await propose(world, seat, 'terminal-it', path);
    await world.page.showReview(path, name);
    await seat.agent.allowInTerminal();
    await world.until('the review to close in the page', async () => !(await world.page.showsReview(path)));
    const says = async () => `${await world.page.said()}\n${await world.page.shown()}`;
    await world.until('the page to say why', async () => /terminal\.txt.*answered in the terminal/s.test(await says()));
    await world.onDisk(path, edited);
    await seat.finished('terminal-it');
    await nothingWaits(world);
  });

  if (name === 'claude') onlyClaude(shared);

  shared.scenario(
    `[ALL-9] [CLA-7] [GEM-9] [QWEN-4] ${name} and the page come back after a restart, with what was typed`,
    async (world) => {
      const seat = world.seat();
      const draft = world.sandbox.write('draft.txt', text);
      const path = world.sandbox.write('restarted.txt', text);
      await world.page.openFile(draft);
      await world.page.press(...toSecondLine);
      await world.page.type(' and a half');
      await world.until('the tab to be marked', () => world.page.isUnsaved(draft));
      const loadedAt = await world.page.loadedAt();

      assert.equal(await world.companion.stop(), 0);
      await world.until('the page to notice', async () => !(await world.page.isConnected()));
      await world.page.type(', typed alone');
      await world.startCompanion();
      await world.until('the page to come back', () => world.page.isConnected());
      await world.until(`${name} to come back`, () => world.companion.connections(name) > 0, 30_000);

      const mine = 'one\ntwo and a half, typed alone\nthree\nfour\n';
      await world.until('the draft to be unsaved again', () => world.page.isUnsaved(draft));
      assert.equal(await world.page.text(draft), mine);
      assert.equal(world.sandbox.read('draft.txt'), text, 'nothing is saved unasked');
      assert.equal(await world.page.loadedAt(), loadedAt, 'it was not loaded anew');

      await propose(world, seat, 'restart-it', path);
      await announced(world, seat, path);
      await world.page.showReview(path, name);
      await world.page.press('Control+Enter');
      await world.onDisk(path, edited);
      await seat.finished('restart-it');
      // The workbench has the text as well, not only the page.
      await world.page.openFile(draft);
      await world.page.press('Control+s');
      await world.onDisk(draft, mine);
    },
  );

  shared.ends(`[ALL-5] nothing is left after ${name} and the page`);
}

/** Tools that the others do not have. */
function onlyClaude(shared: Shared<Bench>): void {
  shared.scenario("[CLA-10] claude's model runs Python in the workbench, and state is kept", async (world) => {
    const seat = world.seat();
    const run = (code: string) =>
      ({ calls: [{ tool: 'named', name: 'mcp__ide__executeCode', input: { code } }] }) as Step;
    const load = { tool: 'named', name: 'ToolSearch', input: { query: 'select:mcp__ide__executeCode' } } as const;
    seat.model.script('run-python', [
      { calls: [load] },
      run('answer = 6 * 7'),
      run(`print("the answer is", answer)\n${showsPicture}`),
      { text: 'finished with run-python' },
    ]);
    await seat.agent.waitForVisible(seat.profile.ready);
    await seat.agent.say('please do run-python');
    for (const count of [3, 4]) {
      await seat.agent.waitForVisible(/Do you want to proceed/);
      await pause('claudePromptGuard');
      await seat.agent.press('Enter');
      await world.until('the result', () => seat.model.mainRequests('run-python').length >= count, 30_000);
    }
    await seat.finished('run-python');
    assert.match(seat.verdict('run-python'), /the answer is 42/);
    assert.match(seat.verdict('run-python'), /"type":"image"/);
  });

  shared.scenario("[CLA-9] claude's model is told what its edit broke, and nothing else", async (world) => {
    await installLanguageServers();
    const seat = world.seat();
    const path = world.sandbox.write('broken.ts', 'export const a: number = 1;\nexport const b: number = "old";\n');
    await world.page.openFile(path);
    await world.page.showsErrors(1);
    await seat.task('break-it', [{ tool: 'edit', path, old: '= 1', new: '= true' }]);
    await world.companion.review(path, 'claude');
    await world.page.showReview(path, 'claude');
    await world.page.press('Control+Enter');
    await seat.finished('break-it');
    const told = seat.model.mainRequests('break-it').at(-1)?.fresh ?? '';
    assert.match(told, /new diagnostic issues.*\[Line 1:14\] Type 'boolean' is not assignable to type 'number'/s);
    assert.doesNotMatch(told, /\[Line 2:/);
    await world.page.showsErrors(2);
  });
}

function together(): void {
  const shared = new Shared(() => Bench.start(...agentNames));

  shared.scenario(
    '[ALL-7] [CLA-7] [GEM-9] [QWEN-4] each decision in the page lands where it belongs',
    async (world) => {
      const path = world.sandbox.write('together.txt', text);
      await Promise.all(agentNames.map((name) => propose(world, world.seat(name), 'together', path, saysSo(name))));
      const counted = async () => (await world.page.waiting()).badge === 3;
      await world.until('the page to count three reviews', counted);

      await world.page.showReview(path, 'claude');
      await world.page.press('Control+Shift+Backspace');
      await world.seat('claude').sawRejection(path);
      await stillWaiting(world, ['gemini', 'qwen']);
      assert.equal(world.sandbox.read('together.txt'), text);
      assert.equal(world.seat('claude').model.mainRequests('together').length, 2, 'its turn ends there');

      // Qwen Code decides before another has written the file: it looks at the time.
      await world.page.showReview(path, 'qwen');
      await world.page.press('Control+Enter');
      await world.onDisk(path, text.replace('two', saysSo('qwen')));
      await world.seat('qwen').finished('together');
      await stillWaiting(world, ['gemini']);

      restore(path);
      await world.page.showReview(path, 'gemini');
      await world.page.press(...toSecondLine);
      await world.page.type(', and the user');
      await world.page.press('Control+Enter');
      await world.onDisk(path, text.replace('two', `${saysSo('gemini')}, and the user`));
      await world.seat('gemini').finished('together');
      await nothingWaits(world);
    },
  );

  shared.ends('[ALL-5] nothing is left after three agents and the page');
}

function saysSo(name: AgentName): string {
  return `two, says ${name}`;
}

/** Agents refuse to write over a text they have not read. */
function restore(path: string): void {
  if (readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}

async function propose(world: Bench, seat: Seat, task: string, path: string, wanted = 'TWO'): Promise<Review> {
  await seat.task(task, [{ tool: 'edit', path, old: 'two', new: wanted }]);
  return world.companion.review(path, seat.name);
}

/** A badge, the window's title, and a line that says who wants what. */
async function announced(world: Bench, seat: Seat, path: string): Promise<void> {
  const [name, file] = [shownNames[seat.name], path.slice(world.sandbox.workspace.length + 1)];
  const badge = async () => Object.values(await world.page.waiting()).every((count) => count === 1);
  await world.until('the page to announce the review', badge);
  const said = async () => new RegExp(`${name}.*${file}`).test(await world.page.said());
  await world.until('the page to say whose it is', said);
}

async function stillWaiting(world: Bench, names: AgentName[]): Promise<void> {
  const left = (await world.companion.reviews()).map(({ agent }) => agent);
  assert.deepEqual(left.sort(), names);
  await world.until('the page to count them', async () => (await world.page.waiting()).badge === names.length);
}

async function nothingWaits(world: Bench): Promise<void> {
  const none = async () => Object.values(await world.page.waiting()).every((count) => count === 0);
  await world.until('the page to have no review', none);
  assert.deepEqual(await world.companion.reviews(), []);
}
