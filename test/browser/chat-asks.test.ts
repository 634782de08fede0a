import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PermissionRequest } from '../../packages/chat/src/view.ts';
import type { Review } from '../../packages/core/src/index.ts';
import { until } from '../support/world.ts';
import { asks, field, log, panel, type ScriptedChat, scriptedBench, talk } from './support/scripted-chat.ts';
import {
  content,
  gone,
  isFocused,
  messages,
  openFile,
  panelButton,
  press,
  proposed,
  review,
  shows,
} from './support/steps.ts';

const FILES = { 'a.ts': 'const a = 1;\n', 'b.ts': 'b\n' };
/** As Qwen Code tells them; shown is what allows least first. */
const OPTIONS = [
  { id: 'always', name: 'Allow all', kind: 'allow_always' },
  { id: 'once', name: 'Allow once', kind: 'allow_once' },
  { id: 'no', name: 'No', kind: 'reject_once' },
] as const;

function shell(id: string, command: string): PermissionRequest {
  const call = { id: `call-${id}`, title: `Run ${command}`, kind: 'execute', status: 'pending' } as const;
  return { id, call: { ...call, locations: [], content: [], input: { command } }, options: OPTIONS };
}

const answered = (chat: ScriptedChat, id: string) =>
  chat.emit({ type: 'answered', id, answer: { outcome: 'selected', optionId: 'once', by: 'here' } });

test('a permission waits without taking the keyboard, and is answered by it', async (t) => {
  const { bench, chats } = await scriptedBench(t, { files: FILES });
  const page = await bench.page();
  const chat = await talk(page, chats);
  await openFile(page, 'b.ts');
  chat.emit(
    { type: 'permission', request: shell('1', 'rm -rf build') },
    { type: 'permission', request: shell('2', 'ls') },
  );
  await shows('what is asked', asks(page), /Alpha asks for permission[\s\S]*Run rm -rf build/);
  await shows('that another one waits', asks(page), 'One more waits.');
  await shows('the badge', panelButton(page, 'Chat'), '2');
  assert.ok(await isFocused(content(page)), 'the caret stays in the text');
  await press(page, 'Alt+6');
  const answers = asks(page).getByRole('group', { name: 'Answers' });
  await until('the keyboard is on the answers', () => isFocused(answers));
  await press(page, 'Escape');
  await until('the keyboard is where one writes', () => isFocused(field(page)));
  assert.deepEqual(chat.asked, [], 'nothing is decided by it');
  await press(page, 'ArrowUp');
  await until('the keyboard is on the answers again', () => isFocused(answers));
  await asks(page).locator('[aria-disabled=false]').first().waitFor();
  await press(page, '2');
  await until('the answer', () => chat.commands('permission').length === 1);
  assert.deepEqual(chat.commands('permission')[0], { do: 'permission', id: '1', answer: { optionId: 'always' } });
  answered(chat, '1');
  await shows('the next one', asks(page), 'Run ls');
  await until('has the keyboard', () => isFocused(asks(page).getByRole('group', { name: 'Answers' })));
  await asks(page).locator('[aria-disabled=false]').first().waitFor();
  await press(page, 'ArrowRight', 'ArrowRight', 'Enter');
  await until('the other answer', () => chat.commands('permission').length === 2);
  assert.deepEqual(chat.commands('permission')[1], { do: 'permission', id: '2', answer: { optionId: 'no' } });
  answered(chat, '2');
  await gone(asks(page));
  await until('the field has the keyboard', () => isFocused(field(page)));
});

test('answered elsewhere, the card goes away and says nothing wrong', async (t) => {
  const { bench, chats } = await scriptedBench(t, { files: FILES });
  const page = await bench.page();
  const chat = await talk(page, chats);
  chat.emit({ type: 'permission', request: shell('1', 'ls') });
  await asks(page).waitFor();
  chat.emit({ type: 'answered', id: '1', answer: { outcome: 'selected', optionId: 'once', by: 'elsewhere' } });
  await gone(asks(page));
  assert.equal(await panel(page).getByRole('alert').count(), 0);

  // A change that is not shown: the question at least names the files.
  const call = { id: 'e', title: 'Edit files', kind: 'edit', status: 'pending', content: [] } as const;
  const locations = ['b.ts', 'src/c.ts'].map((name) => ({ path: bench.path(name) }));
  chat.emit({ type: 'permission', request: { id: '2', call: { ...call, locations }, options: OPTIONS } });
  await shows('the files', asks(page), /Edit files[\s\S]*b\.ts[\s\S]*src\/c\.ts/);
});

test('a closed panel does not open by itself: a message says that somebody asks', async (t) => {
  const { bench, chats } = await scriptedBench(t, { files: FILES });
  const page = await bench.page();
  const chat = await talk(page, chats);
  await press(page, 'Alt+6');
  await gone(panel(page));
  chat.emit({ type: 'permission', request: shell('1', 'ls') });
  await shows('the message', messages(page), 'Alpha waits for your answer.');
  await messages(page).getByRole('button', { name: 'Show' }).click();
  await until('there', () => isFocused(asks(page).getByRole('group', { name: 'Answers' })));
});

