// Several conversations in the workbench's panel with the real agents: side by side, renamed, taken up again, kept.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Panel } from '../chat/panel.ts';
import { inPanel, type PanelWorld } from '../chat/panel-world.ts';
import { OtherModels } from '../chat/programs.ts';
import { pidsOf } from '../processes.ts';
import { waitFor } from '../wait.ts';

const timeout = 150_000;

test('[ACP-1] Qwen Code, Gemini CLI and Claude Code side by side; copied, exported, renamed, taken up again', {
  timeout,
}, async () => {
  const others = await OtherModels.start();
  await inPanel(
    ({ sandbox }) => {
      others.settle(sandbox);
      return { programs: ['qwen', 'gemini', 'claude-agent-acp'], env: others.env };
    },
    async (panel, world) => {
      await sideBySide(panel, world, others);
      await forgotten(panel, world);
      await kept(panel, world);
      await history(panel, world);
    },
  ).finally(() => others.close());
});

const tabs = (panel: Panel) => panel.chat.getByRole('tablist', { name: 'Conversations' }).getByRole('tab');
const title = (panel: Panel) => panel.chat.getByRole('heading', { level: 2 });

async function sideBySide(panel: Panel, { talk: { model } }: PanelWorld, others: OtherModels): Promise<void> {
  model.script('who are you', [{ pieces: [{ text: 'I am **Qwen**.' }] }]);
  others.gemini.script('who are you', [{ text: 'I am Gemini.' }]);
  others.claude.script('who are you', [{ text: 'I am Claude.' }]);
  await panel.start('Gemini CLI');
  await panel.button('New conversation').click();
  await panel.start('Claude Code');
  await panel.button('New conversation').click();
  await panel.start('Qwen Code');
  for (const name of ['Gemini', 'Claude', 'Qwen']) {
    await tabs(panel).filter({ hasText: name }).click();
    await panel.say('who are you');
    await panel.shows(`I am ${name}.`);
    await panel.idle();
  }
}

/** Gemini CLI writes its sessions when it likes: after it died it has this one, or a new one begins below what was said. */
async function forgotten(panel: Panel, { talk: { sandbox } }: PanelWorld): Promise<void> {
  sandbox.signal(pidsOf(sandbox.processes(), 'gemini.js'), 'SIGKILL');
  await tabs(panel).filter({ hasText: 'Gemini' }).click();
  await panel.shows('Gemini CLI is gone');
  await panel.button('Reconnect').click();
  await panel.shows(/Gemini CLI.* · connected[\s\S]*who are you[\s\S]*I am Gemini\./);
  assert.ok(!(await panel.chat.innerText()).includes('session_context'), 'its own words to the model are not shown');
  await panel.say('who are you');
  await panel.shows(/I am Gemini\.[\s\S]*who are you[\s\S]*I am Gemini\./);
  await panel.idle();
  await tabs(panel).filter({ hasText: 'Qwen' }).click();
}

async function kept(panel: Panel, { talk: { sandbox } }: PanelWorld): Promise<void> {
  const clipboard = () => panel.page.evaluate<string>('navigator.clipboard.readText()');
  await panel.log.getByRole('article', { name: 'Qwen Code' }).last().hover();
  await panel.log.getByRole('button', { name: 'Copy the message' }).last().click();
  await waitFor('the message, as it was written', async () => (await clipboard()) === 'I am **Qwen**.');
  await panel.menu('Copy as Markdown');
  await waitFor('all of it', async () => (await clipboard()).includes('## You\n\nwho are you'));
  const download = panel.page.waitForEvent('download');
  await panel.menu('Export as Markdown…');
  const saved = await download;
  assert.equal(saved.suggestedFilename(), 'who-are-you.md');
  const text = await readFile(await saved.path(), 'utf8');
  assert.match(text, /^# who are you\n\n## You\n\nwho are you[\s\S]*## Qwen Code\n\nI am \*\*Qwen\*\*\.\n/);
  assert.equal(text, await clipboard());
  await panel.menu('Where does this run?');
  await panel.shows(sandbox.workspace);
  await panel.button('Back').click();
}

async function history(panel: Panel, { talk: { model } }: PanelWorld): Promise<void> {
  await panel.menu('Rename');
  const name = panel.chat.getByRole('textbox', { name: 'Title of the conversation' });
  await name.fill('Introductions');
  await name.press('Enter');
  await title(panel).filter({ hasText: 'Introductions' }).waitFor();

  model.script('another topic', [{ pieces: [{ text: 'Very well.' }] }]);
  await panel.menu('New conversation with Qwen Code');
  await waitFor('a fourth', async () => (await tabs(panel).count()) === 4);
  await panel.shows(/Qwen Code.* · connected/);
  await panel.menu('Earlier conversations');
  const sessions = panel.chat.getByRole('list', { name: 'Earlier conversations' });
  await sessions.getByRole('button', { name: /^Introductions/ }).waitFor();
  await panel.button('Back').click();
  await panel.say('another topic');
  await panel.shows('Very well.');
  await panel.idle();

  // The first one is closed, and comes back in a conversation of its own beside the second.
  await tabs(panel).filter({ hasText: 'Introductions' }).click();
  await panel.menu('Close and end the agent');
  await waitFor('it is gone', async () => (await tabs(panel).filter({ hasText: 'Introductions' }).count()) === 0);
  await tabs(panel).filter({ hasText: 'another topic' }).click();
  await panel.menu('Earlier conversations');
  await sessions.getByRole('button', { name: /^Introductions/ }).click();
  await panel.shows(/who are you[\s\S]*I am Qwen\./);
  await title(panel).filter({ hasText: 'Introductions' }).waitFor();
  await panel.say('who are you');
  await panel.shows(/I am Qwen\.[\s\S]*I am Qwen\./);
}
