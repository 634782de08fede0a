import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/world.ts';
import { field, log, panel, scriptedBench, talk } from './support/scripted-chat.ts';
import { content, isFocused, openFile, panelButton, press, shows } from './support/steps.ts';

const FILES = { 'src/a.ts': 'const a = 1;\nconst b = 2;\nconst c = 3;\n', 'src/other.ts': 'x\n', 'notes.md': '# n\n' };

test('agents are offered with what would run; nothing runs before the user says so', async (t) => {
  const { bench, chats } = await scriptedBench(t, { files: FILES });
  const page = await bench.page();
  await press(page, 'Alt+6');
  const offers = panel(page).getByRole('list', { name: 'Agents' }).getByRole('listitem');
  await shows('the command', offers, '/opt/alpha --acp');
  await shows('how to get the one that is not there', offers, /Gone[\s\S]*npm install -g gone[\s\S]*not found/);
  const start = panel(page).getByRole('button', { name: 'Start Alpha' });
  await until('the keyboard is on it', () => isFocused(start));
  assert.equal(chats.length, 0);
  await press(page, 'Enter');
  await until('it is started', () => chats[0]?.started);
  await shows('it says so', panel(page), 'Starting Alpha…');
  chats[0]?.connect();
  await shows('and that it is there', panel(page), 'Alpha 1.2.3 · connected');
});

test('an answer streams as Markdown, with colours, and no HTML comes of it', async (t) => {
  const { bench, chats } = await scriptedBench(t, { files: FILES });
  const page = await bench.page();
  const chat = await talk(page, chats);
  await field(page).fill('explain');
  await press(page, 'Enter');
  const prompt = await until('the prompt', () => chat.commands('prompt')[0]);
  assert.equal(prompt.draft.text, 'explain');
  await until('the field is empty', async () => (await field(page).inputValue()) === '');
  chat.emit(
    { type: 'message', role: 'user', text: 'explain', promptId: 'p' },
    { type: 'turn-start', promptId: 'p' },
    { type: 'message', role: 'agent', text: 'Some **bold' },
  );
  await shows('the first words', log(page), 'Some **bold');
  const pieces = [
    '** and `code` and [a file](src/a.ts#L2), [web](https://example.com/), [bad](javascript:alert(1)).\n\n',
    '| a | b |\n|---|--:|\n| 1 |',
    ' 2 |\n\n- [x] done\n- [ ] open\n\n~~old~~\n\n```ts\nconst x: number = 1; // why\n```\n\n',
    '<img src=x onerror="globalThis.hurt = 1"><script>globalThis.hurt = 1</script>\n',
  ];
  for (const text of pieces) chat.emit({ type: 'message', role: 'agent', text });
  chat.emit({ type: 'turn-end', promptId: 'p', reason: 'end_turn' });
  const said = log(page).getByRole('article', { name: 'Alpha' });
  await until('bold', async () => (await said.locator('strong').allInnerTexts()).includes('bold'));
  await until('the table', async () => (await said.locator('td.right').allInnerTexts()).join() === '2');
  assert.deepEqual(
    await said
      .getByRole('checkbox')
      .evaluateAll((all) => all.map((each) => (each as never as { checked: boolean }).checked)),
    [true, false],
  );
  assert.equal(await said.locator('del').innerText(), 'old');
  await until('colours', async () => (await said.locator('.code-keyword').count()) > 0);
  assert.equal(await said.getByRole('link').count(), 1);
  assert.equal(await said.getByRole('link').getAttribute('href'), 'https://example.com/');
  assert.equal(await said.getByRole('link').getAttribute('rel'), 'noopener noreferrer');
  await shows('HTML is text', said, '<script>globalThis.hurt = 1</script>');
  assert.equal(await said.locator('img, script').count(), 0);
  assert.equal(await page.evaluate('globalThis.hurt'), undefined);
  await said.getByRole('button', { name: 'a file' }).click();
  await until('the file is open at its line', () => bench.editor.documents.front === bench.path('src/a.ts'));
  await shows('the line', page.getByTitle('Line and column'), '2:1');
});

