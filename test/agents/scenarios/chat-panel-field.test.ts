// The field of the workbench's panel with the real Qwen Code: what can be chosen, completed, attached, queued.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, Tap } from '../chat/model.ts';
import { hasKeyboard, type Panel } from '../chat/panel.ts';
import { inPanel, type PanelWorld } from '../chat/panel-world.ts';
import { settleQwen } from '../chat/qwen-home.ts';
import { waitFor } from '../wait.ts';

const timeout = 120_000;
const says = (text: string): Answer => ({ pieces: [{ text }] });
/** A point. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('[ACP-1] [ACP-2] [ACP-4] modes, models, usage, completion, attachments and the queue', { timeout }, () =>
  inPanel(
    () => ({}),
    async (panel, world) => {
      world.talk.sandbox.write('src/first.txt', 'alpha\nbeta\ngamma\n');
      world.talk.sandbox.write('src/other.txt', 'other\n');
      await login(panel, world);
      await chosen(panel, world);
      await completed(panel, world);
      await attached(panel, world);
      await pictures(panel, world);
      await queued(panel, world);
    },
  ),
);

/** Nobody is logged in: the panel says what the agent says, and tries again when told to. */
async function login(panel: Panel, { talk: { model, sandbox } }: PanelWorld): Promise<void> {
  sandbox.writeHome('.qwen/settings.json', {});
  await panel.page.keyboard.press('Alt+6');
  await panel.button('Start Qwen Code').click();
  await panel.shows('Use Qwen Code CLI to authenticate first');
  settleQwen(sandbox, model);
  await panel.button('Reconnect').click();
  await panel.shows(/Qwen Code.* · connected/);
}

const choice = (panel: Panel, label: string) => panel.chat.getByRole('combobox', { name: label, exact: true });

async function chosen(panel: Panel, { talk: { model, sandbox } }: PanelWorld): Promise<void> {
  const command = { command: 'printf x >> ran.txt', description: 'run it', is_background: false };
  const run = (text: string): Answer[] => [{ call: { name: 'run_shell_command', input: command } }, says(text)];
  model.script('run freely', run('Ran freely.'));
  model.script('run again', run('Ran again.'));
  assert.match(await choice(panel, 'Model').locator('option:checked').innerText(), /fake-a/);
  await choice(panel, 'Model').selectOption({ label: 'fake-b' });
  await choice(panel, 'Mode').selectOption('yolo');
  await panel.say('run freely');
  await panel.shows('Ran freely.');
  await panel.idle();
  assert.equal(sandbox.read('ran.txt'), 'x', 'it did not ask');
  assert.equal(model.last('run freely')?.model, 'fake-b');
  await panel.chat.getByText(/^Usage: .*100 in, 10 out/).waitFor({ state: 'attached' });

  await choice(panel, 'Mode').selectOption('default');
  await panel.say('run again');
  await panel.answers();
  assert.equal(sandbox.read('ran.txt'), 'x', 'it asks again');
  await panel.page.keyboard.press('Escape');
  await panel.shows('Stopped.');
  await panel.permission.waitFor({ state: 'detached' });
}

/** What the agent itself offers after a slash, and the files of the folder after an at sign. */
async function completed(panel: Panel, { talk: { model } }: PanelWorld): Promise<void> {
  const options = panel.chat.getByRole('option');
  await panel.field.focus();
  await panel.page.keyboard.type('/');
  await waitFor('commands of the agent', async () => (await options.count()) > 3);
  await panel.page.keyboard.type('stat');
  await options.filter({ hasText: '/status' }).first().waitFor();
  await panel.page.keyboard.press('Tab');
  assert.equal((await panel.field.inputValue()).trim(), '/status');
  await panel.page.keyboard.press('Enter');
  await panel.shows(/\/status[\s\S]*Model: fake-b/);
  await panel.idle();

  model.script('read this file', [says('It was named.')]);
  await panel.field.focus();
  await panel.page.keyboard.type('read this file @fir');
  await options.filter({ hasText: 'src/first.txt' }).first().waitFor();
  await panel.page.keyboard.press('Enter');
  assert.equal(await panel.field.inputValue(), 'read this file @src/first.txt ');
  await panel.page.keyboard.press('Enter');
  await panel.shows('It was named.');
  await panel.idle();
  assert.match(model.heard('read this file'), /src\/first\.txt:\s+alpha\nbeta\ngamma/);
}

async function attached(panel: Panel, { talk: { model, sandbox } }: PanelWorld): Promise<void> {
  model.script('explain these lines', [says('They are Greek.')]);
  await panel.log
    .getByRole('button', { name: /first\.txt/ })
    .last()
    .click();
  const text = panel.text(sandbox.path('src/first.txt'));
  await waitFor('the file with the keyboard', () => hasKeyboard(text));
  for (const key of ['Control+Home', 'ArrowDown', 'Shift+ArrowDown']) await panel.page.keyboard.press(key);
  await panel.button('Attach the selection').click();
  const along = panel.chat.getByRole('list', { name: 'Goes along' });
  assert.match(await along.innerText(), /first\.txt:2/);
  await panel.say('explain these lines');
  await panel.shows('They are Greek.');
  assert.match(model.heard('explain these lines'), /src\/first\.txt#L2-2\nbeta\n/);
}

/** One from a file, one from the clipboard. */
async function pictures(panel: Panel, { talk: { model } }: PanelWorld): Promise<void> {
  model.script('see this', [says('I see.')]);
  const chooser = panel.page.waitForEvent('filechooser');
  await panel.button('Attach a picture').click();
  await (await chooser).setFiles({ name: 'point.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') });
  const along = panel.chat.getByRole('list', { name: 'Goes along' });
  await along.getByRole('img', { name: 'point.png' }).waitFor();
  await panel.page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob('${PNG}'), (letter) => letter.charCodeAt(0));
    const blob = new Blob([bytes], { type: 'image/png' });
    return navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
  })()`);
  await panel.field.focus();
  await panel.page.keyboard.press('Control+v');
  await waitFor('both', async () => (await along.getByRole('img').count()) === 2);
  await panel.say('see this');
  await panel.shows('I see.');
  const [first, second] = model.last('see this')?.images ?? [];
  assert.equal(first, `data:image/png;base64,${PNG}`);
  assert.match(second ?? '', /^data:image\/png;base64,/);
}

async function queued(panel: Panel, { talk: { model } }: PanelWorld): Promise<void> {
  const slow = new Tap();
  model.script('take your time', [{ pieces: slow }]);
  model.script('then this', [says('That too.')]);
  model.script('not this', [says('never said')]);
  await panel.say('take your time');
  for (const prompt of ['then this', 'not this']) {
    await panel.field.fill(prompt);
    await panel.field.press('Enter');
    await panel.chat.getByRole('list', { name: 'Waiting prompts' }).getByText(prompt).waitFor();
  }
  await panel.button('Take back: not this').click();
  await waitFor('the words in the field', async () => (await panel.field.inputValue()) === 'not this');
  slow.push({ text: 'I took it.' });
  slow.end();
  await panel.shows(/I took it\.[\s\S]*then this[\s\S]*That too\./);
  await panel.idle();
  assert.equal(model.last('not this'), undefined);
}