test('questions are answered by keyboard: one of several, many, or one’s own words', async (t) => {
  const { bench, chats } = await scriptedBench(t, { files: FILES });
  const page = await bench.page();
  const chat = await talk(page, chats);
  const options = [{ label: 'Red', description: 'as fire' }, { label: 'Blue' }];
  const question = (key: string, multiSelect: boolean) => ({
    key,
    header: key,
    question: `Which ${key}?`,
    options,
    multiSelect,
  });
  chat.emit({
    type: 'question',
    request: { id: 'q', toolCallId: 't', questions: [question('0', false), question('1', true), question('2', false)] },
  });
  const card = asks(page);
  await shows('the questions', card, /Which 0\?[\s\S]*Red as fire[\s\S]*Which 1\?/);
  await press(page, 'Alt+6');
  await until('the first choice has the keyboard', () => isFocused(card.getByRole('radio').first()));
  await press(page, '2');
  assert.ok(await card.getByRole('radio', { name: /Blue/ }).first().isChecked());
  await press(page, 'Enter'); // two are open
  assert.equal(chat.commands('question').length, 0);
  await card.getByRole('checkbox').first().focus();
  await press(page, '1', '2');
  await card.getByRole('textbox', { name: 'Your own answer to: Which 2?' }).fill('Green, rather');
  await card.locator('[aria-disabled=false]').waitFor();
  await press(page, 'Enter');
  const { answers } = await until('the answers', () => chat.commands('question')[0]);
  assert.deepEqual(answers, { 0: 'Blue', 1: 'Red, Blue', 2: 'Green, rather' });
  chat.emit({ type: 'answered', id: 'q', answer: { outcome: 'selected', optionId: 'x', by: 'here' } });
  chat.emit({ type: 'question', request: { id: 'r', toolCallId: 't', questions: [question('0', false)] } });
  await shows('another', card, 'Which 0?');
  await until('declined', async () => {
    await card.getByRole('button', { name: 'Decline' }).click();
    return chat.commands('question').length === 2;
  });
  assert.deepEqual(chat.commands('question')[1], { do: 'question', id: 'r' });
});

/** A permission whose change lies on the desk, as the host puts it there. */
function onDesk(chat: ScriptedChat, desk: { open(request: never): Review }, path: string, deliver = () => {}): Review {
  const diff = { type: 'diff', path, oldText: 'const a = 1;\n', newText: 'const a = 2;\n' } as const;
  const call = { id: 'edit', title: 'Edit a.ts', kind: 'edit', status: 'pending' } as const;
  chat.emit({
    type: 'permission',
    request: { id: 'e', call: { ...call, locations: [{ path }], content: [diff] }, options: OPTIONS },
  });
  const request = { link: chat.id, agent: chat.agent.id, path, proposed: diff.newText, deliver };
  const opened = desk.open(request as never);
  chat.emit({ type: 'review', permission: 'e', review: opened.id });
  return opened;
}

test('a change opens on the desk from its card, under the agent’s name [DMN-11]', async (t) => {
  const { bench, chats } = await scriptedBench(t, { files: FILES });
  const page = await bench.page();
  const chat = await talk(page, chats);
  onDesk(chat, bench.companion.desk, bench.path('a.ts'));
  await shows('how much it is', log(page).getByRole('button', { name: /Edit a\.ts/ }), /\+1\s+−1/);
  await asks(page).getByRole('button', { name: 'Show the change' }).click();
  await until('it has the keyboard', async () => (await proposed(page).count()) > 0 && isFocused(proposed(page)));
  await shows('whose it is', review(page), 'Proposed by Alpha');
  await review(page).getByRole('button', { name: 'Accept', disabled: false }).click();
  await until('decided', () => bench.companion.desk.reviews.length === 0);
  answered(chat, 'e');
  await gone(asks(page));
  await gone(log(page).getByRole('button', { name: 'Review', exact: true }));
});

test('rejected with notes: the prompt is sent to the conversation it came from', async (t) => {
  const { bench, chats } = await scriptedBench(t, { files: FILES });
  const page = await bench.page();
  const chat = await talk(page, chats, 'Alpha');
  await talk(page, chats, 'Beta');
  onDesk(chat, bench.companion.desk, bench.path('a.ts'));
  await panelButton(page, 'Reviews').locator('.badge').waitFor();
  await press(page, 'Alt+.');
  await until('the review', async () => (await proposed(page).count()) > 0 && isFocused(proposed(page)));
  await press(page, 'Control+Alt+m');
  const note = review(page).getByRole('textbox', { name: 'Note on line 1' });
  await until('the note', async () => (await note.count()) > 0 && isFocused(note));
  await page.keyboard.type('Why two?');
  await press(page, 'Control+Enter');
  await review(page).getByRole('button', { name: 'Reject', disabled: false }).click();
  const closed = page.getByRole('region', { name: 'Closed review of a.ts' });
  await closed.getByRole('button', { name: 'Send to chat' }).click();
  const { draft } = await until('the prompt', () => chat.commands('prompt')[0]);
  assert.match(draft.text, /I rejected .*a\.ts[\s\S]*Why two\?/);
  const front = panel(page).getByRole('tab', { selected: true });
  await until('it is in front', async () => (await front.getAttribute('title'))?.startsWith('Alpha: '));
  await closed.getByRole('button', { name: 'Sent' }).waitFor();
});
