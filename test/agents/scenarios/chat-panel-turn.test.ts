// What one turn of the real Qwen Code looks like in the workbench's panel, and how it is answered by keyboard.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../chat/model.ts';
import { hasKeyboard, type Panel } from '../chat/panel.ts';
import { inPanel, type PanelWorld } from '../chat/panel-world.ts';
import { waitFor } from '../wait.ts';

const timeout = 120_000;
const call = (name: string, input: object): Answer => ({ call: { name, input } });
const says = (text: string): Answer => ({ pieces: [{ text }] });

test(
  '[ACP-1] [ACP-4] thoughts, plan, question, command, places, own edits and notes in one conversation',
  {
    timeout,
  },
  () =>
    inPanel(
      () => ({}),
      async (panel, world) => {
        world.talk.sandbox.write('talk.txt', 'one\ntwo\nthree\nfour\n');
        await panel.start();
        await work(panel, world);
        await places(panel, world);
        await ownEdits(panel, world);
        await notes(panel, world);
      },
    ),
);

/** It thinks, makes a plan, asks, runs a command and goes on with its plan. No pointer is needed for an answer. */
async function work(panel: Panel, { talk: { model } }: PanelWorld): Promise<void> {
  const todo = (first: string, second: string) => ({
    todos: [
      { id: '1', content: 'ask the user', status: first },
      { id: '2', content: 'make the file', status: second },
    ],
  });
  const options = ['Red', 'Blue'].map((label) => ({ label, description: `${label}ish` }));
  const questions = [{ question: 'Which color?', header: 'Color', options, multiSelect: false }];
  const command = 'printf made-by-shell | tee made.txt; exit 3';
  model.script('do the work', [
    call('todo_write', todo('in_progress', 'pending')),
    call('ask_user_question', { questions }),
    call('todo_write', todo('completed', 'in_progress')),
    call('run_shell_command', { command, description: 'make it', is_background: false }),
    call('todo_write', todo('completed', 'completed')),
    { pieces: [{ thought: 'It **failed** with a three.\nWhy so?' }, { text: 'All is done.' }] },
  ]);
  await panel.say('do the work');
  await panel.question.waitFor();
  const plan = panel.log.getByRole('region', { name: 'Plan' });
  assert.match(await plan.innerText(), /0 of 2/);
  assert.ok(await hasKeyboard(panel.field), 'a question does not take the keyboard');
  await panel.field.press('ArrowUp');
  await waitFor('the keyboard on the choices', () => hasKeyboard(panel.question));
  await panel.page.keyboard.press('2');
  await panel.question
    .getByRole('button', { name: 'Answer' })
    .and(panel.page.locator('[aria-disabled=false]'))
    .waitFor();
  await panel.page.keyboard.press('Enter');

  await panel.permission.getByText(command).first().waitFor();
  assert.match(model.last('do the work')?.results ?? '', /Blue/);
  assert.match(await plan.innerText(), /1 of 2/);
  await panel.answers();
  await waitFor('the keyboard on the field again', () => hasKeyboard(panel.field));
  await panel.field.press('ArrowUp');
  await panel.page.keyboard.press('1');
  await panel.shows('All is done.');
  await panel.idle();
  assert.equal(await panel.log.getByRole('progressbar').getAttribute('value'), '2');

  const card = panel.log.getByRole('button', { name: /^Runs: .*made-by-shell/ });
  assert.match(await card.innerText(), /exit 3/);
  assert.equal(await card.getAttribute('aria-expanded'), 'true', 'what failed is open');
  await panel.shows(/exit 3[\s\S]*made-by-shell/);
  const thought = panel.log.getByRole('button', { name: /^Thought/ });
  assert.equal(await thought.getAttribute('aria-expanded'), 'false');
  assert.ok(!(await panel.log.innerText()).includes('Why so?'));
  await thought.click();
  await panel.shows('Why so?');
}

/** The places that a tool names open in the editor. */
async function places(panel: Panel, { talk: { model, sandbox } }: PanelWorld): Promise<void> {
  const file = sandbox.path('talk.txt');
  model.script('look at it', [call('read_file', { file_path: file, offset: 2, limit: 1 }), says('Seen.')]);
  await panel.say('look at it');
  await panel.shows('Seen.');
  await panel.log.getByRole('button', { name: /^Reads: / }).click();
  const place = panel.log.getByRole('list', { name: 'Where' }).getByRole('button', { name: 'talk.txt:3', exact: true });
  await place.click();
  await waitFor('the file with the keyboard', () => hasKeyboard(panel.text(file)));
  await panel.page.keyboard.press('Shift+End');
  await panel.chat.getByRole('button', { name: 'Send talk.txt:3 along' }).waitFor();
}

/** Accepted with edits: the user's text is on disk, the agent is told, and that is one step to the user. */
async function ownEdits(panel: Panel, { talk: { model, sandbox } }: PanelWorld): Promise<void> {
  const file = sandbox.path('talk.txt');
  const read = call('read_file', { file_path: file });
  const edit = call('edit', { file_path: file, old_string: 'two', new_string: 'TWO' });
  model.script('change two', [read, edit, says('never said')]);
  model.script('saved my own version', [says('As you like it.')]);
  await panel.say('change two');
  const review = await panel.showChange('talk.txt');
  const right = review.getByRole('textbox', { name: /^Proposed by/ });
  await right.focus();
  await panel.page.keyboard.press('Control+End');
  await panel.page.keyboard.type('five');
  await panel.page.keyboard.press('Control+Enter');
  await waitFor('my text on disk', () => sandbox.read('talk.txt') === 'one\nTWO\nthree\nfour\nfive');
  await panel.shows('As you like it.');
  await panel.idle();
  const heard = model.heard('saved my own version');
  assert.match(heard, /I did not take your change/);
  assert.match(heard, /one\nTWO\nthree\nfour\nfive/);
  const said = panel.log.getByRole('article', { name: 'You' }).last();
  assert.ok(!(await said.innerText()).includes('four'), 'the text is not repeated in the panel');
  await said.getByRole('button', { name: 'talk.txt' }).waitFor();
}

/** Notes on lines of a change that is rejected go back to the conversation. */
async function notes(panel: Panel, { talk: { model, sandbox } }: PanelWorld): Promise<void> {
  const file = sandbox.path('talk.txt');
  const edit = call('edit', { file_path: file, old_string: 'three', new_string: 'THREE' });
  model.script('change three', [call('read_file', { file_path: file }), edit, says('never said')]);
  model.script('Why so loud?', [says('Quietly, then.')]);
  await panel.say('change three');
  const review = await panel.showChange('talk.txt');
  await review.getByRole('textbox', { name: /^Proposed by/ }).focus();
  await panel.page.keyboard.press('F7');
  await panel.page.keyboard.press('Control+Alt+m');
  const note = review.getByRole('textbox', { name: /^Note on line/ });
  await waitFor('the note has the keyboard', () => hasKeyboard(note));
  await panel.page.keyboard.type('Why so loud?');
  await panel.page.keyboard.press('Control+Enter');
  await review.getByRole('button', { name: 'Reject' }).click();
  const closed = panel.page.getByRole('region', { name: 'Closed review of talk.txt' });
  await closed.getByRole('button', { name: 'Send to chat' }).click();
  await panel.shows('Quietly, then.');
  assert.match(model.heard('Why so loud?'), /I rejected .*talk\.txt[\s\S]*THREE[\s\S]*Why so loud\?/);
}
