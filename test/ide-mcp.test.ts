import assert from 'node:assert/strict';
import { readFileSync, realpathSync, statSync, symlinkSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { MemoryEditor } from '../packages/core/src/index.ts';
import { HttpAgent, send } from './support/http-agent.ts';
import { createWorld, type Running, startCompanion, until } from './support/world.ts';

/** Both dialects share the wire; what differs between them has tests of its own below. */
for (const dialect of ['gemini', 'qwen'] as const) {
  const connect = (running: Running) => new HttpAgent(running.companion.port, running.token(dialect)).connect();
  const range = (line: number, from: number, to: number) => ({
    start: { line, character: from },
    end: { line, character: to },
  });

  describe(dialect, () => {
    test('[GEM-4] [QWEN-4] the handshake: version echoed, session given, 202 for initialized', async (t) => {
      const running = await startCompanion(t);
      for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']) {
        const agent = new HttpAgent(running.companion.port, running.token(dialect), version);
        const initialized = await agent.initialize();
        assert.equal(initialized.status, 200);
        assert.equal(initialized.json.result.protocolVersion, version);
        assert.match(agent.session ?? '', /^[\x21-\x7e]+$/);
        assert.equal((await agent.initialized()).status, 202);
        assert.equal(await agent.openStream(), 200);
        agent.drop();
      }
    });

    test('[GEM-5] [QWEN-4] the first context comes as soon as the stream opens, then with every change', async (t) => {
      const running = await startCompanion(t);
      const path = running.world.file('a.txt', 'one\ntwo\n');
      await running.editor.openFile({ path, preview: false, focus: true });
      const agent = await connect(running);
      assert.equal(agent.openFiles[0].path, path);
      running.editor.select(path, [range(1, 0, 3)]);
      await until('the selection', () => agent.openFiles[0]?.selectedText === 'two');
      running.editor.close(path);
      await until('the closing', () => agent.openFiles.length === 0);
    });

    test('[GEM-5] [QWEN-4] a storm of events becomes few messages that end on the newest state', async (t) => {
      const running = await startCompanion(t);
      const path = running.world.file('a.txt', 'x'.repeat(500));
      await running.editor.openFile({ path, preview: false, focus: true });
      const agent = await connect(running);
      const before = agent.contexts.length;
      for (let i = 0; i < 400; i += 1) running.editor.select(path, [range(0, i, i)]);
      await until('the newest state', () => agent.openFiles[0]?.cursor?.character === 400);
      assert.ok(agent.contexts.length - before < 40, `${agent.contexts.length - before} messages`);
    });

    test('[GEM-6] [QWEN-4] 1-based cursor, selection on the active file only, absent fields absent', async (t) => {
      const running = await startCompanion(t);
      const [a, b] = [running.world.file('a.txt', 'aaaa\n'), running.world.file('b.txt', 'bbbb\n')];
      for (const path of [a, b]) await running.editor.openFile({ path, preview: false, focus: true });
      running.editor.select(a, [range(0, 0, 2)]);
      running.editor.select(b, [range(0, 1, 3)]);
      const agent = await connect(running);
      const [first, second] = agent.openFiles;
      assert.deepEqual(first, {
        path: b,
        timestamp: first.timestamp,
        isActive: true,
        cursor: { line: 1, character: 4 },
        selectedText: 'bb',
      });
      assert.deepEqual(Object.keys(second).sort(), ['path', 'timestamp']);
      assert.equal(second.path, a);
      assert.ok(first.timestamp > second.timestamp);
      assert.ok(!JSON.stringify(agent.received).includes('null'));
    });

    test('[GEM-6] [QWEN-4] at most 10 files and 16,384 characters leave, and only files that exist', async (t) => {
      const running = await startCompanion(t);
      for (let i = 0; i < 14; i += 1) {
        const path = running.world.file(`f${i}.txt`, '😀'.repeat(20_000));
        await running.editor.openFile({ path, preview: false, focus: true });
      }
      const ghost = running.world.file('ghost.txt', 'boo');
      await running.editor.openFile({ path: ghost, preview: false, focus: true });
      unlinkSync(ghost);
      const last = join(running.world.workspace, 'f13.txt');
      running.editor.focus(last);
      running.editor.select(last, [range(0, 0, 40_000)]);
      const agent = await connect(running);
      assert.equal(agent.openFiles.length, 10);
      assert.ok(!agent.openFiles.some((file) => file.path === ghost));
      const text: string = agent.openFiles[0].selectedText;
      assert.ok(text.length <= 16_384 && text.length > 16_300, String(text.length));
      assert.ok(text.endsWith('... [TRUNCATED]'));
      assert.ok(text.isWellFormed(), 'no character is cut in two');
    });

    test('[GEM-7] [QWEN-4] isTrusted is sent only by an editor that knows trust', async (t) => {
      const running = await startCompanion(t);
      const agent = await connect(running);
      assert.ok(!('isTrusted' in agent.contexts[0].params.workspaceState));
      running.editor.host.apply({ type: 'trust', trusted: false });
      await until('the trust', () => agent.contexts.at(-1).params.workspaceState.isTrusted === false);
    });

    test('[GEM-8] [GEM-9] [QWEN-4] openDiff answers at once; accept sends the text with the user edits, path as asked', async (t) => {
      const running = await startCompanion(t);
      const agent = await connect(running);
      const spelled = `${running.world.workspace}/./sub/../a.txt`;
      const answer = await agent.call('openDiff', { filePath: spelled, newContent: 'proposed\n' });
      assert.deepEqual(answer.result, { content: [] });
      const [review] = running.companion.desk.reviews;
      assert.ok(review);
      assert.ok(running.editor.shown.has(review.id));
      assert.ok(running.editor.accept(review.id, 'edited\n').ok);
      await until('the notification', () => agent.notified('ide/diffAccepted').length > 0);
      assert.deepEqual(agent.notified('ide/diffAccepted'), [{ filePath: spelled, content: 'edited\n' }]);
      assert.equal(running.editor.shown.size, 0);
      assert.equal(statSync(join(running.world.workspace, 'a.txt'), { throwIfNoEntry: false }), undefined);
    });

    test('[GEM-9] [QWEN-4] a rejection goes only to the link that asked', async (t) => {
      const running = await startCompanion(t);
      const [one, two] = [await connect(running), await connect(running)];
      const filePath = running.world.file('a.txt', 'old');
      await one.call('openDiff', { filePath, newContent: 'from one' });
      await two.call('openDiff', { filePath, newContent: 'from two' });
      const [first, second] = running.companion.desk.reviews;
      assert.ok(first && second);
      running.editor.reject(first.id);
      await until('the rejection', () => one.notified('ide/diffRejected').length > 0);
      running.editor.accept(second.id);
      await until('the acceptance', () => two.notified('ide/diffAccepted').length > 0);
      assert.deepEqual(one.notified('ide/diffRejected'), [{ filePath }]);
      assert.equal(one.notified('ide/diffAccepted').length, 0);
      assert.deepEqual(two.notified('ide/diffAccepted'), [{ filePath, content: 'from two' }]);
      assert.equal(two.notified('ide/diffRejected').length, 0);
    });

    test('[GEM-10] [QWEN-4] closeDiff answers JSON with the text and sends nothing when asked to be quiet', async (t) => {
      const running = await startCompanion(t);
      const agent = await connect(running);
      const filePath = running.world.file('a.txt', 'old');
      await agent.call('openDiff', { filePath, newContent: 'new' });
      const [review] = running.companion.desk.reviews;
      running.companion.desk.amend(review?.id ?? '', 'edited');
      const quiet = await agent.call('closeDiff', { filePath, suppressNotification: true });
      assert.deepEqual(JSON.parse(quiet.result.content[0].text), { content: 'edited' });
      assert.equal(running.companion.desk.reviews.length, 0);
      assert.equal(running.editor.shown.size, 0);
      await agent.call('openDiff', { filePath, newContent: 'again' });
      await agent.call('closeDiff', { filePath });
      await until('the rejection', () => agent.notified('ide/diffRejected').length > 0);
      assert.deepEqual(agent.notified('ide/diffRejected'), [{ filePath }], 'one, for the close that was not quiet');
      assert.equal(agent.notified('ide/diffAccepted').length, 0);
    });

    test('[GEM-11] [QWEN-4] an editor that cannot show diffs announces neither tool', async (t) => {
      const world = createWorld(t);
      const editor = new MemoryEditor({ folders: [world.workspace], can: { review: false } });
      const running = await startCompanion(t, { world, editor });
      const agent = await connect(running);
      assert.deepEqual((await agent.request('tools/list')).json.result.tools, []);
      const able = await connect(await startCompanion(t));
      const names = (await able.request('tools/list')).json.result.tools.map((tool: { name: string }) => tool.name);
      assert.deepEqual(names, ['openDiff', 'closeDiff']);
    });

    test('[GEM-11] [QWEN-4] openDiff does not fail even when the desk is full', async (t) => {
      const running = await startCompanion(t, { limits: { openReviewsPerLink: 1 } });
      const agent = await connect(running);
      await agent.call('openDiff', { filePath: '/x/one', newContent: '1' });
      const answer = await agent.call('openDiff', { filePath: '/x/two', newContent: '2' });
      assert.deepEqual(answer.result, { content: [] });
      await until('the rejection', () => agent.notified('ide/diffRejected').length > 0);
      assert.deepEqual(agent.notified('ide/diffRejected'), [{ filePath: '/x/two' }]);
      assert.match(running.editor.notices[0]?.message ?? '', /too many reviews/);
    });

    test('[GEM-12] [QWEN-4] an accept with empty text is refused and the review stays', async (t) => {
      const running = await startCompanion(t);
      const agent = await connect(running);
      await agent.call('openDiff', { filePath: '/x/a', newContent: 'text' });
      const [review] = running.companion.desk.reviews;
      const outcome = running.editor.accept(review?.id ?? '', '');
      assert.ok(!outcome.ok && outcome.reason === 'refused');
      assert.match(outcome.message, /empty/);
      assert.equal(running.companion.desk.reviews.length, 1);
      assert.ok(running.editor.accept(review?.id ?? '', 'x').ok);
      await until('the acceptance', () => agent.notified('ide/diffAccepted').length === 1);
    });

    test('[GEM-13] [QWEN-4] the stream carries keep-alive bytes and a retry hint, and ends with FIN', async (t) => {
      const running = await startCompanion(t, { limits: { keepAliveMs: 20 } });
      const agent = await connect(running);
      assert.match(agent.raw.join(''), /^retry: \d+\n\n/);
      await until('a keep-alive', () => agent.raw.join('').includes(': keep-alive\n\n'));
      await running.companion.stop();
      await until('the end of the stream', () => agent.streamEnded !== 'no');
      assert.equal(agent.streamEnded, 'clean');
    });

    test('[GEM-14] [QWEN-4] an agent stuck after Ctrl-C is freed, and its next edit opens a diff', async (t) => {
      const running = await startCompanion(t);
      const agent = await connect(running);
      await agent.call('openDiff', { filePath: '/x/orphan', newContent: 'o' });
      // Ctrl-C: no closeDiff. The next edit is answered in the terminal; its closeDiff comes without an openDiff.
      const closed = await agent.call('closeDiff', { filePath: '/x/next', suppressNotification: true });
      assert.deepEqual(JSON.parse(closed.result.content[0].text), { content: null });
      await until('the orphan is answered', () => agent.notified('ide/diffRejected').length === 1);
      assert.deepEqual(agent.notified('ide/diffRejected')[0], { filePath: '/x/orphan' });
      // Now the agent sends the openDiff it owed; it is answered without bothering the user.
      await agent.call('openDiff', { filePath: '/x/next', newContent: 'n' });
      await until('the late diff is answered', () => agent.notified('ide/diffRejected').length === 2);
      assert.equal(running.companion.desk.reviews.length, 0);
      await agent.call('openDiff', { filePath: '/x/next', newContent: 'later' });
      assert.equal(running.companion.desk.reviews.length, 1);
    });

    test('[GEM-15] [QWEN-4] LF against a CRLF file shows no spurious change, and LF goes back', async (t) => {
      const running = await startCompanion(t);
      const agent = await connect(running);
      const filePath = running.world.file('dos.txt', 'one\r\ntwo\r\n');
      await agent.call('openDiff', { filePath, newContent: 'one\nTWO\n' });
      const [review] = running.companion.desk.reviews;
      const before = await review?.before;
      assert.equal(before?.text, 'one\ntwo\n');
      assert.equal(before?.lineEnding, 'crlf');
      running.editor.accept(review?.id ?? '', 'one\r\nTWO!\r\n');
      await until('the acceptance', () => agent.notified('ide/diffAccepted').length === 1);
      assert.equal(agent.notified('ide/diffAccepted')[0].content, 'one\nTWO!\n');
    });

    test('[ALL-10] a notification that would not fit its schema is held back', async (t) => {
      const running = await startCompanion(t);
      const path = running.world.file('a.txt', 'x');
      await running.editor.openFile({ path, preview: false, focus: true });
      const agent = await connect(running);
      const count = agent.contexts.length;
      const position = { line: Number.NaN, character: 0 };
      running.editor.host.apply({ type: 'selected', path, selections: [{ start: position, end: position, text: '' }] });
      await until('the complaint', () => running.companion.links.all[0]?.lastError);
      assert.match(running.companion.links.all[0]?.lastError ?? '', /cursor\.line/);
      assert.equal(agent.contexts.length, count);
      running.editor.select(path, [range(0, 0, 1)]);
      await until('the next good one', () => agent.openFiles[0]?.selectedText === 'x');
    });

    test('[ALL-8] reviews close when the agent is gone for good, not when its stream blinks', async (t) => {
      const running = await startCompanion(t, { limits: { streamGraceMs: 150 } });
      const agent = await connect(running);
      await agent.call('openDiff', { filePath: '/x/a', newContent: 'text' });
      agent.drop();
      await agent.openStream();
      await until('the context after coming back', () => agent.contexts.length > 1);
      assert.equal(running.companion.desk.reviews.length, 1);
      agent.drop();
      await until('the review closes', () => running.companion.desk.reviews.length === 0);
      assert.equal(running.editor.closed.at(-1)?.withdrawn, 'agent gone');
      assert.equal(running.companion.links.size, 0);
    });

    test('[ALL-9] a session of the companion before this one is adopted', async (t) => {
      const running = await startCompanion(t);
      const agent = new HttpAgent(running.companion.port, running.token(dialect));
      agent.session = 'from-an-earlier-life';
      assert.equal(await agent.openStream(), 200);
      await agent.call('openDiff', { filePath: '/x/a', newContent: 'text' });
      running.editor.accept(running.companion.desk.reviews[0]?.id ?? '');
      await until('the acceptance', () => agent.notified('ide/diffAccepted').length === 1);
    });

    test('[ALL-5] on stop, waiting reviews are rejected before the stream ends', async (t) => {
      const running = await startCompanion(t);
      const agent = await connect(running);
      await agent.call('openDiff', { filePath: '/x/a', newContent: 'text' });
      await running.companion.stop();
      await until('the end', () => agent.streamEnded === 'clean');
      assert.deepEqual(agent.notified('ide/diffRejected'), [{ filePath: '/x/a' }]);
    });

    test('a decision made while the stream is away waits for it', async (t) => {
      const running = await startCompanion(t);
      const agent = await connect(running);
      await agent.call('openDiff', { filePath: '/x/a', newContent: 'text' });
      agent.drop();
      const link = running.companion.links.all[0] as unknown as { http: { hasStream: boolean } };
      await until('the server knows that the stream is gone', () => !link.http.hasStream);
      running.editor.accept(running.companion.desk.reviews[0]?.id ?? '');
      await agent.openStream();
      await until('the acceptance', () => agent.notified('ide/diffAccepted').length === 1);
    });

    test('a new proposal for the same file replaces the old one', async (t) => {
      const running = await startCompanion(t);
      const agent = await connect(running);
      await agent.call('openDiff', { filePath: '/x/a', newContent: 'one' });
      await agent.call('openDiff', { filePath: '/x/a', newContent: 'two' });
      assert.deepEqual(
        running.companion.desk.reviews.map((review) => review.proposed),
        ['two'],
      );
    });

    test('DELETE ends the session, a mention arrives as the active file', async (t) => {
      const running = await startCompanion(t);
      const agent = await connect(running);
      const path = running.world.file('m.txt', 'l1\nl2\nl3\n');
      running.companion.links.all[0]?.mention?.({ path, lines: { start: 1, end: 1 }, text: 'l2' });
      await until('the mention', () => agent.openFiles[0]?.selectedText === 'l2');
      assert.deepEqual(agent.openFiles[0].cursor, { line: 2, character: 1 });
      const reply = await send(running.companion.port, { method: 'DELETE', headers: agent.headers });
      assert.equal(reply.status, 200);
      assert.equal(running.companion.links.size, 0);
    });
  });
}

