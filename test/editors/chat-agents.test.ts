// Several agents in VS Code's chat, Qwen Code in the daemon that the environment names; what VS Code does for the panel.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Answer, ChatModel } from '../agents/chat/model.ts';
import { OtherModels } from '../agents/chat/programs.ts';
import { DAEMON_TOKEN, Daemon } from '../agents/chat/world.ts';
import { ownDaemons } from '../agents/processes.ts';
import { waitFor } from '../agents/wait.ts';
import { ChatPage, startChatStudio } from './support/chat.ts';
import { freePort } from './support/code-server.ts';
import { Diff } from './support/diff.ts';
import type { Studio } from './support/studio.ts';
import { withEvidence } from './support/testing.ts';
import type { Window } from './support/window.ts';

const says = (text: string): Answer => ({ pieces: [{ text }] });

describe('the chat with several agents, and the daemon of the environment', { concurrency: 1 }, () => {
  let studio: Studio;
  let model: ChatModel;
  let others: OtherModels;
  let window: Window;
  let chat: ChatPage;
  let daemon: Daemon;
  const run = (title: string, work: () => Promise<void>) => test(title, () => withEvidence(() => studio, title, work));
  const tabs = () => chat.frame.getByRole('tab');
  const begin = async (agent: string) => {
    await window.command('Tandem: New Chat');
    await window.choose(agent);
    await chat.shows(new RegExp(`${agent}.* · connected`));
  };

  before(async () => {
    const port = await freePort();
    others = await OtherModels.start();
    const url = `http://127.0.0.1:${port}`;
    ({ studio, model } = await startChatStudio({
      programs: ['qwen', 'gemini', 'claude-agent-acp'],
      prepare: (sandbox) => others.settle(sandbox),
      env: { ...others.env, QWEN_IDE_DAEMON_URL: url, QWEN_SERVER_TOKEN: DAEMON_TOKEN },
    }));
    daemon = new Daemon(studio.sandbox, { args: ['--port', String(port)] });
    window = await studio.window();
    chat = await ChatPage.watch(window);
    await studio.companion(window);
    await daemon.url();
  });
  after(async () => {
    await daemon?.end();
    await studio?.discard();
    await Promise.all([model?.close(), others?.close()]);
  });

  run('[DMN-1] QWEN_IDE_DAEMON_URL leads to a daemon without a setting; a place that a tool names opens', async () => {
    const file = studio.sandbox.write('places.txt', 'alpha\nbeta\ngamma\n');
    model.script('look at it', [{ call: { name: 'read_file', input: { file_path: file } } }, says('**Seen**.')]);
    await window.command('Tandem: New Chat');
    await window.page.locator('.quick-input-widget').waitFor();
    const offered = await window.offered();
    for (const name of ['Qwen Code', 'Gemini CLI', 'Claude Code'])
      assert.ok(
        offered.some((each) => each.includes(name)),
        offered.join(', '),
      );
    await window.choose('Qwen Code');
    await chat.shows(/Qwen Code.* · daemon · connected/);
    await chat.say('look at it');
    await chat.shows('Seen.');
    await chat.log.getByRole('button', { name: /^Reads: / }).click();
    await chat.log.getByRole('button', { name: 'places.txt', exact: true }).click();
    await waitFor('the file in front', async () => (await window.activePath()) === file);
  });

  run('a message is copied, and the conversation saved where the user says', async () => {
    const clipboard = () => window.inHost(async (api) => api.env.clipboard.readText());
    await chat.log.getByRole('article', { name: 'Qwen Code' }).last().hover();
    await chat.button('Copy the message').last().click();
    await waitFor('the message, as it was written', async () => (await clipboard()) === '**Seen**.');
    await chat.button('More').click();
    await chat.frame.getByRole('menuitem', { name: 'Export as Markdown…' }).click();
    const path = window.page.locator('.quick-input-widget input.input');
    await waitFor('the dialog', async () => (await path.inputValue()).endsWith('/look-at-it.md'));
    await window.press('Enter');
    const saved = await waitFor('the file', () => studio.sandbox.read('look-at-it.md'));
    assert.match(saved, /^# look at it\n\n## You\n\nlook at it[\s\S]*## Qwen Code\n\n\*\*Seen\*\*\.\n$/);
    await window.notice('Saved: look-at-it.md').waitFor();
  });

  run('[DMN-11] accepted with own edits: the text is on disk, and the agent is told', async () => {
    const file = studio.sandbox.path('places.txt');
    const edit = { call: { name: 'edit', input: { file_path: file, old_string: 'beta', new_string: 'BETA' } } };
    model.script('change beta', [edit, says('never said')]);
    model.script('saved my own version', [says('As you like it.')]);
    await chat.say('change beta');
    const diff = await new Diff(window, file, 'qwen').opened();
    await diff.typeAtEnd(3, ' and more');
    await diff.accept();
    await waitFor('my text on disk', () => studio.sandbox.read('places.txt') === 'alpha\nBETA\ngamma and more\n');
    await chat.shows('As you like it.');
    assert.match(model.heard('saved my own version'), /alpha\nBETA\ngamma and more/);
  });

  run('[ACP-1] Gemini CLI and Claude Code are talked to beside it', async () => {
    others.gemini.script('who are you', [{ text: 'I am Gemini.' }]);
    others.claude.script('who are you', [{ text: 'I am Claude.' }]);
    await begin('Gemini CLI');
    await begin('Claude Code');
    assert.equal(await tabs().count(), 3);
    for (const name of ['Gemini', 'Claude']) {
      await tabs().filter({ hasText: name }).click();
      await chat.say('who are you');
      await chat.shows(`I am ${name}.`);
    }
  });

  run(
    '[DMN-12] after a restart what was open goes on; without an address a daemon is started for the window',
    async () => {
      model.script('are you there', [says('In my own house.')]);
      // As in a window that was opened without it; the extension reads it when it starts.
      await window.inHost(async (api) => {
        delete process.env.QWEN_IDE_DAEMON_URL;
        const settings = api.workspace.getConfiguration();
        await settings.update('qwen-code.experimentalDaemon.enabled', true, api.ConfigurationTarget.Global);
      });
      await chat.body.evaluate('window.before = true');
      await window.command('Tandem: Restart');
      await waitFor('another page', () => chat.body.evaluate('!window.before', undefined, { timeout: 2000 }));
      await chat.shows(/Claude Code.* · connected[\s\S]*I am Claude\./);
      assert.equal(await tabs().count(), 3);
      await tabs().filter({ hasText: 'Gemini' }).click();
      // It may have this session, or not; what was said is there in any case.
      await chat.shows(/Gemini CLI.* · connected[\s\S]*I am Gemini\./);
      assert.deepEqual(ownDaemons(studio.sandbox.processes()), []);
      await tabs().filter({ hasText: 'look at it' }).click();
      await chat.shows(/Qwen Code.* · daemon · connected/);
      await chat.shows(/look at it[\s\S]*Seen\./);
      assert.ok(ownDaemons(studio.sandbox.processes()).length > 0);
      await chat.say('are you there');
      await chat.shows('In my own house.');
      const told = await chat.told();
      assert.ok(!told.some((message) => message.includes(DAEMON_TOKEN) || message.includes('http://127.0.0.1')));
    },
  );

  test('[ALL-5] [DMN-12] the daemon of the window goes with it, and nothing is left', async () => {
    await daemon.end();
    await studio.end();
  });
});
