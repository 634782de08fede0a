import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/world.ts';
import { Bench } from './support/bench.ts';
import {
  content,
  gone,
  isFocused,
  messages,
  nextReview,
  openFile,
  panelButton,
  press,
  proposed,
  review,
  reviews,
  shows,
  textOf,
} from './support/steps.ts';

const OLD = `${Array.from({ length: 30 }, (_, i) => `const value${i} = ${i};`).join('\n')}\n`;
const NEW = OLD.replace('value2 = 2', 'value2 = 200').replace('value20 = 20', 'value20 = 2000');
const FILES = { 'a.ts': OLD, 'b.ts': 'b\n', 'c.ts': 'c\n' };

test('a review announces itself: badge, title, message; the list says who and what', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  await openFile(page, 'b.ts');
  const agent = await bench.agent();
  await agent.call('openDiff', { filePath: bench.path('a.ts'), newContent: NEW });
  await shows('the badge', panelButton(page, 'Reviews'), '1');
  await until('the title', async () => (await page.title()).startsWith('(1) '));
  await shows('the message', messages(page), 'Gemini CLI proposes a change to a.ts');
  await panelButton(page, 'Reviews').click();
  await shows('who and what', reviews(page), /a\.ts[\s\S]*Gemini CLI/);
  await reviews(page).getByRole('button').click();
  await shows('the file and the agent', review(page), /a\.ts[\s\S]*Gemini CLI/);
  await shows('how many changes', review(page), 'of 2 changes');
});

test('a notification is sent if the page is hidden and the user wants it', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page({ permissions: ['notifications'] });
  await openFile(page, 'b.ts');
  await page.evaluate(`
    window.notified = [];
    window.Notification = class { static permission = 'granted'; constructor(title, { body }) { notified.push(body); } };
    Object.defineProperty(document, 'hidden', { value: true });
  `);
  const agent = await bench.agent();
  await agent.call('openDiff', { filePath: bench.path('a.ts'), newContent: NEW });
  await until('it', async () => ((await page.evaluate('notified.length')) as number) > 0);
  assert.deepEqual(await page.evaluate('notified'), ['Gemini CLI proposes a change to a.ts']);
});

test('side by side and inline, remembered; next and previous by keyboard', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  const agent = await bench.agent();
  await agent.call('openDiff', { filePath: bench.path('a.ts'), newContent: NEW });
  await nextReview(page);
  await until('it has the keyboard', () => isFocused(proposed(page)));
  assert.equal(await review(page).locator('.cm-editor').count(), 2);
  await shows('the first change', review(page), '1 of 2');
  await press(page, 'F7');
  await shows('the second', review(page), '2 of 2');
  await press(page, 'Shift+F7');
  await shows('the first again', review(page), '1 of 2');
  await review(page).getByRole('button', { name: 'Inline' }).click();
  await until('one pane', async () => (await review(page).locator('.cm-editor').count()) === 1);
  await page.reload();
  await review(page).getByRole('button', { name: 'Side by side' }).waitFor();
  await until('one pane', async () => (await review(page).locator('.cm-editor').count()) === 1);
});

test('the right side is edited and accepted by keyboard: the agent gets the user’s text', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  const agent = await bench.agent();
  await agent.call('openDiff', { filePath: bench.path('a.ts'), newContent: NEW });
  await nextReview(page);
  await press(page, 'Control+Home');
  await page.keyboard.type('// mine\n');
  await review(page).getByRole('button', { name: 'Accept', disabled: false }).waitFor();
  await press(page, 'Control+Enter');
  await until('the answer', () => agent.notified('ide/diffAccepted').length > 0);
  assert.deepEqual(agent.notified('ide/diffAccepted'), [{ filePath: bench.path('a.ts'), content: `// mine\n${NEW}` }]);
  await gone(review(page));
  assert.equal(bench.read('a.ts'), OLD, 'the agent writes, not we');
});

test('one change is put back, the other accepted', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  const agent = await bench.agent();
  await agent.call('openDiff', { filePath: bench.path('a.ts'), newContent: NEW });
  await nextReview(page);
  await shows('the first change', review(page), '1 of 2');
  await press(page, 'Shift+Alt+Enter');
  await shows('one is left', review(page), 'of 1 changes');
  await review(page).getByRole('button', { name: 'Accept', disabled: false }).click();
  await until('the answer', () => agent.notified('ide/diffAccepted').length > 0);
  assert.equal(agent.notified('ide/diffAccepted')[0].content, OLD.replace('value20 = 20', 'value20 = 2000'));
});

