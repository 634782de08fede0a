// The chat panel in Chromium, the workbench, and the real Qwen Code: as a child process, and in a daemon that dies.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tap } from '../chat/model.ts';
import { inPanel, type PanelWorld } from '../chat/panel-world.ts';
import { MODEL_KEY } from '../chat/qwen-home.ts';
import { DAEMON_TOKEN, type Daemon } from '../chat/world.ts';
import { waitFor } from '../wait.ts';

const timeout = 150_000;

/** Nothing secret in anything the page was told, nor in what the workbench printed. */
function assertNoSecret(world: PanelWorld, secrets: readonly string[]): void {
  assert.ok(
    world.frames.some((frame) => frame.includes('"tell":"chat"')),
    'the frames were seen',
  );
  for (const secret of secrets) {
    const told = world.frames.filter((frame) => frame.includes(secret));
    assert.deepEqual(
      told.map((frame) => frame.slice(0, 300)),
      [],
      `${secret} reached the page`,
    );
    assert.ok(!world.output.includes(secret), `${secret} was printed`);
  }
}

test(
  'a child: streams, stops, asks, the change is decided on the desk, a reload keeps it all [ACP-1]',
  { timeout },
  () =>
    inPanel(
      () => ({}),
      async (panel, world) => {
        const { page } = panel;
        const { model, sandbox } = world.talk;
        const file = sandbox.write('talk.txt', 'one\ntwo\n');
        const [story, endless] = [new Tap(), new Tap()];
        const edit = (from: string, to: string) => ({
          call: { name: 'edit', input: { file_path: file, old_string: from, new_string: to } },
        });
        const done = { pieces: [{ text: 'So be it.' }] };
        model.script('tell a story', [{ pieces: story }]);
        model.script('never end', [{ pieces: endless }]);
        // It edits only what it has read.
        const read = { call: { name: 'read_file', input: { file_path: file } } };
        model.script('change two', [read, edit('two', 'TWO'), done]);
        model.script('change one', [edit('one', 'ONE'), done]);
        model.script('list the files', [
          {
            call: {
              name: 'run_shell_command',
              input: {
                command: 'printf made-by-shell > made.txt && cat made.txt',
                description: 'print',
                is_background: false,
              },
            },
          },
          done,
        ]);
        await panel.start();

        await panel.say('tell a story');
        story.push({ thought: 'hm, a story' }, { text: 'Once upon a **ti' });
        await panel.shows('Once upon a **ti');
        story.push({ text: 'me**, the end.' });
        story.end();
        await panel.log.locator('strong', { hasText: 'time' }).waitFor();
        await panel.idle();

        await panel.say('never end');
        endless.push({ text: 'and then' });
        await panel.shows('and then');
        await panel.field.press('Escape');
        await panel.shows('Stopped.');
        endless.end();

        await panel.say('change two');
        await panel.permission.getByRole('button', { name: 'Show the change' }).click();
        const review = page.getByRole('region', { name: 'Review of talk.txt' });
        await review.getByText('Proposed by Qwen Code').waitFor();
        await review.getByRole('button', { name: 'Accept', disabled: false }).click();
        await waitFor('the agent to write it', () => sandbox.read('talk.txt') === 'one\nTWO\n');
        await panel.permission.waitFor({ state: 'detached' });
        await panel.shows('So be it.');

        await panel.say('change one');
        await panel.permission.getByRole('button', { name: 'Show the change' }).waitFor();
        await page.keyboard.press('Alt+6');
        await panel.permission.locator('[data-answer][aria-disabled=false]').first().waitFor();
        const answers = await panel.permission.locator('[data-answer]').allInnerTexts();
        await page.keyboard.press(String(answers.length)); // the last one says no
        await panel.permission.waitFor({ state: 'detached' });
        await page.getByRole('region', { name: 'Review of talk.txt' }).waitFor({ state: 'detached' });
        assert.equal(sandbox.read('talk.txt'), 'one\nTWO\n');

        await panel.say('list the files');
        await panel.permission.locator('[data-answer][aria-disabled=false]').first().click();
        await panel.shows('So be it.');
        await panel.log
          .getByRole('button', { name: /printf made-by-shell/ })
          .last()
          .click();
        await panel.shows('made-by-shell');

        await page.reload();
        await panel.shows(/tell a story[\s\S]*Once upon a time, the end\.[\s\S]*Stopped\.[\s\S]*change two/);
        await panel.menu('Where does this run?');
        await panel.shows(sandbox.workspace);
        assertNoSecret(world, [MODEL_KEY, model.url]);
      },
    ),
);

test('a daemon that is killed and comes back: the panel says so, finds it again, nothing secret is told [DMN-9] [DMN-10]', {
  timeout,
}, () => {
  let first: Daemon;
  return inPanel(
    async (talk) => {
      first = talk.daemon();
      const settings = {
        'qwen-code.experimentalDaemon.enabled': true,
        'qwen-code.experimentalDaemon.url': await first.url(),
        'qwen-code.experimentalDaemon.token': DAEMON_TOKEN,
      };
      return { settings };
    },
    async (panel, world) => {
      const { model } = world.talk;
      model.script('before', [{ pieces: [{ text: 'I live.' }] }]);
      model.script('afterwards', [{ pieces: [{ text: 'I live again.' }] }]);
      await panel.start();
      await panel.shows('daemon');
      await panel.say('before');
      await panel.shows('I live.');
      const { port } = first;
      await first.end('SIGKILL');
      await panel.shows(/Lost Qwen Code|Qwen Code is gone/);
      const second = world.talk.daemon({ args: ['--port', String(port)] });
      await second.url();
      assert.equal(second.port, port);
      await panel.shows(/Qwen Code.* · connected/);
      await panel.shows(/before[\s\S]*I live\./);
      await panel.say('afterwards');
      await panel.shows('I live again.');
      await panel.menu('Where does this run?');
      await panel.chat.getByRole('list', { name: 'Program' }).waitFor();
      assertNoSecret(world, [MODEL_KEY, DAEMON_TOKEN, model.url, await second.url(), `127.0.0.1:${port}`]);
    },
  );
});