test('[GEM-1] [GEM-2] the discovery file: place, name and content', async (t) => {
  const { world, companion } = await startCompanion(t);
  const file = companion.published.find((each) => each.dialect.id === 'gemini')?.files[0] ?? '';
  assert.equal(dirname(file), join(world.tmp, 'gemini', 'ide'));
  assert.equal(basename(file), `gemini-ide-server-${process.pid}-${companion.port}.json`);
  const content = JSON.parse(readFileSync(file, 'utf8'));
  assert.equal(content.port, companion.port);
  assert.equal(content.workspacePath, world.workspace);
  assert.match(content.authToken, /^[0-9a-f]{64}$/);
  assert.deepEqual(content.ideInfo, { name: 'memory', displayName: 'Memory' });
  await companion.stop();
  assert.equal(statSync(file, { throwIfNoEntry: false }), undefined);
});

test('[GEM-2] several roots are joined, without an empty segment', async (t) => {
  const world = createWorld(t);
  const editor = new MemoryEditor({ folders: [world.workspace, '', world.home] });
  const { companion } = await startCompanion(t, { world, editor });
  const file = companion.published.find((each) => each.dialect.id === 'gemini')?.files[0] ?? '';
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).workspacePath, `${world.workspace}:${world.home}`);
});

test('[GEM-3] [QWEN-3] [CLA-3] the environment for terminals', async (t) => {
  const { world, companion, token } = await startCompanion(t);
  const environment = Object.assign({}, ...companion.published.map((each) => each.environment));
  assert.deepEqual(environment, {
    CLAUDE_CODE_SSE_PORT: String(companion.port),
    ENABLE_IDE_INTEGRATION: 'true',
    GEMINI_CLI_IDE_SERVER_PORT: String(companion.port),
    GEMINI_CLI_IDE_WORKSPACE_PATH: world.workspace,
    GEMINI_CLI_IDE_AUTH_TOKEN: token('gemini'),
    GEMINI_CLI_IDE_PID: String(process.pid),
    QWEN_CODE_IDE_SERVER_PORT: String(companion.port),
    QWEN_CODE_IDE_WORKSPACE_PATH: world.workspace,
  });
});

