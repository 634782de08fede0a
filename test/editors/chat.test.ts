// The chat panel in VS Code's side bar, with the real Qwen Code behind it: as a child process, and in a daemon.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type ChatModel, Tap } from '../agents/chat/model.ts';
import { MODEL_KEY } from '../agents/chat/qwen-home.ts';
import { DAEMON_TOKEN, Daemon } from '../agents/chat/world.ts';
import { waitFor } from '../agents/wait.ts';
import { englishIn } from '../browser/support/chinese.ts';
import { ChatPage, startChatStudio } from './support/chat.ts';
import { Diff } from './support/diff.ts';
import { NotePad } from './support/note-pad.ts';
import type { Studio } from './support/studio.ts';
import { becomes, withEvidence } from './support/testing.ts';
import type { VsCode, Window } from './support/window.ts';

const done = { pieces: [{ text: 'So be it.' }] };

describe('the chat with a child process', { concurrency: 1 }, () => {
  let studio: Studio;
  let model: ChatModel;
  let window: Window;
  let chat: ChatPage;
  const run = (title: string, work: () => Promise<void>) => test(title, () => withEvidence(() => studio, title, work));

  before(async () => {
    ({ studio, model } = await startChatStudio());
    window = await studio.window();
    chat = await ChatPage.watch(window);
    await studio.companion(window);
  });
  after(async () => {
    await studio?.discard();
    await model?.close();
  });

  run('[ACP-1] a key opens it, an answer streams in, and is stopped', async () => {
    const [story, endless] = [new Tap(), new Tap()];
    model.script('tell a story', [{ pieces: story }]);
    model.script('never end', [{ pieces: endless }]);
    await window.press('Control+Alt+j');
    await chat.start();
    await chat.say('tell a story');
    story.push({ text: 'Once upon a **ti' });
    await chat.shows('Once upon a **ti');
    story.push({ text: 'me**, the end.' });
    story.end();
    await chat.log.locator('strong', { hasText: 'time' }).waitFor();
    await chat.button('Stop').waitFor({ state: 'detached' });

    await chat.say('never end');
    endless.push({ text: 'and then' });
    await chat.shows('and then');
    await chat.field.press('Escape');
    await chat.shows('Stopped.');
    endless.end();
  });

  run('[DMN-11] a change opens as a review on the desk, and what is accepted is on disk', async () => {
    const file = studio.sandbox.write('talk.txt', 'one\ntwo\n');
    const read = { call: { name: 'read_file', input: { file_path: file } } };
    const edit = { call: { name: 'edit', input: { file_path: file, old_string: 'two', new_string: 'TWO' } } };
    model.script('change two', [read, edit, done]);
    await chat.say('change two');
    const diff = await new Diff(window, file, 'qwen').opened();
    await chat.asks.waitFor();
    assert.equal(studio.sandbox.read('talk.txt'), 'one\ntwo\n', 'nothing is written before the decision');
    await window.openFile(file);
    await chat.asks.getByRole('button', { name: 'Show the change' }).click();
    const front = async () => (await diff.tab.first().getAttribute('aria-selected')) === 'true';
    await waitFor('the review in front', front);
    await diff.accept();
    await waitFor('the agent to write it', () => studio.sandbox.read('talk.txt') === 'one\nTWO\n');
    await diff.closed();
    await chat.asks.waitFor({ state: 'detached' });
    await chat.shows('So be it.');
  });

  run('rejected with a note: the agent is told, also while the panel is hidden', async () => {
    const file = studio.sandbox.write('noted.txt', 'one\ntwo\n');
    const read = { call: { name: 'read_file', input: { file_path: file } } };
    const edit = { call: { name: 'edit', input: { file_path: file, old_string: 'two', new_string: 'TWO' } } };
    model.script('shout two', [read, edit, done]);
    model.script('Not so loud.', [{ pieces: [{ text: 'I shall whisper.' }] }]);
    await chat.say('shout two');
    const diff = await new Diff(window, file, 'qwen').opened();
    await window.showView('Explorer');
    await new NotePad(window, await diff.show()).write(2, 'Not so loud.');
    await diff.reject();
    await waitFor('the agent to hear it', () => model.heard('Not so loud.'));
    const told = `I rejected your change to ${file}. My notes on it:\n- line 2 of your version (\`TWO\`): Not so loud.`;
    assert.ok(model.heard('Not so loud.').includes(told), model.heard('Not so loud.'));
    await window.answer('Qwen Code is told your notes on noted.txt', 'Show Chat');
    await chat.shows('I shall whisper.');
    assert.equal(studio.sandbox.read('noted.txt'), 'one\ntwo\n');
  });

  run('a question without a diff counts on the icon, and is answered in the panel', async () => {
    const command = { command: 'printf made > made.txt', description: 'print', is_background: false };
    model.script('make a file', [{ call: { name: 'run_shell_command', input: command } }, done]);
    await chat.say('make a file');
    await chat.asks.waitFor();
    await waitFor('the number on the icon', async () => (await window.badge('Tandem')) === '1');
    await chat.asks.locator('[data-answer][aria-disabled=false]').first().click();
    await chat.asks.waitFor({ state: 'detached' });
    await waitFor('the command to run', () => studio.sandbox.read('made.txt') === 'made');
    await waitFor('no number on the icon', async () => (await window.badge('Tandem')) === '');
  });

  run('[ACP-4] the selection goes along, and a place that the agent names opens', async () => {
    const file = studio.sandbox.write('places.txt', 'alpha\nbeta\ngamma\ndelta\n');
    model.script('look at this', [{ pieces: [{ text: `It is [there](${file}#L3).` }] }]);
    await window.openFile(file);
    await window.press('Control+Home', 'ArrowDown', 'Shift+End');
    await window.command('Tandem: Send Selection to Chat');
    await chat.shows('places.txt:2');
    await chat.say('look at this');
    await chat.shows('It is there.');
    assert.match(model.heard('look at this'), /beta/);
    await window.closeAll();
    await chat.log.getByRole('button', { name: 'there' }).click();
    await waitFor('the file in front', async () => (await window.activePath()) === file);
    await waitFor('the line', async () => /Ln 3,/.test(await window.caret()));
  });

  run('a hidden panel comes back whole, with what was sent to it meanwhile', async () => {
    await chat.field.fill('not said yet');
    await window.showView('Explorer');
    await chat.body.waitFor({ state: 'detached' });
    await window.openFile(studio.sandbox.write('meanwhile.txt', 'text\n'));
    await window.command('Tandem: Send Selection to Chat');
    await chat.shows('meanwhile.txt');
    await chat.shows(/tell a story[\s\S]*Once upon a time, the end\.[\s\S]*Stopped\.[\s\S]*look at this/);
    await becomes(() => chat.field.inputValue(), 'not said yet');
    await chat.field.fill('');
  });

  run('[DMN-9] the webview connects to nothing, and neither key nor address reach it', async () => {
    chat.assertNoConnection();
    await chat.assertNoSecret([MODEL_KEY, model.url, `127.0.0.1:${model.port}`]);
  });

  run('the window is reloaded in the middle of a turn: the conversation is there by itself, and goes on', async () => {
    const endless = new Tap();
    model.script('do not stop', [{ pieces: endless }]);
    await chat.say('do not stop');
    endless.push({ text: 'on and on' });
    await chat.shows('on and on');
    await chat.field.fill('half a thou');
    await waitFor('it to be kept', () => /half a thou/.test(keptChats(studio)));
    await window.reload();
    endless.end();
    await studio.companion(window);
    await chat.shows(/Qwen Code.* · connected/);
    await chat.shows(/tell a story[\s\S]*Once upon a time, the end\.[\s\S]*change two[\s\S]*look at this/);
    await chat.shows(/do not stop[\s\S]*on and on[\s\S]*cut off/);
    await becomes(() => chat.field.inputValue(), 'half a thou');
    model.script('are you there', [{ pieces: [{ text: 'Still here.' }] }]);
    await chat.say('are you there');
    await chat.shows('Still here.');
  });

  test('[ALL-5] nothing is left', () => studio.end());
});

