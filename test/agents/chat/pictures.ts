// Makes the picture of the chat for the README, from the real page with the real Qwen Code: node test/agents/chat/pictures.ts [folder]
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { waitFor } from '../wait.ts';
import type { Answer } from './model.ts';
import type { Panel } from './panel.ts';
import { inPanel, type PanelWorld } from './panel-world.ts';

const [given = join(import.meta.dirname, '../../../docs/images')] = process.argv.slice(2);
const folder = resolve(given);

const BEFORE = `import { readFile } from 'node:fs/promises';
import { parse } from './parse.ts';

/** Reads the settings of a project. */
export async function readSettings(path: string) {
  const text = await readFile(path, 'utf8');
  return { port: 8080, ...parse(text) };
}
`;
const OLD = "  const text = await readFile(path, 'utf8');";
const NEW = "  const text = await readFile(path, 'utf8').catch(() => '{}');";
const ANSWER = `Done. A project without a settings file now gets the **defaults**:

\`\`\`ts
await readSettings('missing.json'); // { port: 8080 }
\`\`\`
`;

const call = (name: string, input: object): Answer => ({ call: { name, input } });

await inPanel(({ sandbox }) => {
  const settings = join(sandbox.home, '.qwen', 'settings.json');
  writeFileSync(settings, readFileSync(settings, 'utf8').replaceAll('fake-a', 'qwen3-coder-plus'));
  return {};
}, pictures);

async function pictures(panel: Panel, { talk }: PanelWorld): Promise<void> {
  const { sandbox, model } = talk;
  const { page } = panel;
  const path = sandbox.write('settings.ts', BEFORE);
  const todo = (first: string, second: string) => ({
    todos: [
      { id: '1', content: 'Read how settings are loaded', status: first },
      { id: '2', content: 'Make a missing file no error', status: second },
    ],
  });
  const edit = { file_path: path, old_string: OLD, new_string: NEW };
  model.script('missing settings', [
    { ...call('todo_write', todo('in_progress', 'pending')), before: 'I look at how the settings are read first.' },
    call('read_file', { file_path: path }),
    call('todo_write', todo('completed', 'in_progress')),
    call('edit', edit),
    { pieces: [{ text: ANSWER }] },
  ]);
  await page.setViewportSize({ width: 1280, height: 720 });
  await panel.start();
  await panel.say('A project with missing settings should get the defaults');
  await panel.showChange('settings.ts');
  await waitFor('nothing on its way', async () => (await page.locator('.toast').count()) === 0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.screenshot({ path: join(folder, `chat-${colorScheme}.png`) });
  }
  await page.keyboard.press('Control+Enter');
  await panel.idle();
}