test('[QWEN-1] [QWEN-2] the lock file and the documented file', async (t) => {
  const { world, companion } = await startCompanion(t);
  const files = companion.published.find((each) => each.dialect.id === 'qwen')?.files ?? [];
  assert.deepEqual(files, [
    join(world.home, '.qwen', 'ide', `${companion.port}.lock`),
    join(world.tmp, 'qwen', 'ide', `qwen-code-ide-server-${process.pid}-${companion.port}.json`),
  ]);
  const [lock, documented] = files.map((file) => JSON.parse(readFileSync(file, 'utf8')));
  assert.equal(lock.ppid, process.pid);
  for (const content of [lock, documented]) {
    assert.equal(content.port, companion.port);
    assert.equal(content.workspacePath, world.workspace);
    assert.equal(content.authToken, lock.authToken);
    assert.equal(content.ideInfo.name, 'memory');
  }
});

test('[QWEN-1] QWEN_HOME moves the lock; a window that gains the focus is the newest again', async (t) => {
  const world = createWorld(t);
  const places = { env: { QWEN_HOME: join(world.root, 'elsewhere') } };
  const { companion, editor } = await startCompanion(t, {
    world,
    places: { home: world.home, tmp: world.tmp, ...places },
  });
  const lock = join(world.root, 'elsewhere', 'ide', `${companion.port}.lock`);
  const before = statSync(lock, { bigint: true });
  editor.host.apply({ type: 'window-focused' });
  const after = statSync(lock, { bigint: true });
  assert.notEqual(after.ino, before.ino);
  assert.ok(after.mtimeNs > before.mtimeNs);
});

