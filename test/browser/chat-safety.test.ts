import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Chats } from '../../packages/cli/src/workbench/chats.ts';
import { until } from '../support/world.ts';
import { Bench } from './support/bench.ts';
import { panel, scriptedBench, talk } from './support/scripted-chat.ts';
import { press, shows } from './support/steps.ts';

test('what a page asks is checked: nothing strange reaches a conversation', async (t) => {
  const { bench, chats } = await scriptedBench(t);
  const page = await bench.page();
  const chat = await talk(page, chats);
  const ask = (input: unknown) =>
    page.evaluate(`new Promise((resolve) => {
      const socket = new WebSocket('ws://' + location.host + '/live');
      socket.onopen = () => {
        socket.send(JSON.stringify({ key: localStorage.getItem('tandem-key') }));
        socket.send(JSON.stringify({ id: 1, ask: 'chat', input: ${JSON.stringify(input)} }));
      };
      socket.onmessage = ({ data }) => {
        const message = JSON.parse(data);
        if (message.id === 1) { socket.close(); resolve(message); }
      };
    })`) as Promise<{ error?: string; output?: unknown }>;
  const perform = (command: unknown) => ask({ do: 'perform', chat: chat.id, command });
  for (const wrong of [
    { do: 'run', command: 'rm' },
    { do: 'start', agent: '' },
    { do: 'start', agent: '/bin/sh' },
    { do: 'perform', chat: 'nobody', command: { do: 'cancel' } },
    { do: 'close', chat: '__proto__' },
  ])
    assert.ok((await ask(wrong)).error, JSON.stringify(wrong));
  for (const wrong of [
    { do: 'exec' },
    { do: 'prompt', draft: { text: 7 } },
    { do: 'prompt', draft: { text: 'x', images: [{ mimeType: 'image/svg+xml', data: '' }] } },
    { do: 'prompt', draft: { text: 'x', mentions: [{ path: '/a', lines: { start: -1, end: 0 } }] } },
    { do: 'permission', id: 'x', answer: { optionId: 7 } },
  ])
    assert.ok((await perform(wrong)).error, JSON.stringify(wrong));
  assert.deepEqual(chat.asked, []);
  assert.ok((await perform({ do: 'cancel' })).output);
  assert.equal(chat.asked.length, 1);
});

test('which agents there are: those on the PATH, and those of the user’s own settings; the project has no say', async (t) => {
  const bench = await Bench.start(t, {
    chats: (companion, world) => {
      const bin = join(world.home, 'bin');
      const project = join(world.workspace, 'node_modules', '.bin');
      for (const [folder, name] of [
        [bin, 'qwen'],
        [bin, 'own-agent'],
        [project, 'gemini'],
      ] as const) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, name), '#!/bin/sh\nexit 7\n', { mode: 0o755 });
      }
      mkdirSync(join(world.home, '.tandem'), { recursive: true, mode: 0o700 });
      const settings = { 'chat.agents': { 'My agent': ['own-agent', '--talk'] } };
      writeFileSync(join(world.home, '.tandem', 'settings.json'), JSON.stringify(settings));
      return new Chats(companion, {
        home: world.home,
        tmp: world.tmp,
        env: { PATH: `${project}:${bin}`, HOME: world.home },
      });
    },
  });
  const page = await bench.page();
  await press(page, 'Alt+6');
  const offer = (name: string) =>
    panel(page).getByRole('list', { name: 'Agents' }).getByRole('listitem').filter({ hasText: name });
  await shows('one on the PATH', offer('Qwen Code'), `${bench.world.home}/bin/qwen --acp`);
  await shows('one of the settings', offer('My agent'), `${bench.world.home}/bin/own-agent --talk`);
  await shows('one that only the project brings', offer('Gemini CLI'), 'not found');
  await offer('My agent').getByRole('button', { name: 'Start My agent' }).click();
  await until('that it does not run is said', async () => {
    const words = await panel(page).getByRole('status', { name: 'Agent', exact: true }).allInnerTexts();
    return words.some((text) => /My agent could not begin: /.test(text));
  });
});
