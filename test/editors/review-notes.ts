// Notes on lines of a review: written as VS Code's own comments, they go along as a prompt when the review ends, however
// it does. These share the window of reviews.test.ts.
import assert from 'node:assert/strict';
import { waitFor } from '../agents/wait.ts';
import type { HttpAgent } from '../support/http-agent.ts';
import { NotePad } from './support/note-pad.ts';
import type { Suite } from './support/suite.ts';
import { screenOf } from './support/terminals.ts';

const text = 'one\ntwo\nthree\nfour\n';
const edited = 'one\nTWO\nthree\nfour\n';

export function noteTests(vs: Suite): void {
  const propose = async (agent: HttpAgent, path: string) => {
    const diff = await vs.propose(agent, path, edited);
    return { diff, notes: new NotePad(vs.window, await diff.show()) };
  };
  const copied = async () => {
    await vs.window.inHost(async (api) => api.env.clipboard.writeText(''));
    await vs.window.answer('are ready as a prompt', 'Copy as Prompt');
    return waitFor('the clipboard', () => vs.window.inHost(async (api) => api.env.clipboard.readText()));
  };

  vs.test('a note by the gutter decides nothing; it is changed, and a rejection offers it as a prompt', async () => {
    const agent = await vs.agent();
    const path = vs.write('gutter.txt', text);
    const { diff, notes } = await propose(agent, path);
    assert.equal(await diff.left.locator('.comment-range-glyph').count(), 0, 'the left side is the file itself');
    await notes.write(2, 'Why **upper** case?');
    assert.equal((await vs.companion.reviews()).length, 1);
    await notes.change('Why **upper** case?', 'Lower case, please.');
    await vs.window.press('Control+Shift+Backspace');
    await waitFor('it to be rejected', () => agent.notified('ide/diffRejected').length > 0);
    await diff.closed();
    const note = '- line 2 of your version (`TWO`): Lower case, please.';
    assert.equal(await copied(), `I rejected your change to ${path}. My notes on it:\n${note}\n`);
  });

  vs.test(
    'by keyboard: a note moves with its line, is changed there, and offered when the terminal answers first',
    async () => {
      const agent = await vs.agent();
      const path = vs.write('moves.txt', text);
      const { diff, notes } = await propose(agent, path);
      await diff.focusRight();
      await vs.window.press('Control+Home', 'ArrowDown', 'ArrowDown');
      await notes.writeByKey('Three what?');
      await vs.window.press('Control+Home');
      await notes.writeByKey('Never mind.');
      await notes.press('Never mind.', 'Delete Note');
      await diff.typeAtEnd(1, '\none and a half');
      await waitFor('it to be there', async () => (await diff.text())?.includes('half'));
      await vs.window.press('ArrowDown', 'ArrowDown');
      await notes.openByKey();
      await vs.window.press('Control+End');
      await notes.begin(' Apples?');
      await agent.call('closeDiff', { filePath: path, suppressNotification: true });
      await diff.closed();
      const note = '- line 4 of your version (`three`): Three what? Apples?';
      assert.equal(await copied(), `My notes on your change to ${path}:\n${note}\n`);
    },
  );

  vs.test('notes outlive a closed tab, and are offered with an acceptance, also one in an open field', async () => {
    const agent = await vs.agent();
    await vs.set({ 'tandem.reviews.onTabClose': 'keep' });
    const path = vs.write('again.txt', text);
    const { diff, notes } = await propose(agent, path);
    await notes.write(1, 'Good start.');
    await vs.window.closeTab('again.txt');
    await diff.closed();
    await vs.window.press('Alt+.');
    await diff.opened();
    await notes.shows('Good start.');
    await notes.open(4);
    await notes.begin('Not kept yet.');
    await diff.accept();
    await waitFor('it to be accepted', () => agent.notified('ide/diffAccepted').length > 0);
    const said = '- line 1 of your version (`one`): Good start.\n- Not kept yet.';
    assert.equal(await copied(), `I accepted your change to ${path}. My notes on it:\n${said}\n`);
  });

  vs.test('a tab closed for good offers its notes, also for the terminal that the agent was started in', async () => {
    const agent = await vs.agent();
    await vs.set({ 'tandem.reviews.onTabClose': 'reject', 'tandem.agents.startCommands': { gemini: 'cat' } });
    await vs.window.command('Tandem: Start Agent…');
    await vs.window.choose('Gemini CLI');
    await waitFor('the command', async () => /# cat\s*$/.test(await screenOf(vs.window)));
    const path = vs.write('closed.txt', text);
    const { notes } = await propose(agent, path);
    await notes.write(3, 'Not this one.');
    await vs.window.closeTab('closed.txt');
    await waitFor('it to be rejected', () => agent.notified('ide/diffRejected').length > 0);
    await vs.window.answer('are ready as a prompt', 'Paste into Terminal');
    const screen = async () => (await screenOf(vs.window)).replaceAll('\n', '');
    await waitFor('the words', async () => (await screen()).includes('Not this one.'), 10_000, screen);
    // cat says again what it is given when a line ends.
    assert.equal((await screen()).split('I rejected').length, 2, 'nothing was entered');
    await vs.window.inHost((api) => {
      for (const terminal of api.window.terminals) terminal.dispose();
    });
  });
}
