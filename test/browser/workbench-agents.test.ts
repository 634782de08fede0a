import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/world.ts';
import { Bench } from './support/bench.ts';
import { gone, messages, openFile, panelButton, press, row, shows } from './support/steps.ts';

const FILES = {
  'a.ts': 'const a = 1;\nconst b = 2;\nconst c = 3;\n',
  '.env': 'SECRET=1\n',
  'notes.private': 'private\n',
};

test('the agents panel: who, which version, pid, where, since when; how to start one; what is published', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page({ permissions: ['clipboard-read', 'clipboard-write'] });
  await panelButton(page, 'Agents').click();
  const panel = page.getByRole('complementary', { name: 'Agents' });
  await shows('nobody yet', panel, 'No agent is connected.');
  const claude = await bench.claude();
  const card = panel.getByRole('list', { name: 'Connected agents' }).getByRole('listitem');
  await shows('who', card, 'Claude Code');
  await shows('its version', card, '2.1.325');
  await shows('its pid', card, `pid ${process.pid}`);
  await shows('where it works', card, `in ${process.cwd()}`);
  await shows('since when', card, /since \d+:\d+/);
  await shows('the badge', panelButton(page, 'Agents'), '1');
  await shows('the status', page.getByRole('contentinfo'), 'Claude Code');
  for (const { dialect } of bench.companion.published) {
    await panel.getByRole('button', { name: `Copy the line for ${dialect.agent}` }).click();
    await shows('copied', messages(page), 'Copied.');
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), dialect.start.line);
  }
  for (const { files } of bench.companion.published) for (const file of files) await shows('where', panel, file);
  claude.socket.terminate();
  await gone(card);
});

test('the last error of a link is shown in plain words', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  await bench.claude();
  await panelButton(page, 'Agents').click();
  const [link] = bench.companion.links.all;
  assert.ok(link);
  Object.defineProperty(link, 'lastError', { value: 'It sent <b>what</b> nobody understands.' });
  bench.companion.links.updated.emit(link);
  await shows('it', page.getByRole('list', { name: 'Connected agents' }), 'It sent <b>what</b> nobody understands.');
});

test('what is shared right now is what agents are told, and denied files are not in it', async (t) => {
  const bench = await Bench.start(t, { files: FILES, deny: ['*.private'] });
  const page = await bench.page();
  const agent = await bench.agent();
  for (const name of ['.env', 'notes.private', 'a.ts']) await openFile(page, name);
  await press(page, 'Control+Home', 'Shift+ArrowDown', 'Shift+End');
  await panelButton(page, 'Context').click();
  const panel = page.getByRole('complementary', { name: 'Context' });
  const shared = panel.getByRole('list', { name: 'Shared now' }).getByRole('listitem');
  await shows('the selection', shared, /a\.ts.*with the text of lines 1–2/);
  assert.equal(await shared.count(), 1);
  assert.deepEqual(
    agent.openFiles.map((file) => file.path),
    [bench.path('a.ts')],
  );
  for (const glob of ['.env*', '*.private', '*.pem']) await shows('the deny list', panel, glob);
});

test('the switch: explicit and off stop what is told by itself', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  const agent = await bench.agent();
  await openFile(page, 'a.ts');
  await until('it is told', () => agent.openFiles.length === 1);
  await panelButton(page, 'Context').click();
  const panel = page.getByRole('complementary', { name: 'Context' });
  const mode = (name: string) => panel.getByRole('radio', { name });
  assert.ok(await mode('Auto').isChecked());
  await panel.getByText('Explicit').click();
  await until('nothing more', () => agent.openFiles.length === 0);
  await shows('the page says so', panel, 'Agents know only what you send.');
  await shows('nothing is shared', panel, 'Nothing.');
  await mode('Explicit').focus();
  await press(page, 'ArrowRight'); // by keyboard
  await until('off', () => bench.companion.policy.sharing === 'off');
  await press(page, 'ArrowLeft', 'ArrowLeft');
  await until('auto again', () => agent.openFiles.length === 1);
});

test('the selection is sent to one agent; the ledger has it with its text', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  const claude = await bench.claude();
  await openFile(page, 'a.ts');
  await press(page, 'Control+Home', 'ArrowDown', 'Shift+ArrowDown'); // ends before the third line
  await panelButton(page, 'Context').click();
  await page.getByRole('button', { name: 'Send to Claude Code' }).click();
  await shows('it was sent', messages(page), 'The selection was sent.');
  const mention = await until('the mention', () => claude.notified('at_mentioned')[0]);
  assert.deepEqual(mention, { filePath: bench.path('a.ts'), lineStart: 1, lineEnd: 1 });
  await page.getByRole('button', { name: 'Show what was sent' }).click();
  const ledger = page.getByRole('region', { name: 'What was sent' });
  const entries = ledger.getByRole('listitem');
  const sent = entries.filter({ hasText: 'mention' });
  await shows('who got it, and what', sent, /Claude Code[\s\S]*a\.ts/);
  await sent.locator('summary').click();
  await shows('with the text', sent.locator('pre'), 'const b = 2;');
  const before = await entries.count();
  await ledger.getByRole('button', { name: 'Close' }).click();
  await press(page, 'Control+Home', 'Shift+End');
  await until('the next is noted', () => bench.companion.ledger.entries.length > before);
});

test('a file on the deny list is not sent, also not by hand', async (t) => {
  const bench = await Bench.start(t, { files: FILES });
  const page = await bench.page();
  const claude = await bench.claude();
  await row(page, '.env').waitFor();
  await openFile(page, '.env');
  await panelButton(page, 'Context').click();
  await page.getByRole('button', { name: 'Send to Claude Code' }).click();
  await shows('why not', page.locator('.toast.error'), 'deny list');
  assert.equal(claude.notified('at_mentioned').length, 0);
});
