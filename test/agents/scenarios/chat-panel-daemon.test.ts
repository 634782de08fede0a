// The daemon through the workbench's panel: one of its own, one that the environment names, and what is wrong with others.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import { type Answer, Tap } from '../chat/model.ts';
import { inPanel } from '../chat/panel-world.ts';
import { DAEMON_TOKEN, type Daemon } from '../chat/world.ts';
import { ownDaemons } from '../processes.ts';
import type { Sandbox } from '../sandbox.ts';
import { waitFor } from '../wait.ts';

const timeout = 150_000;
const says = (text: string): Answer => ({ pieces: [{ text }] });
const daemonsOf = (sandbox: Sandbox) => ownDaemons(sandbox.processes());

test(
  '[DMN-12] [DMN-10] without an address a daemon is started for the window, comes back when killed, and goes',
  {
    timeout,
  },
  () =>
    inPanel(
      () => ({ settings: { 'qwen-code.experimentalDaemon.enabled': true } }),
      async (panel, { talk: { model, sandbox }, frames }) => {
        model.script('before', [says('I live.')]);
        model.script('afterwards', [says('I live again.')]);
        assert.deepEqual(daemonsOf(sandbox), [], 'nothing runs before it is asked for');
        await panel.start();
        await panel.shows('daemon');
        await panel.say('before');
        await panel.shows('I live.');
        const before = daemonsOf(sandbox);
        assert.ok(before.length > 0);
        sandbox.signal(before, 'SIGKILL');
        await waitFor('another daemon', () => daemonsOf(sandbox).some((pid) => !before.includes(pid)), 30_000);
        await panel.shows(/Qwen Code.* · connected/);
        await panel.say('afterwards');
        await panel.shows(/before[\s\S]*I live\.[\s\S]*I live again\./);
        assert.ok(!frames.some((frame) => /http:\/\/127\.0\.0\.1/.test(frame)), 'no address is told');

        await panel.menu('Close and end the agent');
        await waitFor('the daemon is gone', () => daemonsOf(sandbox).length === 0);
      },
    ),
);

test('[DMN-1] [DMN-2] [DMN-10] QWEN_IDE_DAEMON_URL: another folder, a wrong token, then the right one; a cut turn goes on', {
  timeout,
}, () => {
  let port: number;
  return inPanel(
    async (talk) => {
      // The address stays the same all the time; who is there changes.
      mkdirSync(talk.sandbox.path('../elsewhere'));
      const wrong = talk.daemon({ cwd: talk.sandbox.path('../elsewhere') });
      const url = await wrong.url();
      port = wrong.port;
      return { env: { QWEN_IDE_DAEMON_URL: url, QWEN_SERVER_TOKEN: DAEMON_TOKEN } };
    },
    async (panel, { talk, frames }) => {
      const replace = async (before: Daemon | undefined, token = DAEMON_TOKEN) => {
        await before?.end();
        const next = talk.daemon({ token, args: ['--port', String(port)] });
        await next.url();
        return next;
      };
      const banner = panel.chat.getByRole('status', { name: 'Agent' });
      await panel.page.keyboard.press('Alt+6');
      await panel.button('Start Qwen Code').click();
      await panel.shows(/another folder than this window[\s\S]*here[\s\S]*workspace[\s\S]*there[\s\S]*elsewhere/);

      let daemon = await replace(talk.daemons[0], 'another-token-1234567890');
      await banner.getByRole('button', { name: 'Try again' }).click();
      await panel.shows('does not let us in');

      daemon = await replace(daemon);
      await banner.getByRole('button', { name: 'Try again' }).click();
      await panel.shows(/Qwen Code.* · daemon · connected/);
      const endless = new Tap();
      talk.model.script('a long story', [{ pieces: endless }]);
      await panel.say('a long story');
      endless.push({ text: 'Once upon' });
      await panel.shows('Once upon');
      talk.model.script('a long story', [says('a time, the end.')]);
      daemon = await replace(daemon);
      endless.end();
      await panel.shows('The last turn was cut off before it was done.');
      await banner.getByRole('button', { name: 'Continue' }).click();
      await panel.shows('a time, the end.');
      await panel.idle();
      assert.ok(!frames.some((frame) => frame.includes(DAEMON_TOKEN) || frame.includes(`127.0.0.1:${port}`)));
    },
  );
});