test('every change can be decided by its own buttons', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  const agent = await bench.agent();
  await agent.call('openDiff', { filePath: bench.path('a.ts'), newContent: NEW });
  await nextReview(page);
  await review(page)
    .getByRole('button', { name: /Put the old lines back/ })
    .first()
    .click();
  await shows('one is left', review(page), 'of 1 changes');
  await until('the workbench has it', () => bench.editor.reviews[0]?.text !== NEW);
});

test('rejecting by keyboard; with notes, they become a prompt to copy', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page({ permissions: ['clipboard-read', 'clipboard-write'] });
  const agent = await bench.agent();
  await agent.call('openDiff', { filePath: bench.path('a.ts'), newContent: NEW });
  await nextReview(page);
  await shows('the first change', review(page), '1 of 2');
  await press(page, 'Control+Alt+m');
  const field = review(page).getByRole('textbox', { name: 'Note on line 3' });
  await until('the note has the keyboard', async () => (await field.count()) > 0 && isFocused(field));
  await page.keyboard.type('Why 200?');
  await press(page, 'Control+Enter'); // ends the note and decides nothing
  await shows('the note', review(page), 'Why 200?');
  assert.equal(agent.notified('ide/diffAccepted').length, 0);
  await until('the text has the keyboard', () => isFocused(proposed(page)));
  await review(page).getByRole('button', { name: 'Reject', disabled: false }).waitFor();
  await press(page, 'Control+Shift+Backspace');
  await until('the answer', () => agent.notified('ide/diffRejected').length > 0);
  const closed = page.getByRole('region', { name: 'Closed review of a.ts' });
  await shows('the prompt', closed, 'line 3 of your version (`const value2 = 200;`): Why 200?');
  await closed.getByRole('button', { name: 'Copy prompt' }).click();
  await shows('copied', messages(page), 'Copied.');
  assert.match((await page.evaluate('navigator.clipboard.readText()')) as string, /I rejected .*a\.ts[\s\S]*Why 200\?/);
});

test('notes are offered however the review ends: accepted here, or answered in the terminal', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  const agent = await bench.agent();
  const noted = async (text: string) => {
    await agent.call('openDiff', { filePath: bench.path('a.ts'), newContent: NEW });
    await nextReview(page);
    await shows('the first change', review(page), '1 of 2');
    await press(page, 'Control+Alt+m');
    const field = review(page).getByRole('textbox', { name: 'Note on line 3' });
    await until('the note has the keyboard', async () => (await field.count()) > 0 && isFocused(field));
    await page.keyboard.type(text);
    await press(page, 'Control+Enter');
  };
  const closed = page.getByRole('region', { name: 'Closed review of a.ts' });
  await noted('Good.');
  await review(page).getByRole('button', { name: 'Accept', disabled: false }).click();
  await shows('the prompt', closed, /I accepted your change to .*a\.ts[\s\S]*: Good\./);
  await closed.getByRole('button', { name: 'Back to the text' }).click();

  const answered = () => agent.call('closeDiff', { filePath: bench.path('a.ts'), suppressNotification: true });
  await noted('Hm.');
  await answered();
  await shows('the prompt', closed, /My notes on your change to .*a\.ts[\s\S]*: Hm\./);

  await noted('Later.');
  await review(page).getByRole('button', { name: 'Later' }).click();
  await answered();
  await messages(page).getByRole('button', { name: 'Show my notes' }).click();
  await shows('the prompt', closed, /My notes on your change to .*a\.ts[\s\S]*: Later\./);
});

test('the left side is the unsaved text, where there is one', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  await openFile(page, 'b.ts');
  await page.keyboard.type('unsaved ');
  await until('it is with the workbench', () => bench.text('b.ts') === 'unsaved b\n');
  const agent = await bench.agent();
  await agent.call('openDiff', { filePath: bench.path('b.ts'), newContent: 'proposed\n' });
  await nextReview(page);
  await shows('it says so', review(page), 'compared with your unsaved text');
  const left = review(page).getByRole('textbox', { name: /^Your unsaved text/ });
  assert.equal(await textOf(left), 'unsaved b\n');
});