test('while it streams, only the last message is drawn anew, and the focus stays where it is', async (t) => {
  const { bench, chats } = await scriptedBench(t, { files: FILES });
  const page = await bench.page();
  const chat = await talk(page, chats);
  chat.turn('one', 'The first answer.');
  chat.emit(
    { type: 'message', role: 'user', text: 'two', promptId: 'q' },
    { type: 'turn-start', promptId: 'q' },
    { type: 'message', role: 'agent', text: 'First paragraph.\n\nSecond' },
  );
  await shows('it begins', log(page), 'Second');
  await page.evaluate(`
    globalThis.touched = [];
    new MutationObserver((list) => {
      for (const { target } of list) touched.push(target.parentElement?.closest('p')?.textContent ?? target.nodeName);
    }).observe(document.querySelector('[role=log]'), { subtree: true, childList: true, characterData: true });
  `);
  await openFile(page, 'notes.md');
  for (let i = 0; i < 20; i += 1) {
    chat.emit({ type: 'message', role: 'agent', text: ` word${i}` });
    await page.keyboard.type('k');
  }
  await shows('all of it', log(page), 'word19');
  const touched = (await page.evaluate('touched')) as string[];
  assert.ok(touched.length > 0 && touched.every((text) => text.startsWith('Second')), touched.join('\n'));
  assert.ok(await isFocused(content(page)));
  await until('every key reached the text', () => bench.text('notes.md').startsWith('k'.repeat(20)));
});

test('thoughts are folded; tool calls are cards with status, places and output', async (t) => {
  const { bench, chats } = await scriptedBench(t, { files: FILES });
  const page = await bench.page();
  const chat = await talk(page, chats);
  const path = bench.path('src/a.ts');
  chat.emit(
    { type: 'message', role: 'user', text: 'go', promptId: 'p' },
    { type: 'turn-start', promptId: 'p' },
    { type: 'thought', text: 'First line\n\nA secret thought' },
    {
      type: 'tool',
      call: { id: '1', title: 'Reads a.ts', kind: 'read', status: 'running', locations: [{ path, line: 2 }] },
    },
    {
      type: 'tool',
      call: { id: '2', title: 'npm test', kind: 'execute', status: 'running', input: { command: 'npm test --all' } },
    },
  );
  const thought = log(page).getByRole('button', { name: /Thought/ });
  await thought.waitFor();
  assert.ok(!(await log(page).innerText()).includes('A secret thought'));
  await thought.press('Enter');
  await shows('unfolded by keyboard', log(page), 'A secret thought');
  const card = log(page).getByRole('button', { name: /Reads a.ts/ });
  await shows('its status', card, 'runs');
  chat.emit({ type: 'tool', call: { id: '1', status: 'completed', content: [{ type: 'text', text: 'const a' }] } });
  await shows('its new status', card, 'done');
  await card.click();
  await log(page).getByRole('button', { name: 'src/a.ts:3' }).click();
  await shows('the place', page.getByTitle('Line and column'), '3:1');
  chat.emit({
    type: 'tool',
    call: { id: '2', status: 'completed', shell: { output: 'one\rtwo\n\u001b[31mred\u001b[0m\n', exitCode: 1 } },
  });
  await shows('how it ended', log(page).getByRole('button', { name: /npm test/ }), 'exit 1');
  await shows('the whole command', log(page), 'npm test --all');
  await until(
    'what it put out, without a terminal’s orders',
    async () => (await log(page).getByRole('region', { name: 'Output' }).last().innerText()).trim() === 'two\nred',
  );
});

test('a plan shows its progress, and stays one', async (t) => {
  const { bench, chats } = await scriptedBench(t, { files: FILES });
  const page = await bench.page();
  const chat = await talk(page, chats);
  const plan = (done: number) =>
    chat.emit({
      type: 'plan',
      entries: ['a', 'b', 'c'].map((content, i) => ({
        content,
        priority: 'high',
        status: i < done ? 'completed' : 'pending',
      })),
    });
  plan(0);
  plan(2);
  const shown = log(page).getByRole('region', { name: 'Plan' });
  await shows('how far it is', shown, '2 of 3');
  assert.equal(await shown.getByRole('progressbar').getAttribute('value'), '2');
  assert.equal(await shown.count(), 1);
});