test('[QWEN-4] edits that Qwen drops when the terminal answers are kept, and the user is told', async (t) => {
  const running = await startCompanion(t);
  const agents = {
    qwen: new HttpAgent(running.companion.port, running.token('qwen')),
    gemini: new HttpAgent(running.companion.port, running.token('gemini')),
  };
  for (const agent of Object.values(agents)) {
    await agent.connect();
    await agent.call('openDiff', { filePath: '/x/a', newContent: 'proposed' });
  }
  for (const review of running.companion.desk.reviews)
    running.companion.desk.amend(review.id, `mine for ${review.agent}`);
  for (const agent of Object.values(agents))
    await agent.call('closeDiff', { filePath: '/x/a', suppressNotification: true });
  assert.equal(running.editor.notices.length, 1, 'Gemini takes the edits, so there is nothing to tell');
  const [notice] = running.editor.notices;
  assert.match(notice?.message ?? '', /Qwen Code did not take your edits.*answered in the terminal.*review restore/);
  assert.equal(running.companion.desk.find(notice?.review?.id ?? '')?.text, 'mine for qwen');
});

test('[ALL-15] a folder added at run time changes the files; symlinks are published as real paths', async (t) => {
  const { world, companion, editor } = await startCompanion(t);
  const link = join(world.root, 'link');
  symlinkSync(world.home, link);
  editor.setFolders([world.workspace, link]);
  const read = (dialect: string) =>
    JSON.parse(readFileSync(companion.published.find((each) => each.dialect.id === dialect)?.files[0] ?? '', 'utf8'));
  const home = realpathSync(world.home);
  assert.equal(read('gemini').workspacePath, `${world.workspace}:${home}`);
  assert.equal(read('qwen').workspacePath, `${world.workspace}:${home}`);
  assert.deepEqual(read('claude').workspaceFolders, [world.workspace, home, link]);
});