test('the terminal answers first: the review closes, says so, and nothing takes its place by itself', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  const agent = await bench.agent();
  await agent.call('openDiff', { filePath: bench.path('a.ts'), newContent: NEW });
  await agent.call('openDiff', { filePath: bench.path('b.ts'), newContent: 'other\n' });
  await panelButton(page, 'Reviews').click();
  await reviews(page).filter({ hasText: 'a.ts' }).getByRole('button').click();
  await until('it has the keyboard', () => isFocused(proposed(page)));
  await page.keyboard.type('mine ');
  await until('the workbench has it', () => bench.editor.reviews[0]?.text.includes('mine '));
  await agent.call('closeDiff', { filePath: bench.path('a.ts'), suppressNotification: true });
  const closed = page.getByRole('region', { name: 'Closed review of a.ts' });
  await shows('it says so', closed, /a\.ts: (answered in the terminal|taken back|withdrawn)/);
  await shows('and what the user had changed is not lost', closed, 'mine ');
  await press(page, 'Control+Enter'); // meant for the one that is gone
  await closed.getByRole('button', { name: 'Next review' }).click();
  await shows('the other one still waits', review(page), 'b.ts');
  assert.equal(agent.notified('ide/diffAccepted').length, 0);
});

test('two agents on the same file: each has its own review, and only it is answered', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  const [gemini, claude] = [await bench.agent(), await bench.claude()];
  await gemini.call('openDiff', { filePath: bench.path('b.ts'), newContent: 'from gemini\n' });
  const asked = claude.ask('tools/call', {
    name: 'openDiff',
    arguments: {
      old_file_path: bench.path('b.ts'),
      new_file_path: bench.path('b.ts'),
      new_file_contents: 'from claude\n',
      tab_name: 'b.ts (claude)',
    },
  });
  await panelButton(page, 'Reviews').click();
  await until('both', async () => (await reviews(page).count()) === 2);
  await reviews(page).filter({ hasText: 'Claude Code' }).getByRole('button').click();
  await shows('whose it is', review(page), 'Proposed by Claude Code');
  assert.equal(await textOf(proposed(page)), 'from claude\n');
  await review(page).getByRole('button', { name: 'Accept', disabled: false }).click();
  const answer = await until('the answer', () => claude.answerTo(asked));
  assert.equal(answer.result.content[0].text, 'FILE_SAVED');
  assert.equal(answer.result.content[1].text, 'from claude\n');
  await shows('then the other one', review(page), 'Proposed by Gemini CLI');
  assert.equal(gemini.notified('ide/diffAccepted').length, 0);
  await review(page).getByRole('button', { name: 'Reject', disabled: false }).click();
  await until('the other answer', () => gemini.notified('ide/diffRejected').length > 0);
});

test('a new file and a file outside the workspace are called so', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  const agent = await bench.agent();
  await agent.call('openDiff', { filePath: bench.path('new.ts'), newContent: 'x\n' });
  await shows('a new file', review(page), 'new file');
  await agent.call('openDiff', { filePath: '/tmp/elsewhere.txt', newContent: 'x\n' });
  await shows('both wait', panelButton(page, 'Reviews'), '2');
  await press(page, 'Alt+,');
  await shows('outside', review(page), 'outside the workspace');
});

test('what another window or the command line changes in a review is followed, and typing is never undone', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  const agent = await bench.agent();
  await agent.call('openDiff', { filePath: bench.path('b.ts'), newContent: 'proposed\n' });
  const id = bench.editor.reviews[0]?.id ?? '';
  await until('it is shown', async () => (await proposed(page).count()) > 0);
  bench.companion.desk.amend(id, 'from elsewhere\n');
  await until('it is followed', async () => (await textOf(proposed(page))) === 'from elsewhere\n');
  await proposed(page).click();
  await press(page, 'Control+End');
  // A slow way to the workbench: each change comes back while the next word is typed.
  const amend = bench.editor.amend.bind(bench.editor);
  bench.editor.amend = (each, text) => setTimeout(() => amend(each, text), 60);
  const sentence = 'a sentence typed in the rhythm of the hand ';
  for (const letter of sentence)
    await page.keyboard.press(letter === ' ' ? 'Space' : letter, { delay: letter === ' ' ? 180 : 20 });
  await until('the workbench has it', () => bench.editor.reviews[0]?.text === `from elsewhere\n${sentence}`);
  assert.equal(await textOf(proposed(page)), `from elsewhere\n${sentence}`);
});

test('"Later" leaves it waiting', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  await openFile(page, 'b.ts');
  const agent = await bench.agent();
  await agent.call('openDiff', { filePath: bench.path('a.ts'), newContent: NEW });
  await messages(page).getByRole('button', { name: 'Show' }).click();
  await review(page).getByRole('button', { name: 'Later' }).click();
  await until('the text has the keyboard', async () => (await content(page).count()) > 0 && isFocused(content(page)));
  assert.equal(bench.editor.reviews.length, 1);
});
