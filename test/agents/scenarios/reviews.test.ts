// One agent's edits and every way to answer them.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { agents } from '../agents.ts';
import { type AgentName, agentNames } from '../paths.ts';
import { SharedWorld } from '../scenario.ts';

const text = 'one\ntwo\nthree\nfour\n';
const edited = 'one\nTWO\nthree\nfour\n';
const edit = { tool: 'edit', old: 'two', new: 'TWO' } as const;

/** What Claude Code tells its model about a changed text. The others word it alike for a text accepted as it was. */
const modified = agents.claude.amended('');

describe('reviews', { concurrency: 2 }, () => {
  // Within one agent strictly in order: the scenarios share a terminal.
  for (const name of agentNames) describe(name, { concurrency: 1 }, () => reviews(name));
});

function reviews(name: AgentName): void {
  const shared = new SharedWorld(name);

  shared.scenario(`[CLA-7] [GEM-8] [GEM-9] [QWEN-4] ${name}'s edit is accepted unchanged`, async (world) => {
    const seat = world.seat();
    const path = world.sandbox.write('accept.txt', text);
    await seat.task('accept-it', [{ ...edit, path }]);
    const review = await world.companion.review(path, name);
    const shown = await world.companion.show(review);
    assert.equal(shown.original.text, text);
    assert.equal(shown.proposed, edited);
    assert.equal(world.sandbox.read('accept.txt'), text, 'nothing is written before the decision');

    await world.companion.accept(review);
    await world.companion.ended(review, 'accepted');
    await world.onDisk(path, edited);
    await seat.finished('accept-it');
    await world.unlisted(review);
    if (name === 'claude') assert.doesNotMatch(seat.verdict('accept-it'), modified);
  });

  shared.scenario(`[CLA-7] [GEM-9] [QWEN-4] ${name}'s edit is accepted with the user's edits`, async (world) => {
    const seat = world.seat();
    const path = world.sandbox.write('amend.txt', text);
    await seat.task('amend-it', [{ ...edit, path }]);
    const wanted = 'one\nTWO, said the user\nthree\nfour\n';
    await world.companion.accept(await world.companion.review(path, name), wanted);
    await world.onDisk(path, wanted);
    await seat.finished('amend-it');
    assert.match(seat.verdict('amend-it'), seat.profile.amended('TWO, said the user'));
  });

  shared.scenario(`[CLA-7] [GEM-9] [QWEN-4] ${name}'s edit is rejected`, async (world) => {
    const seat = world.seat();
    const path = world.sandbox.write('reject.txt', text);
    await seat.task('reject-it', [{ ...edit, path }]);
    const review = await world.companion.review(path, name);
    await world.companion.reject(review);
    await world.companion.ended(review, 'rejected');
    await seat.sawRejection(path);
    assert.equal(world.sandbox.read('reject.txt'), text);
    assert.equal(seat.model.mainRequests('reject-it').length, 2, 'the turn ends without asking the model again');
    await world.unlisted(review);
  });

  shared.scenario(`[CLA-8] [GEM-10] [QWEN-4] ${name}'s edit is answered in the terminal first`, async (world) => {
    const seat = world.seat();
    const path = world.sandbox.write('terminal.txt', text);
    await seat.task('terminal-it', [{ ...edit, path }]);
    const review = await world.companion.review(path, name);
    await seat.agent.allowInTerminal();
    await world.companion.ended(review, 'withdrawn');
    await world.unlisted(review);
    await world.onDisk(path, edited);
    await seat.finished('terminal-it');
    const late = await world.companion.run('review', 'reject', review.id);
    assert.notEqual(late.code, 0, 'a decision that comes too late is refused');
  });

  shared.scenario(`[GEM-10] [QWEN-4] ${name}'s terminal says yes to a text the user has changed`, async (world) => {
    const seat = world.seat();
    const path = world.sandbox.write('changed.txt', text);
    await seat.task('change-it', [{ ...edit, path }]);
    const review = await world.companion.review(path, name);
    const wanted = 'one\nTWO, said the user\nthree\nfour\n';
    await world.companion.amend(review, wanted);
    await seat.agent.allowInTerminal();
    await seat.finished('change-it');
    if (!seat.profile.takesEditsFromTerminal) {
      await world.onDisk(path, edited);
      const told = () => world.companion.events.some((e) => e.event === 'notice' && e.message.includes(path));
      await world.until('the user to be told that the edits are not in the file', told);
      await world.companion.cli('review', 'restore', review.id);
    }
    await world.onDisk(path, wanted);
  });

  shared.scenario(`[CLA-7] [GEM-9] [QWEN-4] ${name} proposes two edits in one message`, async (world) => {
    const seat = world.seat();
    const first = world.sandbox.write('first.txt', text);
    const second = world.sandbox.write('second.txt', text);
    await seat.task('both', [
      { ...edit, path: first },
      { tool: 'edit', path: second, old: 'three', new: 'THREE' },
    ]);
    await world.companion.accept(await world.companion.review(first, name));
    await world.companion.accept(await world.companion.review(second, name));
    await world.onDisk(first, edited);
    await world.onDisk(second, 'one\ntwo\nTHREE\nfour\n');
    await seat.finished('both');
  });

  shared.scenario(`[CLA-7] [GEM-9] [QWEN-4] ${name}'s new file keeps its final newline`, async (world) => {
    const seat = world.seat();
    const path = world.sandbox.path('fresh/new.txt');
    await seat.task('new-file', [{ tool: 'write', path, content: 'hello\nworld\n' }]);
    const review = await world.companion.review(path, name);
    const shown = await world.companion.show(review);
    assert.deepEqual([shown.original.exists, shown.proposed], [false, 'hello\nworld\n']);
    await world.companion.accept(review);
    await seat.finished('new-file');
    await world.onDisk(path, 'hello\nworld\n');
  });

  shared.scenario(`[CLA-7] [GEM-15] [QWEN-4] ${name}'s edit of a CRLF file is one change`, async (world) => {
    const seat = world.seat();
    const path = world.sandbox.write('crlf.txt', text.replaceAll('\n', '\r\n'));
    await seat.task('crlf-it', [{ ...edit, path }]);
    const review = await world.companion.review(path, name);
    const { hunks } = await world.companion.show(review);
    const changes = hunks.flatMap(({ lines }) => lines.filter((line) => !line.startsWith(' ')));
    assert.deepEqual(changes, ['-two', '+TWO']);
    await world.companion.accept(review);
    await world.onDisk(path, edited.replaceAll('\n', '\r\n'));
    await seat.finished('crlf-it');
    if (name === 'claude') assert.doesNotMatch(seat.verdict('crlf-it'), modified);
  });

  shared.scenario(`[CLA-7] [GEM-9] [QWEN-4] ${name} edits a file with an unusual name`, async (world) => {
    const seat = world.seat();
    const path = world.sandbox.write('Ein Ordner/größe 日本 naïve.txt', text);
    await seat.task('odd-name', [{ tool: 'edit', path, old: 'two', new: 'zwölf' }]);
    await world.companion.accept(await world.companion.review(path, name));
    await world.onDisk(path, 'one\nzwölf\nthree\nfour\n');
    await seat.finished('odd-name');
  });

  if (name !== 'claude') {
    shared.scenario(`[GEM-12] [QWEN-4] an empty text for ${name} is refused and the review stays`, async (world) => {
      const path = world.sandbox.write('empty.txt', text);
      await world.seat().task('empty-it', [{ ...edit, path }]);
      const review = await world.companion.review(path, name);
      const { code, stderr } = await world.companion.run('review', 'accept', review.id, '--content-file', '/dev/null');
      assert.notEqual(code, 0);
      assert.match(stderr, /empty/);
      assert.equal((await world.companion.reviews()).length, 1);
      await world.companion.reject(review);
      await world.seat().sawRejection(path);
      assert.equal(world.sandbox.read('empty.txt'), text);
    });
  }

  if (name === 'gemini') {
    shared.scenario('[GEM-14] gemini opens diffs again after Ctrl-C left its lock stuck', async (world) => {
      const seat = world.seat();
      const stuck = world.sandbox.write('stuck.txt', text);
      await seat.task('get-stuck', [{ ...edit, path: stuck }]);
      const orphan = await world.companion.review(stuck, name);
      await seat.agent.press('C-c');
      await seat.sawRejection(stuck);

      // Its lock is stuck: no diff for this one, only the terminal can answer.
      const next = world.sandbox.write('next.txt', text);
      await seat.task('stay-stuck', [{ ...edit, path: next }]);
      await seat.agent.allowInTerminal();
      await world.onDisk(next, edited);
      await seat.finished('stay-stuck');
      await world.unlisted(orphan);

      const last = world.sandbox.write('last.txt', text);
      await seat.task('be-free', [{ ...edit, path: last }]);
      await world.companion.accept(await world.companion.review(last, name));
      await world.onDisk(last, edited);
      await seat.finished('be-free');
    });
  }

  shared.ends(`[ALL-5] nothing is left after the reviews of ${name}`);
}