describe('the chat with a daemon', { concurrency: 1 }, () => {
  let studio: Studio;
  let model: ChatModel;
  let window: Window;
  let chat: ChatPage;
  let daemon: Daemon;
  const run = (title: string, work: () => Promise<void>) => test(title, () => withEvidence(() => studio, title, work));

  before(async () => {
    ({ studio, model } = await startChatStudio());
    daemon = new Daemon(studio.sandbox);
    window = await studio.window();
    chat = await ChatPage.watch(window);
    await studio.companion(window);
    model.script('hello', [{ pieces: [{ text: 'Through the daemon.' }] }]);
    model.script('still there', [{ pieces: [{ text: 'Still through the daemon.' }] }]);
  });
  after(async () => {
    await daemon?.end();
    await studio?.discard();
    await model?.close();
  });

  run('[DMN-1] the settings lead to it, and a conversation goes through it', async () => {
    const url = await daemon.url();
    await window.inHost(configure, {
      'qwen-code.experimentalDaemon.enabled': true,
      'qwen-code.experimentalDaemon.url': url,
      'qwen-code.experimentalDaemon.token': DAEMON_TOKEN,
    });
    await window.press('Control+Alt+j');
    await chat.shows('a daemon that runs already');
    await chat.start();
    await chat.say('hello');
    await chat.shows('Through the daemon.');
  });

  run('[DMN-1] the token may come from the secret storage instead', async () => {
    await window.inHost(configure, { 'qwen-code.experimentalDaemon.token': null });
    await window.command('Tandem: Set Qwen Daemon Token');
    await window.page.locator('.quick-input-widget input.input').fill(DAEMON_TOKEN);
    await window.press('Enter');
    await window.notice('The token is kept').waitFor();
    await window.command('Tandem: New Chat');
    await waitFor('a second conversation', async () => (await chat.frame.getByRole('tab').count()) === 2);
    await chat.shows(/Qwen Code.* · connected/);
    await chat.say('hello');
    await chat.shows('Through the daemon.');
  });

  run('[DMN-10] a daemon that is killed and comes back is found again by itself', async () => {
    const { port } = daemon;
    await daemon.end('SIGKILL');
    await chat.shows(/Lost Qwen Code|Qwen Code is gone/);
    daemon = new Daemon(studio.sandbox, { args: ['--port', String(port)] });
    await daemon.url();
    await chat.shows(/Qwen Code.* · connected/);
    await chat.shows('Through the daemon.');
    await chat.say('still there');
    await chat.shows('Still through the daemon.');
  });

  run('[DMN-9] neither token nor addresses reach the webview', async () => {
    chat.assertNoConnection();
    await chat.button('More').click();
    await chat.frame.getByRole('menuitem', { name: 'Where does this run?' }).click();
    await chat.frame.getByRole('list', { name: 'Program' }).waitFor();
    const secrets = [MODEL_KEY, DAEMON_TOKEN, `127.0.0.1:${daemon.port}`, `127.0.0.1:${model.port}`];
    await chat.assertNoSecret(secrets);
    assert.ok(!studio.server.log.includes(DAEMON_TOKEN));
  });

  run('in a VS Code in Chinese the panel is Chinese, and so is what its host says', async () => {
    const other = await studio.window(undefined, 'zh-CN');
    await studio.companion(other);
    assert.equal(await other.inHost((api) => api.env.language), 'zh-cn');
    await other.press('Control+Alt+j');
    const page = other.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await page.getByText('已在运行的守护进程').waitFor();
    await page.getByRole('button', { name: '启动 Qwen Code' }).click();
    // The token is in the secret storage of another browser.
    await page.getByText('Qwen Code 拒绝了连接：守护进程不接受该令牌。').waitFor();
    assert.deepEqual(await englishIn(page.locator('#chat')), []);
  });

  test('[ALL-5] nothing is left', async () => {
    await daemon.end();
    await studio.end();
  });
});

/** Runs in the extension host; null takes a setting back. */
async function configure(api: VsCode, settings: Record<string, unknown>): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    await api.workspace.getConfiguration().update(name, value ?? undefined, api.ConfigurationTarget.Global);
  }
}

/** What is on disk of the conversations that are open. */
function keptChats({ sandbox }: Studio): string {
  const folder = join(sandbox.home, '.tandem', 'chats');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  return files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}