test('stop by Escape; further prompts wait and can be taken back', async (t) => {
  const { bench, chats } = await scriptedBench(t, { files: FILES });
  const page = await bench.page();
  const chat = await talk(page, chats);
  chat.emit({ type: 'message', role: 'user', text: 'go', promptId: 'p' }, { type: 'turn-start', promptId: 'p' });
  await panel(page).getByRole('button', { name: 'Stop' }).waitFor();
  await shows('the badge of the page', panelButton(page, 'Chat'), '…');
  await field(page).fill('afterwards');
  await press(page, 'Enter');
  await until('it went out', () => chat.commands('prompt').length === 1);
  chat.emit({ type: 'queue', waiting: [{ promptId: 'w', text: 'afterwards', own: true }] });
  chat.answers['take-back'] = true;
  await panel(page).getByRole('button', { name: 'Take back: afterwards' }).click();
  await until('its text is in the field again', async () => (await field(page).inputValue()) === 'afterwards');
  assert.deepEqual(chat.commands('take-back'), [{ do: 'take-back', promptId: 'w' }]);
  chat.emit({ type: 'queue', waiting: [] });
  await field(page).press('Escape');
  await until('stopped', () => chat.commands('cancel').length === 1);
  chat.emit({ type: 'turn-end', promptId: 'p', reason: 'cancelled' });
  await shows('it says so', log(page), 'Stopped.');
  assert.ok(await isFocused(field(page)));
});

test('model, mode and further options are switched; the use of tokens is shown', async (t) => {
  const { bench, chats } = await scriptedBench(t, { files: FILES });
  const page = await bench.page();
  const chat = await talk(page, chats);
  const two = (a: string, b: string) => [
    { id: a, name: a.toUpperCase() },
    { id: b, name: b.toUpperCase() },
  ];
  chat.emit(
    { type: 'mode', current: 'ask', available: two('ask', 'auto') },
    { type: 'model', current: 'big', available: two('big', 'small') },
    { type: 'options', options: [{ id: 'effort', name: 'Effort', current: 'low', choices: two('low', 'high') }] },
    { type: 'usage', usage: { used: 50_000, size: 200_000, input: 900, output: 12 } },
  );
  await panel(page).getByRole('combobox', { name: 'Mode', exact: true }).selectOption('auto');
  await panel(page).getByRole('combobox', { name: 'Model', exact: true }).selectOption('small');
  await panel(page).getByRole('combobox', { name: 'Effort', exact: true }).selectOption('high');
  await until('all three', () => chat.asked.length === 3);
  assert.deepEqual(chat.asked, [
    { do: 'set-mode', id: 'auto' },
    { do: 'set-model', id: 'small' },
    { do: 'set-option', id: 'effort', value: 'high' },
  ]);
  await shows('the share of the context', panel(page), '25 %');
  chat.answers['set-model'] = new Error('This model cannot be had.');
  await panel(page).getByRole('combobox', { name: 'Model', exact: true }).selectOption('big');
  await shows('a refusal, in its own words', panel(page).getByRole('alert'), 'This model cannot be had.');
});

test('slash commands and files complete by keyboard; a named file goes along', async (t) => {
  const { bench, chats } = await scriptedBench(t, { files: FILES });
  const page = await bench.page();
  const chat = await talk(page, chats);
  chat.emit({
    type: 'commands',
    commands: [
      { name: 'compress', description: 'makes it short' },
      { name: 'memory', description: 'shows it', hint: 'name' },
    ],
  });
  await field(page).click();
  await page.keyboard.type('/mem');
  await shows('the list', panel(page).getByRole('listbox', { name: 'Commands' }), /\/memory[\s\S]*shows it/);
  await press(page, 'Tab');
  await until('the field', async () => (await field(page).inputValue()) === '/memory ');
  await field(page).fill('');
  await page.keyboard.type('look at @oth');
  await shows('the files', panel(page).getByRole('listbox', { name: 'Files' }), 'src/other.ts');
  await press(page, 'Enter');
  await until('the field', async () => (await field(page).inputValue()) === 'look at @src/other.ts ');
  await page.keyboard.type('please');
  await press(page, 'Enter');
  const { draft } = await until('the prompt', () => chat.commands('prompt')[0]);
  assert.equal(draft.text, 'look at @src/other.ts please');
  assert.deepEqual(draft.mentions, [{ path: bench.path('src/other.ts') }]);
  await page.keyboard.type('a@b and @x');
  await press(page, 'Escape');
  assert.equal(await panel(page).getByRole('listbox').count(), 0);
  assert.equal(chat.commands('cancel').length, 0);
});

