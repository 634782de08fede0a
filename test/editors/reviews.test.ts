// Reviews in VS Code: where they show, every way to decide them, and the settings about them.
import assert from 'node:assert/strict';
import { waitFor } from '../agents/wait.ts';
import type { HttpAgent } from '../support/http-agent.ts';
import { noteTests } from './review-notes.ts';
import { suite } from './support/suite.ts';
import { becomes } from './support/testing.ts';

const text = 'one\ntwo\nthree\nfour\n';
const edited = 'one\nTWO\nthree\nfour\n';

suite('reviews', {}, (vs) => {
  const accepted = async (agent: HttpAgent, path: string) => {
    const find = () => agent.notified('ide/diffAccepted').find((each) => each.filePath === path);
    return (await waitFor(`${path} to be accepted`, find)).content as string;
  };
  const rejected = (agent: HttpAgent, path: string) =>
    waitFor(`${path} to be rejected`, () => agent.notified('ide/diffRejected').some((each) => each.filePath === path));
  const tabs = async () => (await vs.window.tabs()).map(({ label }) => label);

  vs.test(
    'a review shows in the list, the badge, the status bar and as a diff, and goes when it is accepted',
    async () => {
      const agent = await vs.agent();
      const path = vs.write('shown.txt', text);
      const diff = await vs.propose(agent, path, edited);
      await vs.window.showView('Tandem');
      await waitFor('the list', async () => (await vs.window.rowTexts('Reviews')).length === 2);
      const [group, row] = await vs.window.rowTexts('Reviews');
      assert.match(group ?? '', /Gemini CLI/);
      assert.match(row ?? '', /shown\.txt/);
      await becomes(() => vs.window.badge('Tandem'), '1');
      await becomes(() => vs.window.status('tandem.reviews'), '1');

      await diff.accept();
      assert.equal(await accepted(agent, path), edited);
      await diff.closed();
      await waitFor('an empty list', async () => (await vs.window.rowTexts('Reviews')).length === 0);
      await becomes(() => vs.window.badge('Tandem'), '');
      await becomes(() => vs.window.status('tandem.reviews'), '');
    },
  );

  vs.test('keys in the review: accept and reject', async () => {
    const agent = await vs.agent();
    const [first, second] = [vs.write('key-accept.txt', text), vs.write('key-reject.txt', text)];
    const one = await vs.propose(agent, first, edited);
    await one.typeAtEnd(4, ' by hand');
    await vs.window.press('Control+Enter');
    assert.equal(await accepted(agent, first), 'one\nTWO\nthree\nfour by hand\n');
    await one.closed();
    const two = await vs.propose(agent, second, edited);
    await two.show();
    await two.focusRight();
    await vs.window.press('Control+Shift+Backspace');
    await rejected(agent, second);
    await two.closed();
  });

  vs.test('next and previous, by key, button and command; after a decision the next one shows', async () => {
    const agent = await vs.agent();
    const paths = ['a.txt', 'b.txt', 'c.txt'].map((name) => vs.write(name, text));
    for (const path of paths) await vs.propose(agent, path, edited);
    const front = async () => (await vs.window.tabs()).filter(({ active }) => active).map(({ label }) => label[0]);
    const shows = (name: string) => waitFor(`${name} in front`, async () => (await front()).includes(name));
    await vs.diff(paths[0] ?? '').show();
    await vs.window.press('Alt+.');
    await shows('b');
    await vs.window.titleButton('Next Review').click();
    await shows('c');
    await vs.window.press('Alt+.');
    await shows('a');
    await vs.window.press('Alt+,');
    await shows('c');
    await vs.window.titleButton('Previous Review').click();
    await shows('b');
    await vs.window.command('Tandem: Accept Review');
    await accepted(agent, paths[1] ?? '');
    await shows('a');
    await vs.window.press('Control+Shift+Backspace');
    await rejected(agent, paths[0] ?? '');
    await shows('c');
    await vs.window.press('Control+Enter');
    await accepted(agent, paths[2] ?? '');
  });

  vs.test('the list decides too, and shows what is clicked', async () => {
    const agent = await vs.agent();
    const [first, second] = [vs.write('list-1.txt', text), vs.write('list-2.txt', text)];
    await vs.set({ 'tandem.reviews.placement': 'list', 'tandem.reviews.showNext': false });
    await agent.call('openDiff', { filePath: first, newContent: edited });
    await agent.call('openDiff', { filePath: second, newContent: edited });
    await vs.window.showView('Tandem');
    await waitFor('both in the list', async () => (await vs.window.rowTexts('Reviews')).length === 3);
    assert.deepEqual(await tabs(), [], 'only in the list');
    await vs.window.row('Reviews', 'list-1.txt').click();
    await vs.diff(first).opened();
    await vs.window.rowButton('Reviews', 'list-1.txt', 'Accept Review');
    assert.equal(await accepted(agent, first), edited);
    await vs.window.rowButton('Reviews', 'list-2.txt', 'Reject Review');
    await rejected(agent, second);
  });

  vs.test('placement: beside the group one works in, or in it', async () => {
    const agent = await vs.agent();
    const path = vs.write('placed.txt', text);
    const mine = vs.write('mine.txt', text);
    await vs.window.openFile(mine);
    await becomes(() => vs.window.groups(), 1);
    const beside = await vs.propose(agent, path, edited);
    await becomes(() => vs.window.groups(), 2);
    await vs.window.nextDiff();
    await vs.window.type('the caret stays, ');
    await waitFor('the typed text', async () => (await vs.window.textOf(mine)) === `the caret stays, ${text}`);
    await beside.reject();
    await beside.closed();
    await vs.window.closeAll();

    await vs.set({ 'tandem.reviews.placement': 'activeGroup' });
    await vs.window.openFile(mine);
    const inside = await vs.propose(agent, path, edited);
    assert.equal(await vs.window.groups(), 1);
    await becomes(tabs, ['mine', 'placed.txt ← Gemini CLI']);
    await inside.accept();
    await accepted(agent, path);
  });

  vs.test('closing the tab: rejects, keeps or asks, as the setting says', async () => {
    const agent = await vs.agent();
    await vs.set({ 'tandem.reviews.onTabClose': 'reject' });
    const first = vs.write('close-reject.txt', text);
    await vs.propose(agent, first, edited);
    await vs.window.closeTab('close-reject.txt');
    await rejected(agent, first);

    await vs.set({ 'tandem.reviews.onTabClose': 'keep' });
    const second = vs.write('close-keep.txt', text);
    const kept = await vs.propose(agent, second, edited);
    await vs.window.closeTab('close-keep.txt');
    await kept.closed();
    assert.equal((await vs.companion.reviews()).length, 1);
    await vs.window.press('Alt+.');
    await kept.opened();
    await kept.accept();
    await accepted(agent, second);

    await vs.set({ 'tandem.reviews.onTabClose': 'ask' });
    const third = vs.write('close-ask.txt', text);
    const asked = await vs.propose(agent, third, edited);
    await vs.window.closeTab('close-ask.txt');
    await vs.window.answer('close-ask.txt', 'Show Again');
    await asked.opened();
    await vs.window.closeTab('close-ask.txt');
    await vs.window.answer('close-ask.txt', 'Reject');
    await rejected(agent, third);
  });

  vs.test('saving in the review accepts only if the setting says so', async () => {
    const agent = await vs.agent();
    const path = vs.write('saved.txt', text);
    const diff = await vs.propose(agent, path, edited);
    await diff.typeAtEnd(1, ' more');
    await vs.window.press('Control+s');
    await waitFor('it to be saved', async () => (await vs.window.tabs()).every(({ dirty }) => !dirty));
    const [review] = await vs.companion.reviews();
    assert.ok(review, 'it still waits');
    assert.equal((await vs.companion.ask('review/show', { id: review.id })).text, 'one more\nTWO\nthree\nfour\n');

    await vs.set({ 'tandem.reviews.saveAccepts': true });
    await diff.typeAtEnd(1, ' and more');
    await vs.window.press('Control+s');
    assert.equal(await accepted(agent, path), 'one more and more\nTWO\nthree\nfour\n');
    await diff.closed();
    assert.equal(vs.studio.sandbox.read('saved.txt'), text, 'the agent writes the file, not we');
  });

  vs.test("a change is put back with the diff editor's own arrow, and the rest is accepted", async () => {
    const agent = await vs.agent();
    const before = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join('');
    const path = vs.write('arrows.txt', before);
    const diff = await vs.propose(
      agent,
      path,
      before.replace('line 3\n', 'LINE 3\n').replace('line 20\n', 'LINE 20\n'),
    );
    await diff.show();
    await diff.revert(0);
    await waitFor('the first change to be gone', async () => (await diff.text())?.includes('line 3\n'));
    await diff.accept();
    assert.equal(await accepted(agent, path), before.replace('line 20\n', 'LINE 20\n'));
  });

  vs.test('the left side is what the user sees, unsaved text included, and accepting says so', async () => {
    const agent = await vs.agent();
    const path = vs.write('dirty.txt', text);
    await vs.window.openFile(path);
    await vs.window.press('Control+End');
    await vs.window.type('not saved');
    await waitFor('it to be unsaved', () => vs.window.isDirty(path));
    const diff = await vs.propose(agent, path, edited);
    await vs.window.tab('(left: unsaved)').waitFor();
    await diff.show();
    await waitFor('the unsaved line', async () => (await diff.leftText()).includes('not saved'));
    await diff.accept();
    assert.equal(await accepted(agent, path), edited);
    await vs.window.notice(/dirty\.txt has unsaved changes/).waitFor();
    assert.equal(await vs.window.textOf(path), `${text}not saved`, 'what was typed is still there');
  });

  vs.test('two agents propose for the same file, and each gets its own answer', async () => {
    const [gemini, qwen] = [await vs.agent('gemini'), await vs.agent('qwen')];
    const claude = await vs.claude();
    const path = vs.write('both.txt', text);
    const one = await vs.propose(gemini, path, edited);
    const two = await vs.propose(qwen, path, 'one\ntwo\nTHREE\nfour\n', 'qwen');
    const id = claude.ask('tools/call', {
      name: 'openDiff',
      arguments: { old_file_path: path, new_file_path: path, new_file_contents: 'ONE\n', tab_name: 'third' },
    });
    const three = await vs.diff(path, 'claude').opened();
    await two.typeAtEnd(3, ', said the user');
    await one.reject();
    await rejected(gemini, path);
    await two.accept();
    assert.equal(await accepted(qwen, path), 'one\ntwo\nTHREE, said the user\nfour\n');
    assert.equal(claude.answerTo(id), undefined);
    await three.accept();
    const answer = await waitFor('an answer for the third', () => claude.answerTo(id));
    assert.deepEqual(
      answer.result.content.map((block: { text: string }) => block.text),
      ['FILE_SAVED', 'ONE\n'],
    );
    assert.deepEqual([gemini.notified('ide/diffAccepted'), qwen.notified('ide/diffRejected')], [[], []]);
  });

  vs.test("the terminal's answer closes the diff without a word, and the caret stays", async () => {
    const [agent, claude] = [await vs.agent(), await vs.claude()];
    const mine = vs.write('writing.txt', text);
    await vs.window.openFile(mine);
    const path = vs.write('terminal.txt', text);
    const diff = await vs.propose(agent, path, edited);
    const other = vs.write('terminal-2.txt', text);
    const args = { old_file_path: other, new_file_path: other, new_file_contents: edited, tab_name: 'of claude' };
    claude.ask('tools/call', { name: 'openDiff', arguments: args });
    const second = await vs.diff(other, 'claude').opened();
    await agent.call('closeDiff', { filePath: path, suppressNotification: true });
    await claude.call('close_tab', { tab_name: 'of claude' });
    await diff.closed();
    await second.closed();
    assert.deepEqual(await vs.window.notices(), []);
    await vs.window.type('still here ');
    await waitFor('the typed text', async () => (await vs.window.textOf(mine)).includes('still here '));
  });

  for (const placement of ['beside', 'activeGroup'] as const) {
    vs.test(`typing goes on in the user's editor while diffs open (${placement})`, async () => {
      const agent = await vs.agent();
      await vs.set({ 'tandem.reviews.placement': placement });
      const mine = vs.write(`typing-${placement}.txt`, '');
      await vs.window.openFile(mine);
      const words = Array.from({ length: 30 }, (_, index) => `word${index}`).join(' ');
      const typing = vs.window.type(words, 15);
      for (const name of ['t1.txt', 't2.txt', 't3.txt']) {
        const path = vs.write(name, text);
        await vs.propose(agent, path, edited);
      }
      await typing;
      await waitFor(
        'all that was typed',
        async () => (await vs.window.textOf(mine)) === words,
        5000,
        async () => {
          return JSON.stringify(await vs.window.textOf(mine));
        },
      );
      for (const review of await vs.companion.reviews()) {
        const { proposed, text: now } = await vs.companion.ask('review/show', { id: review.id });
        assert.equal(now, proposed, 'nothing was typed into a review');
      }
    });
  }

  vs.test('a new file has an empty left side, and one outside the workspace is marked', async () => {
    const agent = await vs.agent();
    const path = vs.studio.sandbox.path('fresh/new.txt');
    const diff = await vs.propose(agent, path, 'hello\n');
    await diff.show();
    await becomes(() => diff.leftText(), '');
    await diff.accept();
    assert.equal(await accepted(agent, path), 'hello\n');
    const outside = vs.studio.sandbox.path('../outside.txt');
    const far = await vs.propose(agent, outside, 'far\n');
    await vs.window.showView('Tandem');
    await waitFor('the mark', async () => /outside the workspace/.test((await vs.window.rowTexts('Reviews')).join()));
    await far.reject();
    await rejected(agent, outside);
  });

  vs.test('what was typed into a review whose agent died is kept and offered', async () => {
    const agent = await vs.claude();
    const path = vs.write('lost.txt', text);
    const args = { old_file_path: path, new_file_path: path, new_file_contents: edited, tab_name: 'lost' };
    agent.ask('tools/call', { name: 'openDiff', arguments: args });
    const diff = await vs.diff(path, 'claude').opened();
    await diff.typeAtEnd(2, ', my own words');
    const [review] = await vs.companion.reviews();
    const known = async () => (await vs.companion.ask('review/show', { id: review?.id })).text.includes('my own words');
    await waitFor('the desk to know it', known);
    agent.socket.terminate();
    await diff.closed();
    await vs.window.answer('lost.txt', 'Show Them');
    const shown = () =>
      vs.window.inHost((api) => api.workspace.textDocuments.some((each) => each.getText().includes('my own words')));
    await waitFor('the kept words', shown);
  });

  noteTests(vs);
});
