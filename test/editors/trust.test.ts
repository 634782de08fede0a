// A workspace that the user has not trusted: what is switched off is said, and comes back with trust.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { waitFor } from '../agents/wait.ts';
import type { EditorCompanion } from './support/companion.ts';
import { Studio } from './support/studio.ts';
import { withEvidence } from './support/testing.ts';
import type { Window } from './support/window.ts';

describe('restricted mode', { concurrency: 1 }, () => {
  let studio: Studio;
  let window: Window;
  let companion: EditorCompanion;
  const run = (title: string, work: () => Promise<void>) => test(title, () => withEvidence(() => studio, title, work));

  before(async () => {
    const settings = { 'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never' };
    studio = await Studio.start({ trust: true, settings });
    window = await studio.window();
    companion = await studio.companion(window);
  });
  after(() => studio?.discard());

  run('agents are told, code is not run, no agent is started, and all of it is said', async () => {
    assert.equal(await window.inHost((api) => api.workspace.isTrusted), false);
    const agent = await companion.agent();
    assert.equal(agent.contexts.at(-1).params.workspaceState.isTrusted, false);
    const claude = await companion.claude();
    const { result } = await claude.request('tools/list');
    const names: string[] = result.tools.map((tool: { name: string }) => tool.name);
    const code = await claude.call('executeCode', { code: 'print(1)' });
    assert.ok(!names.includes('executeCode') || code.result?.isError === true, JSON.stringify(code));
    assert.doesNotMatch(JSON.stringify(code), /^1$/m);

    await window.showView('Tandem');
    await waitFor('the view to say so', async () =>
      /Restricted mode/.test((await window.view('Agents').textContent()) ?? ''),
    );
    const chat = window.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await window.press('Control+Alt+j');
    await chat.getByText('none is started in a workspace that is not trusted').waitFor();
    await window.statusItem('tandem.context').hover();
    await window.hovered(/Restricted mode/);
    await window.command('Tandem: Start Agent…');
    await window.notice(/Restricted mode/).waitFor();
    assert.equal(await window.inHost((api) => api.window.terminals.length), 0);
    claude.socket.terminate();
    agent.drop();
  });

  run('a review works there, and trust brings the rest back', async () => {
    const agent = await companion.agent();
    const path = studio.sandbox.write('untrusted.txt', 'old\n');
    await agent.call('openDiff', { filePath: path, newContent: 'new\n' });
    await companion.review(path);
    await companion.ask('review/reject', {});
    await window.command('Workspaces: Manage Workspace Trust');
    await window.page
      .locator('.workspace-trust-editor .monaco-button')
      .filter({ hasText: /^Trust$/ })
      .click();
    await waitFor('trust', () => window.inHost((api) => api.workspace.isTrusted));
    await window.press('Control+Alt+j');
    const chat = window.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await chat.getByText('Talk with an agent').waitFor();
    await waitFor('the agent to know', () => agent.contexts.at(-1).params.workspaceState.isTrusted === true);
    await window.showView('Tandem');
    const says = async () => /Restricted mode/.test((await window.view('Agents').textContent()) ?? '');
    await waitFor('the view to be quiet', async () => !(await says()));
    const claude = await companion.claude();
    const { result } = await claude.request('tools/list');
    assert.ok(result.tools.some((tool: { name: string }) => tool.name === 'executeCode'));
    claude.socket.terminate();
    agent.drop();
  });

  test('[ALL-5] restricted mode: nothing is left', () => studio.end());
});