test('the selection and pictures go along; what one looks at only if one wants it', async (t) => {
  const { bench, chats } = await scriptedBench(t, { files: FILES });
  const page = await bench.page();
  const chat = await talk(page, chats);
  await page.getByRole('treeitem', { name: 'src' }).click();
  await openFile(page, 'a.ts');
  await press(page, 'Control+Home', 'ArrowDown', 'Shift+ArrowDown', 'Shift+End');
  await shows('what one looks at', panel(page), 'a.ts:2–3');
  await panel(page).getByRole('button', { name: 'Attach the selection' }).click();
  await shows('attached', panel(page).getByRole('list', { name: 'Goes along' }), 'a.ts:2–3');
  await panel(page)
    .getByRole('button', { name: /^Send a\.ts.* along$/ })
    .click();
  await field(page).click();
  await page.evaluate(PASTE_PIXEL);
  await panel(page).getByRole('img', { name: 'dot.png' }).waitFor();
  await field(page).fill('what is this?');
  await press(page, 'Enter');
  const { draft } = await until('the prompt', () => chat.commands('prompt')[0]);
  assert.deepEqual(draft, {
    text: 'what is this?',
    mentions: [{ path: bench.path('src/a.ts'), lines: { start: 1, end: 2 } }],
    images: [{ mimeType: 'image/png', data: PIXEL }],
    context: false,
  });
  assert.equal(await panel(page).getByRole('list', { name: 'Goes along' }).count(), 0);
});

test('an agent that takes no pictures is offered none, and a pasted one is refused at once', async (t) => {
  const { bench, chats } = await scriptedBench(t, { files: FILES });
  const page = await bench.page();
  await talk(page, chats, 'Alpha', { images: false });
  assert.equal(await panel(page).getByRole('button', { name: 'Attach a picture' }).count(), 0);
  await field(page).fill('what is this?');
  await page.evaluate(PASTE_PIXEL);
  await shows('why', panel(page).getByRole('alert'), 'Alpha takes no pictures.');
  assert.equal(await panel(page).getByRole('list', { name: 'Goes along' }).count(), 0);
  assert.equal(await field(page).inputValue(), 'what is this?');
});

test('a prompt that is refused is in the field again, with the reason', async (t) => {
  const { bench, chats } = await scriptedBench(t, { files: FILES });
  const page = await bench.page();
  const chat = await talk(page, chats);
  chat.answers.prompt = new Error('The queue is full.');
  await field(page).fill('one more');
  await press(page, 'Enter');
  await shows('why', panel(page).getByRole('alert'), 'The queue is full.');
  await until('the field', async () => (await field(page).inputValue()) === 'one more');
});

test('several conversations with different agents, each for itself', async (t) => {
  const { bench, chats } = await scriptedBench(t, { files: FILES });
  const page = await bench.page();
  const alpha = await talk(page, chats, 'Alpha');
  await field(page).fill('for alpha');
  const beta = await talk(page, chats, 'Beta');
  const tabs = panel(page).getByRole('tablist', { name: 'Conversations' }).getByRole('tab');
  await until('two', async () => (await tabs.count()) === 2);
  alpha.turn('question to alpha', 'answer of alpha');
  beta.turn('question to beta', 'answer of beta');
  await shows('the one in front', log(page), 'answer of beta');
  assert.ok(!(await log(page).innerText()).includes('answer of alpha'));
  await tabs.last().focus();
  await press(page, 'ArrowLeft', 'Enter');
  await shows('the other', log(page), 'answer of alpha');
  await until('the field', async () => (await field(page).inputValue()) === 'for alpha');
  await panel(page).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Close and end the agent' }).click();
  await until('its program is ended', () => alpha.stopped);
  await shows('the other is in front', log(page), 'answer of beta');
  assert.equal(beta.stopped, false);
});

