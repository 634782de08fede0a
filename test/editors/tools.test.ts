// All twelve tools of Claude Code's dialect, against the real VS Code.
import assert from 'node:assert/strict';
import { waitFor } from '../agents/wait.ts';
import type { SocketAgent } from '../support/socket-agent.ts';
import { suite } from './support/suite.ts';
import { becomes } from './support/testing.ts';

const text = 'one\ntwo\nthree\nfour\n';
const TOOLS = [
  'checkDocumentDirty',
  'closeAllDiffTabs',
  'close_tab',
  'executeCode',
  'getCurrentSelection',
  'getDiagnostics',
  'getLatestSelection',
  'getOpenEditors',
  'getWorkspaceFolders',
  'openDiff',
  'openFile',
  'saveDocument',
];

suite('tools', {}, (vs) => {
  const json = async (agent: SocketAgent, name: string, args: object = {}) =>
    JSON.parse((await agent.texts(name, args))[0] ?? '');
  const openDiff = (agent: SocketAgent, path: string, tab: string, proposed = 'new\n') =>
    agent.ask('tools/call', {
      name: 'openDiff',
      arguments: { old_file_path: path, new_file_path: path, new_file_contents: proposed, tab_name: tab },
    });
  /** The selection as VS Code has it, once it is this one. */
  const selects = (wanted: string) =>
    waitFor(`"${wanted}" to be selected`, () =>
      vs.window.inHost((api, expected) => {
        const editor = api.window.activeTextEditor;
        return editor?.document.getText(editor.selection) === expected;
      }, wanted),
    );

  vs.test('[CLA-10] twelve tools are announced', async () => {
    const agent = await vs.claude();
    const { result } = await agent.request('tools/list');
    assert.deepEqual(result.tools.map((tool: { name: string }) => tool.name).sort(), TOOLS);
  });

  vs.test('openFile: selects from one text to another, in front or behind, as a preview or to stay', async () => {
    const agent = await vs.claude();
    const [mine, other] = [vs.write('open-a.txt', text), vs.write('open-b.txt', text)];
    const args = { filePath: mine, startText: 'two', endText: 'thr', selectToEndOfLine: true };
    assert.deepEqual(await agent.texts('openFile', args), [`Opened file: ${mine}`]);
    await selects('two\nthree');
    const behind = await json(agent, 'openFile', { filePath: other, makeFrontmost: false });
    assert.deepEqual(behind, { success: true, filePath: other, languageId: 'plaintext', lineCount: 5 });
    assert.equal(await vs.window.activePath(), mine);
    await waitFor('both tabs', async () => (await vs.window.tabs()).length === 2);

    const isPreview = (path: string) =>
      vs.window.inHost((api, wanted) => {
        const tabs = api.window.tabGroups.all.flatMap((group) => group.tabs);
        return tabs.find(({ input }) => input instanceof api.TabInputText && input.uri.fsPath === wanted)?.isPreview;
      }, path);
    const third = vs.write('open-c.txt', text);
    await agent.texts('openFile', { filePath: third, preview: true });
    await becomes(async () => [await isPreview(third), await isPreview(mine)], [true, false]);
    const missing = await agent.call('openFile', { filePath: vs.studio.sandbox.path('missing.txt') });
    assert.equal(missing.result.isError, true);
  });

  vs.test('the selection: now, and the latest after another editor was closed', async () => {
    const agent = await vs.claude();
    const path = vs.write('select.txt', text);
    await vs.window.openFile(path);
    await vs.window.press('Control+Home', 'ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowRight');
    const current = await waitFor('the selection', async () => {
      const got = await json(agent, 'getCurrentSelection');
      return got.text === 'two\nth' ? got : undefined;
    });
    assert.equal(current.filePath, path);
    assert.deepEqual(current.selection, {
      start: { line: 1, character: 0 },
      end: { line: 2, character: 2 },
      isEmpty: false,
    });
    await vs.window.closeAll();
    await waitFor('no editor', async () => (await json(agent, 'getCurrentSelection')).success === false);
    assert.deepEqual((await json(agent, 'getLatestSelection')).success, false, 'a closed file has none');
    const other = vs.write('select-2.txt', text);
    await vs.window.openFile(path);
    await vs.window.press('Control+Home', 'Shift+End');
    await waitFor('the selection', async () => (await json(agent, 'getLatestSelection')).text === 'one');
    await vs.window.openFile(other);
    await waitFor('the other', async () => (await json(agent, 'getCurrentSelection')).filePath === other);
  });

  vs.test('open editors and workspace folders', async () => {
    const agent = await vs.claude();
    const [first, second] = [vs.write('tab-1.json', '{}'), vs.write('tab-2.txt', text)];
    await vs.window.openFile(first);
    await vs.window.openFile(second);
    await vs.window.type('x');
    const seen = async () => {
      const { tabs } = await json(agent, 'getOpenEditors');
      return tabs.map((tab: Record<string, unknown>) => [tab.label, tab.isActive, tab.languageId, tab.isDirty]);
    };
    const wanted = [
      ['tab-2.txt', true, 'plaintext', true],
      ['tab-1.json', false, 'json', false],
    ];
    await waitFor(
      'both',
      async () => JSON.stringify(await seen()) === JSON.stringify(wanted),
      5000,
      async () => JSON.stringify(await seen()),
    );
    const { folders } = await json(agent, 'getWorkspaceFolders');
    assert.deepEqual(
      folders.map((folder: { path: string }) => folder.path),
      [vs.studio.sandbox.workspace],
    );
  });

  vs.test('diagnostics are what VS Code shows, of one file and of all', async () => {
    const agent = await vs.claude();
    const path = vs.write('broken.json', '{ "a": 1, }\n');
    await vs.window.openFile(path);
    const one = async () => json(agent, 'getDiagnostics', { uri: `file://${path}` });
    const [file] = await waitFor('a problem', async () => ((await one()).length > 0 ? one() : undefined), 20_000);
    assert.equal(file.uri, `file://${path}`);
    assert.match(file.diagnostics[0].message, /[Tt]railing comma/);
    assert.deepEqual(file.diagnostics[0].range.start, { line: 0, character: 8 });
    const shown = await vs.window.inHost(
      (api, wanted) => api.languages.getDiagnostics(api.Uri.file(wanted)).length,
      path,
    );
    assert.equal(file.diagnostics.length, shown);
    const all = await json(agent, 'getDiagnostics');
    assert.ok(all.some((each: { uri: string }) => each.uri === `file://${path}`));
  });

  vs.test('a document is unsaved, is saved, and is not open', async () => {
    const agent = await vs.claude();
    const path = vs.write('save-me.txt', text);
    assert.equal((await json(agent, 'checkDocumentDirty', { filePath: path })).success, false);
    await vs.window.openFile(path);
    await vs.window.press('Control+Home');
    await vs.window.type('zero ');
    await waitFor(
      'it to be unsaved',
      async () => (await json(agent, 'checkDocumentDirty', { filePath: path })).isDirty,
    );
    const saved = await json(agent, 'saveDocument', { filePath: path });
    assert.deepEqual([saved.success, saved.saved], [true, true]);
    assert.equal(vs.studio.sandbox.read('save-me.txt'), `zero ${text}`);
    await waitFor('it to be saved', async () => !(await json(agent, 'checkDocumentDirty', { filePath: path })).isDirty);
  });

  vs.test(
    'openDiff waits for the answer; close_tab and closeAllDiffTabs close the diffs of this agent only',
    async () => {
      const [agent, other] = [await vs.claude(), await vs.claude()];
      const paths = ['d1.txt', 'd2.txt', 'd3.txt', 'd4.txt'].map((name) => vs.write(name, text));
      const [p1 = '', p2 = '', p3 = '', p4 = ''] = paths;
      const first = openDiff(agent, p1, 'one');
      openDiff(agent, p2, 'two');
      openDiff(agent, p3, 'three');
      const foreign = openDiff(other, p4, 'four');
      for (const path of paths) await vs.diff(path, 'claude').opened();
      const user = vs.write('user.txt', text);
      await vs.window.inHost(
        async (api, left, right) => {
          await api.commands.executeCommand(
            'vscode.diff',
            api.Uri.file(left),
            api.Uri.file(right),
            'a diff of the user',
            {
              preview: false,
            },
          );
        },
        user,
        p1,
      );

      await vs.diff(p1, 'claude').reject();
      const answer = await waitFor('the answer', () => agent.answerTo(first));
      assert.equal(answer.result.content[0].text, 'DIFF_REJECTED');
      assert.deepEqual(await agent.texts('close_tab', { tab_name: 'two' }), ['TAB_CLOSED']);
      await vs.diff(p2, 'claude').closed();
      assert.deepEqual(await agent.texts('closeAllDiffTabs'), ['CLOSED_1_DIFF_TABS']);
      await vs.diff(p3, 'claude').closed();
      const labels = (await vs.window.tabs()).map(({ label }) => label);
      assert.ok(labels.includes('a diff of the user'), "the user's own diff stays");
      assert.ok(labels.includes('d4.txt ← Claude Code'), "another agent's diff stays");
      await vs.diff(p4, 'claude').accept();
      const saved = await waitFor('its answer', () => other.answerTo(foreign));
      assert.deepEqual(
        saved.result.content.map((block: { text: string }) => block.text),
        ['FILE_SAVED', 'new\n'],
      );
    },
  );

  vs.test('executeCode runs Python in the workspace and keeps its state', async () => {
    const agent = await vs.claude();
    const run = async (code: string) => {
      const id = agent.ask('tools/call', { name: 'executeCode', arguments: { code } });
      const { result } = await waitFor('the output', () => agent.answerTo(id), 30_000);
      return result.content[0].text as string;
    };
    assert.match(await run('import os; x = 41; print(os.getcwd())'), new RegExp(vs.studio.sandbox.workspace));
    assert.match(await run('print(x + 1)'), /42/);
    assert.match(await run('1 / 0'), /ZeroDivisionError/);
  });
});
