import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ConnectionState } from '../../packages/chat/src/view.ts';
import { until } from '../support/world.ts';
import { field, log, panel, type ScriptedChat, scriptedBench, talk } from './support/scripted-chat.ts';
import { gone, press, shows } from './support/steps.ts';

const banner = (page: Parameters<typeof panel>[0]) => panel(page).getByRole('status', { name: 'Agent', exact: true });

test('every state of the connection is said in plain words, with what can be done [DMN-10]', async (t) => {
  const { bench, chats } = await scriptedBench(t);
  const page = await bench.page();
  const chat = await talk(page, chats);
  const become = (state: ConnectionState) => chat.emit({ type: 'connection', state });
  await gone(banner(page));

  become({ status: 'reconnecting', attempt: 2, inMs: 60_000, reason: 'the connection was reset' });
  await shows(
    'when it comes back',
    banner(page),
    /Lost Alpha: the connection was reset\. Reconnecting in (60|59|58|57) s…/,
  );
  assert.ok(await panel(page).getByRole('button', { name: 'Send' }).isDisabled());
  await banner(page).getByRole('button', { name: 'Try now' }).click();
  await until('tried', () => chat.commands('reconnect').length === 1);

  become({ status: 'died', reason: 'it was killed', canReconnect: true, canContinue: true });
  await shows('that it is gone', banner(page), 'Alpha is gone: it was killed. A turn was cut off.');
  await banner(page).getByRole('button', { name: 'Reconnect' }).click();
  await until('reconnected', () => chat.commands('reconnect').length === 2);
  assert.equal(chat.commands('continue').length, 0);
  await banner(page).getByRole('button', { name: 'Continue' }).click();
  await until('continued', () => chat.commands('continue').length === 1);
  assert.equal(chat.commands('reconnect').length, 3);

  become({ status: 'died', reason: 'it has ended', canReconnect: false, canContinue: false });
  await shows('why', banner(page), 'it has ended.');
  assert.equal(await banner(page).getByRole('button').count(), 0);

  become({ status: 'workspace-mismatch', ours: '/home/me/here', theirs: ['/srv/there', '/srv/other'] });
  await shows('both paths', banner(page), /here\s+\/home\/me\/here\s+there\s+\/srv\/there\s+\/srv\/other/);

  become({ status: 'unauthorised', reason: 'the token is wrong' });
  await shows('not let in', banner(page), 'Alpha does not let us in: the token is wrong.');
  chat.answers.reconnect = new Error('the token is wrong');
  await banner(page).getByRole('button', { name: 'Try again' }).click();
  await until('tried again', () => chat.commands('reconnect').length === 4);
  await banner(page).getByRole('button', { name: 'Try again', disabled: false }).waitFor();
  assert.equal(await panel(page).getByRole('alert').count(), 0, 'once is enough');

  become({ status: 'stopped' });
  await shows('not running', banner(page), 'Alpha is not running.');
  chat.connect();
  await gone(banner(page));
});

test('a turn that was cut off can be taken up again', async (t) => {
  const { bench, chats } = await scriptedBench(t);
  const page = await bench.page();
  const chat = await talk(page, chats);
  const agent = { id: 'alpha', name: 'Alpha', via: 'daemon' } as const;
  chat.emit({ type: 'session', session: { id: 's', cwd: '/ws', agent, interrupted: true } });
  await shows('it says so', banner(page), 'The last turn was cut off');
  await banner(page).getByRole('button', { name: 'Continue' }).click();
  await until('it is asked for', () => chat.commands('continue').length === 1);
});

test('how a turn ended is said where it ended', async (t) => {
  const { bench, chats } = await scriptedBench(t);
  const page = await bench.page();
  const chat = await talk(page, chats);
  const end = (reason: 'max_tokens' | 'error' | 'refusal', message?: string) =>
    chat.emit({ type: 'turn-end', promptId: 'x', reason, ...(message ? { message } : {}) });
  end('max_tokens');
  end('error', 'The model is overloaded.');
  end('refusal');
  chat.emit({ type: 'notice', notice: { level: 'warning', message: 'The daemon has no token.' } });
  await shows(
    'all of them',
    log(page),
    /limit of tokens[\s\S]*It failed\. The model is overloaded\.[\s\S]*refused[\s\S]*has no token/,
  );
});