test('earlier conversations are listed and taken up; a title can be given', async (t) => {
  const { bench, chats } = await scriptedBench(t, { files: FILES });
  const page = await bench.page();
  const chat = await talk(page, chats);
  const session = (id: string) => ({ id, title: `Talk ${id}`, cwd: '/ws', updatedAt: '2026-01-02T03:04:05Z' });
  chat.answers['list-sessions'] = ({ cursor }: { cursor?: string }) =>
    cursor === undefined ? { sessions: [session('1')], next: 'more' } : { sessions: [session('2')] };
  const menu = async (name: string) => {
    await panel(page).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await menu('Earlier conversations');
  const list = panel(page).getByRole('list', { name: 'Earlier conversations' });
  await shows('the newest', list, 'Talk 1');
  await panel(page).getByRole('button', { name: 'Older ones' }).click();
  await shows('and older ones', list, /Talk 1[\s\S]*Talk 2/);
  await list.getByRole('button', { name: /Talk 2/ }).click();
  await until('the empty one takes it up', () => chat.commands('load-session')[0]?.id === '2');
  chat.emit(
    { type: 'history', phase: 'begin' },
    { type: 'message', role: 'user', text: 'long ago', promptId: 'o' },
    { type: 'history', phase: 'end' },
  );
  await shows('its history', log(page), 'long ago');
  await menu('Earlier conversations');
  await list.getByRole('button', { name: /Talk 1/ }).click();
  await until('a full one stays; another is opened', () => chats[1]?.started?.session === '1');
  await panel(page)
    .getByRole('tab', { name: /long ago/ })
    .click();
  await menu('Rename');
  await page.keyboard.type('A better title');
  await press(page, 'Enter');
  await until('it is asked for', () => chat.commands('rename-session')[0]?.title === 'A better title');
  chat.emit({ type: 'title', title: 'A better title' });
  await shows('it is shown', panel(page).getByRole('heading', { name: 'A better title' }), 'A better title');
});

test('a message and the whole conversation can be copied and exported as Markdown', async (t) => {
  const { bench, chats } = await scriptedBench(t, { files: FILES });
  const page = await bench.page({ permissions: ['clipboard-read', 'clipboard-write'] });
  const chat = await talk(page, chats);
  chat.turn('how?', 'Like **this**:\n\n```sh\nls -l\n```');
  const clipboard = () => page.evaluate('navigator.clipboard.readText()') as Promise<string>;
  await log(page).getByRole('button', { name: 'Copy the code' }).click();
  await until('the code', async () => (await clipboard()).trim() === 'ls -l');
  await log(page).getByRole('button', { name: 'Copy the message' }).click();
  await until('the message as it was written', async () => (await clipboard()).startsWith('Like **this**'));
  await panel(page).getByRole('button', { name: 'More' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export as Markdown…' }).click();
  assert.equal((await download).suggestedFilename(), 'how.md');
  await panel(page).getByRole('button', { name: 'More' }).press('Enter');
  await press(page, 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter');
  await until('all of it', async () =>
    /^# how\?\n\n## You\n\nhow\?\n\n## Alpha\n\nLike \*\*this\*\*/.test(await clipboard()),
  );
});

test('where it runs, and whose things it works with [DMN-8]', async (t) => {
  const { bench, chats } = await scriptedBench(t, { files: FILES });
  const page = await bench.page();
  const chat = await talk(page, chats);
  chat.answers.locality = {
    kind: 'daemon',
    summary: 'A daemon on this machine.',
    workspace: '/ws',
    facts: [
      { what: 'mcp', label: 'search', where: 'in the daemon', status: 'ok' },
      { what: 'credentials', label: 'OPENAI_API_KEY', where: 'of the daemon', status: 'warning', detail: 'not set' },
    ],
    warnings: ['Anybody on this machine can use it.'],
  };
  await panel(page).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Where does this run?' }).click();
  await shows('in one line', panel(page), 'A daemon on this machine.');
  await shows('the servers', panel(page).getByRole('list', { name: 'MCP servers' }), /search[\s\S]*in the daemon/);
  await shows(
    'the keys, by name',
    panel(page).getByRole('list', { name: 'Credentials' }),
    /OPENAI_API_KEY[\s\S]*not set/,
  );
  await shows('what to beware of', panel(page), 'Anybody on this machine can use it.');
  await panel(page).getByRole('button', { name: 'Back' }).click();
  await log(page).waitFor();
});

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PASTE_PIXEL = `(() => {
  const bytes = Uint8Array.from(atob('${PIXEL}'), (letter) => letter.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], 'dot.png', { type: 'image/png' }));
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
})()`;
