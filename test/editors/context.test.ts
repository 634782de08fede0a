// What agents see of a VS Code window, and how the user knows and decides it.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../agents/wait.ts';
import type { HttpAgent } from '../support/http-agent.ts';
import { suite } from './support/suite.ts';
import { openTerminal, screenOf, variables } from './support/terminals.ts';

const text = 'one\ntwo\nthree\nfour\n';

/** Programs that stand for the agents where only the terminal matters. */
const prepare = ({ home }: { home: string }) => {
  const bin = join(home, 'bin');
  mkdirSync(bin);
  for (const name of ['claude', 'qwen']) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "$0 runs"\n`, { mode: 0o755 });
  }
  writeFileSync(join(home, '.profile'), `export PATH="${bin}:$PATH"\n`);
};

suite('context', { prepare }, (vs) => {
  const paths = (agent: HttpAgent) => agent.openFiles.map((file) => file.path);
  const sees = (agent: HttpAgent, ...wanted: string[]) =>
    waitFor(
      `the agent to see ${wanted}`,
      () => paths(agent).join() === wanted.join(),
      5000,
      async () => JSON.stringify(paths(agent)),
    );
  const selected = (agent: HttpAgent) => agent.openFiles.find((file) => file.isActive)?.selectedText;

  vs.test('open files in the order of last focus, the caret and the selection of the one in front', async () => {
    const agent = await vs.agent();
    const [a, b, c] = ['c-a.txt', 'c-b.txt', 'c-c.txt'].map((name) => vs.write(name, text)) as [string, string, string];
    for (const path of [a, b, c]) await vs.window.openFile(path);
    await sees(agent, c, b, a);
    await vs.window.tab('c-a').click();
    await sees(agent, a, c, b);
    await vs.window.press('Control+Home', 'ArrowDown', 'Shift+End');
    await waitFor('the selection', () => selected(agent) === 'two');
    const { cursor } = agent.openFiles[0];
    assert.deepEqual(cursor, { line: 2, character: 4 });
    await vs.window.closeTab('c-c');
    await sees(agent, a, b);
    await vs.window.inHost(async (api) => {
      await api.commands.executeCommand('workbench.action.files.newUntitledFile');
    });
    await vs.window.tab('Untitled').waitFor();
    await waitFor('no file in front', () => agent.openFiles.every((file) => !file.isActive));
    assert.deepEqual(paths(agent), [a, b], 'an untitled document is no file');
  });

  vs.test('the terminal does not take the selection away, and a review is no document', async () => {
    const agent = await vs.agent();
    const path = vs.write('keep.txt', text);
    await vs.window.openFile(path);
    await vs.window.press('Control+Home', 'Shift+End');
    await waitFor('the selection', () => selected(agent) === 'one');
    const from = agent.contexts.length;
    await openTerminal(vs.window);
    const other = vs.write('proposed.txt', text);
    const diff = await vs.propose(agent, other, 'new\n');
    await diff.show();
    await diff.focusRight();
    await vs.window.press('ArrowRight');
    // Whatever the review causes is told before this.
    const last = vs.write('last.txt', text);
    await vs.window.openFile(last);
    await sees(agent, last, path);
    for (const { params } of agent.contexts.slice(from)) {
      const seen: typeof agent.openFiles = params.workspaceState.openFiles;
      if (seen.some((file) => file.path === last)) break;
      assert.deepEqual(
        seen.map((file) => [file.path, file.selectedText]),
        [[path, 'one']],
      );
    }
    await vs.window.inHost((api) => {
      for (const terminal of api.window.terminals) terminal.dispose();
    });
  });

  vs.test('a notebook is an open file', async () => {
    const agent = await vs.agent();
    const cell = { cell_type: 'code', source: ['x = 1'], metadata: {}, outputs: [], execution_count: null };
    const path = vs.write(
      'book.ipynb',
      JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }),
    );
    await vs.window.inHost(async (api, file) => {
      await api.commands.executeCommand('vscode.open', api.Uri.file(file));
    }, path);
    await vs.window.tab('book.ipynb').waitFor();
    await sees(agent, path);
    await waitFor('it to be active', () => agent.openFiles[0]?.isActive === true);
  });

  vs.test('the status bar says who is connected and what is shared; the user changes it there', async () => {
    const path = vs.write('share.txt', text);
    await vs.window.openFile(path);
    await waitFor('auto', async () => /auto/.test(await vs.window.statusLabel('tandem.context')));
    const agent = await vs.agent();
    await sees(agent, path);
    await waitFor('the agent', async () => /Gemini CLI/.test(await vs.window.statusLabel('tandem.context')));
    await vs.window.statusItem('tandem.context').hover();
    await vs.window.hovered(/Gemini CLI.*[Oo]pen files/s);

    await vs.window.statusItem('tandem.context').click();
    await vs.window.choose('Off');
    await sees(agent);
    await waitFor('off', async () => /off/.test(await vs.window.statusLabel('tandem.context')));
    await vs.window.statusItem('tandem.context').click();
    await vs.window.choose('Only What I Send');
    await waitFor('explicit', async () => /explicit/.test(await vs.window.statusLabel('tandem.context')));
    await vs.window.press('Control+End');
    assert.deepEqual(paths(agent), []);
    await vs.window.statusItem('tandem.context').click();
    await vs.window.choose('Automatic');
    await sees(agent, path);
  });

  vs.test('the selection is sent by key and by menu, and the ledger says what has left', async () => {
    const agent = await vs.claude();
    const path = vs.write('send.txt', text);
    await vs.window.openFile(path);
    await vs.window.press('Control+Home', 'ArrowDown', 'Shift+ArrowDown', 'Shift+End');
    await vs.window.press('Control+Alt+k');
    const [mention] = await waitFor('the mention', () => {
      const all = agent.notified('at_mentioned');
      return all.length > 0 ? all : undefined;
    });
    assert.deepEqual(mention, { filePath: path, lineStart: 1, lineEnd: 2 });
    await vs.window.contextMenu('Send Selection to Agent');
    await waitFor('another mention', () => agent.notified('at_mentioned').length === 2);

    await vs.window.command('Tandem: Show What Has Left (Ledger)');
    await vs.window.tab(/what has left/).waitFor();
    const ledger = () =>
      vs.window.inHost((api) =>
        api.workspace.textDocuments.find(({ uri }) => uri.path.includes('what has left'))?.getText(),
      );
    await waitFor('the entry', async () => (await ledger())?.includes(path));
    assert.match((await ledger()) ?? '', /Claude Code/);
  });

  vs.test('what the deny setting names never leaves', async () => {
    const agent = await vs.agent();
    await vs.set({ 'tandem.deny': ['secrets/'] });
    const hidden = vs.write('secrets/plan.txt', text);
    const open = vs.write('public.txt', text);
    await vs.window.openFile(hidden);
    await vs.window.press('Control+a');
    await vs.window.openFile(open);
    await sees(agent, open);
    assert.ok(!agent.raw.join('').includes('plan.txt'));
    assert.ok(!JSON.stringify(await vs.companion.ask('ledger')).includes('plan.txt'));
    await vs.set({ 'tandem.deny': [] });
    await sees(agent, open, hidden);
  });

  vs.test("a terminal has the variables that lead here, and no other window's", async () => {
    const shell = await openTerminal(vs.window);
    const published: { environment: Record<string, string> }[] = await vs.companion.ask('environment');
    const wanted = published.flatMap(({ environment }) => Object.entries(environment));
    assert.ok(wanted.length >= 3, 'each agent has some');
    // The shell itself is started with them.
    const got = new Map(variables(shell).map((entry) => entry.split(/=(.*)/s).slice(0, 2) as [string, string]));
    for (const [name, value] of wanted) assert.equal(got.get(name), value, name);
    await vs.window.inHost((api) => {
      for (const terminal of api.window.terminals) terminal.dispose();
    });
  });

  vs.test('Start Agent… offers what is on the PATH and types its command into a terminal', async () => {
    await vs.window.command('Tandem: Start Agent…');
    const [first, second, third] = await vs.window.offered();
    assert.match(first ?? '', /Claude Code/);
    assert.match(second ?? '', /Qwen Code/);
    assert.match(third ?? '', /Gemini CLI.*not found on PATH/);
    await vs.window.choose('Claude Code');
    await waitFor('it to run', async () => /bin\/claude runs/.test(await screenOf(vs.window)), 15_000);
    await vs.window.inHost((api) => {
      for (const terminal of api.window.terminals) terminal.dispose();
    });
  });

  vs.test('the doctor looks at every agent, and the environment can be taken to another terminal', async () => {
    await vs.window.command('Tandem: Doctor: Why Does an Agent Not Connect?');
    await vs.window.tab(/doctor/).waitFor();
    const said = () =>
      vs.window.inHost((api) => {
        return api.workspace.textDocuments.find(({ uri }) => uri.path.includes('doctor'))?.getText() ?? '';
      });
    await waitFor('what it found', async () => /Claude Code.*Gemini CLI.*Qwen Code/s.test(await said()), 20_000, said);
    assert.ok((await said()).includes(`port ${vs.companion.port}`), 'it finds this window');

    await vs.window.command('Tandem: Copy Environment for Another Terminal');
    await vs.window.notice(/secret/).waitFor();
    const copied = await vs.window.inHost(async (api) => api.env.clipboard.readText());
    const published: { environment: Record<string, string> }[] = await vs.companion.ask('environment');
    for (const { environment } of published) {
      for (const [name, value] of Object.entries(environment)) assert.ok(copied.includes(`${name}='${value}'`), name);
    }
  });

  vs.test('the agents view lists who is connected', async () => {
    await vs.agent('qwen');
    await vs.window.showView('Tandem');
    const row = () => vs.window.rowTexts('Agents');
    await waitFor('the link', async () => (await row()).some((each) => /Qwen Code.*1 connected/.test(each)));
    assert.ok(
      (await row()).some((each) => /Claude Code.*waits/.test(each)),
      (await row()).join('\n'),
    );
  });

  vs.test('no token is in the settings, the state, the log or the output', async () => {
    const agent = await vs.agent();
    const path = vs.write('quiet.txt', text);
    await (await vs.propose(agent, path, 'new\n')).reject();
    await vs.window.command('Tandem: Show Log');
    const log = () =>
      vs.window.inHost((api) =>
        api.workspace.textDocuments
          .filter(({ uri }) => uri.scheme === 'output')
          .map((each) => each.getText())
          .join('\n'),
      );
    await waitFor('the log', async () => /listens on port/.test(await log()));
    const environment: { environment: Record<string, string> }[] = await vs.companion.ask('environment');
    const secrets = [
      vs.companion.record.controlToken,
      ...Object.values<string>(vs.companion.record.tokens),
      ...environment
        .flatMap((each) => Object.values(each.environment))
        .filter((value) => value.length >= 20 && !value.includes('/')),
    ];
    assert.ok(secrets.length >= 4 && secrets.every((secret) => secret.length >= 20), 'there are tokens to look for');
    const places: [string, string][] = [
      ['the output channels', await log()],
      ['what VS Code printed', vs.studio.server.log],
      ...filesBelow(join(vs.studio.sandbox.root, 'data')),
      ...filesBelow(vs.studio.sandbox.workspace),
    ];
    for (const [place, content] of places) {
      for (const secret of secrets) assert.ok(!content.includes(secret), `a token is in ${place}`);
    }
  });
});

function filesBelow(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path, readFileSync(path, 'latin1')]);
}