test('a reload keeps the conversation, what was being written, and what comes meanwhile', async (t) => {
  const { bench, chats } = await scriptedBench(t);
  const page = await bench.page();
  const chat = await talk(page, chats);
  chat.turn('first question', 'first answer');
  await shows('it is there', log(page), 'first answer');
  await field(page).fill('half a thou');
  chat.emit({ type: 'message', role: 'user', text: 'second', promptId: 'b' }, { type: 'turn-start', promptId: 'b' });
  let count = 0;
  const timer = setInterval(() => chat.emit({ type: 'message', role: 'agent', text: `<${count++}>` }), 3);
  t.after(() => clearInterval(timer));
  for (let i = 0; i < 3; i += 1) {
    await page.reload();
    await shows('the history', log(page), /first question[\s\S]*first answer[\s\S]*second/);
    const now = count;
    await until('it goes on', async () => (await log(page).innerText()).includes(`<${now}>`));
  }
  clearInterval(timer);
  const all = Array.from({ length: count }, (_, i) => `<${i}>`).join('');
  await until('nothing is lost or doubled', async () =>
    (await log(page).getByRole('article', { name: 'Alpha' }).last().innerText()).includes(all),
  );
  await until('the field', async () => (await field(page).inputValue()) === 'half a thou');
});

test('after the workbench was started anew, what was open is there and goes on; what is old waits for a click', async (t) => {
  const before = await scriptedBench(t);
  const page = await before.bench.page();
  const old = await talk(page, before.chats);
  old.turn('remember me', 'I do');
  await shows('it is there', log(page), 'I do');
  const { world } = before.bench;
  const start = async () => {
    const { bench, chats } = await scriptedBench(t, { world });
    const again = await bench.page();
    await press(again, 'Alt+6');
    await shows('what was said', log(again), /remember me[\s\S]*I do/);
    return { bench, again, chat: chats[0] as ScriptedChat };
  };
  await before.bench.stop();
  const second = await start();
  await until('it goes on by itself', () => second.chat.commands('reconnect').length === 1);
  second.chat.connect();
  await until('something can be said', () => field(second.again).isEnabled());
  await second.bench.stop();

  const folder = join(world.home, '.tandem', 'chats');
  const file = join(folder, readdirSync(folder)[0] ?? '', `${process.pid}.json`);
  const kept = JSON.parse(readFileSync(file, 'utf8'));
  kept.chats[0].at -= 3_600_000;
  writeFileSync(file, JSON.stringify(kept));
  const third = await start();
  const takeUp = panel(third.again).getByRole('button', { name: 'Take up again' });
  await takeUp.waitFor();
  assert.deepEqual(third.chat.asked, []);
  await takeUp.click();
  await until('taken up', () => third.chat.commands('reconnect').length === 1);
  third.chat.connect();
  await panel(third.again).getByRole('button', { name: 'More' }).click();
  await third.again.getByRole('menuitem', { name: /^Close/ }).click();
  await gone(log(third.again));
  await until('it is forgotten', () => !existsSync(file));
});

test('two windows show the same conversation', async (t) => {
  const { bench, chats } = await scriptedBench(t);
  const page = await bench.page();
  const chat = await talk(page, chats);
  const other = await bench.window(page.context());
  await press(other, 'Alt+6');
  chat.turn('asked here', 'answered everywhere');
  await shows('here', log(page), 'answered everywhere');
  await shows('and there', log(other), 'answered everywhere');
  await other.close();
  chat.turn('again', 'once more');
  await shows('the one that is left', log(page), 'once more');
});
