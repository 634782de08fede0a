// The chat panel in Chromium, the workbench, and the real Qwen Code: as a child process, and in a daemon that dies.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { Tap } from '../chat/model.ts';
import { PanelWorld } from '../chat/panel-world.ts';
import { MODEL_KEY } from '../chat/qwen-home.ts';
import { ChatWorld, DAEMON_TOKEN } from '../chat/world.ts';
import { waitFor } from '../wait.ts';

const timeout = 150_000;
const chat = (page: Page) => page.getByRole('complementary', { name: 'Chat' });
const log = (page: Page) => chat(page).getByRole('log');
const field = (page: Page) => chat(page).getByRole('textbox', { name: 'Message to Qwen Code' });
const asks = (page: Page) => chat(page).getByRole('region', { name: 'Permission' });

async function shows(page: Page, text: string | RegExp): Promise<void> {
  const look = async () => {
    const words = await chat(page).innerText();
    return typeof text === 'string' ? words.includes(text) : text.test(words);
  };
  await waitFor(`the chat to show ${text}`, look, 30_000, () => chat(page).innerText());
}

async function start(page: Page): Promise<void> {
  await page.keyboard.press('Alt+6');
  await chat(page).getByRole('button', { name: 'Start Qwen Code' }).click();
  await shows(page, /Qwen Code.* · connected/);
}

async function say(page: Page, prompt: string): Promise<void> {
  await field(page).fill(prompt);
  await field(page).press('Enter');
  await log(page).getByText(prompt, { exact: true }).last().waitFor();
}

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

async function withWorld(run: (world: PanelWorld, page: Page) => Promise<void>, begin: () => Promise<PanelWorld>) {
  const world = await begin();
  let page: Page | undefined;
  try {
    page = await world.page();
    await run(world, page);
    assert.deepEqual(world.faults, []);
  } catch (error) {
    const seen = await page
      ?.locator('body')
      .innerText()
      .catch(() => '');
    await world.discard();
    throw new Error(`${(error as Error).message}\n--- the page\n${seen}\n--- the workbench\n${world.output}`, {
      cause: error,
    });
  }
  await world.end();
}

test(
  'a child: streams, stops, asks, the change is decided on the desk, a reload keeps it all [ACP-1]',
  { timeout },
  () =>
    withWorld(
      async (world, page) => {
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
        await start(page);

        await say(page, 'tell a story');
        story.push({ thought: 'hm, a story' }, { text: 'Once upon a **ti' });
        await shows(page, 'Once upon a **ti');
        story.push({ text: 'me**, the end.' });
        story.end();
        await log(page).locator('strong', { hasText: 'time' }).waitFor();
        await chat(page).getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });

        await say(page, 'never end');
        endless.push({ text: 'and then' });
        await shows(page, 'and then');
        await field(page).press('Escape');
        await shows(page, 'Stopped.');
        endless.end();

        await say(page, 'change two');
        await asks(page).getByRole('button', { name: 'Show the change' }).click();
        const review = page.getByRole('region', { name: 'Review of talk.txt' });
        await review.getByText('Proposed by Qwen Code').waitFor();
        await review.getByRole('button', { name: 'Accept', disabled: false }).click();
        await waitFor('the agent to write it', () => sandbox.read('talk.txt') === 'one\nTWO\n');
        await asks(page).waitFor({ state: 'detached' });
        await shows(page, 'So be it.');

        await say(page, 'change one');
        await asks(page).getByRole('button', { name: 'Show the change' }).waitFor();
        await page.keyboard.press('Alt+6');
        await asks(page).locator('[data-answer][aria-disabled=false]').first().waitFor();
        const answers = await asks(page).locator('[data-answer]').allInnerTexts();
        await page.keyboard.press(String(answers.length)); // the last one says no
        await asks(page).waitFor({ state: 'detached' });
        await page.getByRole('region', { name: 'Review of talk.txt' }).waitFor({ state: 'detached' });
        assert.equal(sandbox.read('talk.txt'), 'one\nTWO\n');

        await say(page, 'list the files');
        await asks(page).locator('[data-answer][aria-disabled=false]').first().click();
        await shows(page, 'So be it.');
        await log(page)
          .getByRole('button', { name: /printf made-by-shell/ })
          .last()
          .click();
        await shows(page, 'made-by-shell');

        await page.reload();
        await shows(page, /tell a story[\s\S]*Once upon a time, the end\.[\s\S]*Stopped\.[\s\S]*change two/);
        await chat(page).getByRole('button', { name: 'More' }).click();
        await page.getByRole('menuitem', { name: 'Where does this run?' }).click();
        await shows(page, sandbox.workspace);
        assertNoSecret(world, [MODEL_KEY, model.url]);
      },
      async () => PanelWorld.start(await ChatWorld.start()),
    ),
);

test(
  'a daemon that is killed and comes back: the panel says so, finds it again, nothing secret is told [DMN-9] [DMN-10]',
  { timeout },
  () =>
    withWorld(
      async (world, page) => {
        const { model } = world.talk;
        model.script('before', [{ pieces: [{ text: 'I live.' }] }]);
        model.script('afterwards', [{ pieces: [{ text: 'I live again.' }] }]);
        const first = daemons.get(world.talk);
        assert.ok(first);
        await start(page);
        await shows(page, 'daemon');
        await say(page, 'before');
        await shows(page, 'I live.');
        const { port } = first;
        await first.end('SIGKILL');
        await shows(page, /Lost Qwen Code|Qwen Code is gone/);
        const second = world.talk.daemon({ args: ['--port', String(port)] });
        await second.url();
        assert.equal(second.port, port);
        await shows(page, /Qwen Code.* · connected/);
        await shows(page, /before[\s\S]*I live\./);
        await say(page, 'afterwards');
        await shows(page, 'I live again.');
        await chat(page).getByRole('button', { name: 'More' }).click();
        await page.getByRole('menuitem', { name: 'Where does this run?' }).click();
        await chat(page).getByRole('list', { name: 'Program' }).waitFor();
        assertNoSecret(world, [MODEL_KEY, DAEMON_TOKEN, model.url, await second.url(), `127.0.0.1:${port}`]);
      },
      async () => {
        const talk = await ChatWorld.start();
        const daemon = talk.daemon();
        daemons.set(talk, daemon);
        return PanelWorld.start(talk, {
          'qwen-code.experimentalDaemon.enabled': true,
          'qwen-code.experimentalDaemon.url': await daemon.url(),
          'qwen-code.experimentalDaemon.token': DAEMON_TOKEN,
        });
      },
    ),
);

const daemons = new Map<ChatWorld, ReturnType<ChatWorld['daemon']>>();
