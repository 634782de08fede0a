import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createWorld, until } from '../../../test/support/world.ts';
import { MemoryEditor, sendMention } from '../../core/src/index.ts';
import { type ClaudeLink, ConnectError, connect, DIALECT_NAMES, type Mention } from '../src/index.ts';
import { aroundOf, linked, shown } from './support/linked.ts';

for (const dialect of DIALECT_NAMES) {
  test(`${dialect}: what the person looks at arrives, newest first and with one active file`, async (t) => {
    const { world, editor, link } = await linked(t, dialect);
    const [a, b] = [world.file('a.txt', 'one\ntwo\n'), world.file('b.txt', 'three\n')];
    await editor.openFile({ path: a, preview: false, focus: true });
    const selection = { start: { line: 0, character: 0 }, end: { line: 0, character: 5 } };
    await editor.openFile({ path: b, preview: false, focus: true, selection });
    await until('the selection', () => link.context.files[0]?.selectedText === 'three');
    const [first, second] = link.context.files;
    assert.deepEqual(first?.cursor, { line: 1, character: 6 });
    assert.deepEqual([first?.path, first?.isActive], [b, true]);
    // Claude's dialect tells of the active file alone.
    if (dialect !== 'claude') assert.deepEqual([second?.path, second?.isActive], [a, false]);
  });

  test(`${dialect}: a diff is accepted with the person's edits, rejected, and closed from this side`, async (t) => {
    const { world, editor, link } = await linked(t, dialect);
    const path = world.file('a.txt', 'old\n');
    const accepted = link.openDiff(path, 'new\n');
    editor.accept((await shown(editor, path)).id, 'mine\n');
    assert.deepEqual(await accepted.decision, { kind: 'accepted', text: 'mine\n' });

    const rejected = link.openDiff(path, 'new\n');
    editor.reject((await shown(editor, path)).id);
    assert.deepEqual(await rejected.decision, { kind: 'rejected' });

    const closed = link.openDiff(path, 'new\n');
    editor.host.amend((await shown(editor, path)).id, 'typed\n');
    assert.equal(await closed.close(), dialect === 'claude' ? undefined : 'typed\n');
    assert.deepEqual(await closed.decision, { kind: 'closed' });
    await until('the editor to close it', () => editor.shown.size === 0);
    assert.equal(await closed.close(), undefined, 'once is enough');
  });

  test(`${dialect}: a new file's text comes as it was accepted, and two diffs are not mixed up`, async (t) => {
    const { world, editor, link } = await linked(t, dialect);
    const [a, b] = [join(world.workspace, 'new-a.txt'), join(world.workspace, 'new-b.txt')];
    const [one, two] = [link.openDiff(a, 'a\n'), link.openDiff(b, 'b\n')];
    editor.reject((await shown(editor, b)).id);
    editor.accept((await shown(editor, a)).id);
    assert.deepEqual(await one.decision, { kind: 'accepted', text: 'a\n' });
    assert.deepEqual(await two.decision, { kind: 'rejected' });
    const left = link.openDiff(a, 'again\n');
    await shown(editor, a);
    await link.closeDiffs();
    assert.deepEqual(await left.decision, { kind: 'closed' });
    await until('the editor to close it', () => editor.shown.size === 0);
  });

  test(`${dialect}: closing the link takes its diffs away and the companion sees it go`, async (t) => {
    const { world, editor, companion, link } = await linked(t, dialect);
    const path = world.file('a.txt', 'old\n');
    const diff = link.openDiff(path, 'new\n');
    await shown(editor, path);
    await link.close();
    assert.notEqual((await diff.decision).kind, 'accepted');
    assert.equal(link.state, 'closed');
    await until('the companion to see it go', () => companion.links.size === 0 && editor.shown.size === 0);
    assert.equal((await link.openDiff(path, 'late\n').decision).kind, 'lost');
  });

  test(`${dialect}: an editor without reviews is seen as one`, async (t) => {
    const world = createWorld(t);
    const editor = new MemoryEditor({ folders: [world.workspace], can: { review: false } });
    const { link } = await linked(t, dialect, { world, editor });
    assert.equal(link.can.diff, false);
    assert.equal((await link.openDiff(join(world.workspace, 'a'), 'x').decision).kind, 'lost');
  });

  test(`${dialect}: a refused token, a dead port, another server and nobody at all are told apart`, async (t) => {
    const { companion, world } = await linked(t, dialect);
    const failure = (work: Promise<unknown>) =>
      work.then(
        () => 'connected',
        (error: Error) => (error instanceof ConnectError ? error.code : error.stack),
      );
    assert.equal(await failure(connect({ dialect, port: companion.port, token: 'wrong' })), 'unauthorized');
    assert.equal(await failure(connect({ dialect, port: companion.port })), 'unauthorized');
    assert.equal(await failure(connect({ dialect, port: await freePort(), token: 'x' })), 'refused');
    assert.equal(await failure(connect({ dialect, port: await strangerPort(t), token: 'x' })), 'not a companion');
    const elsewhere = { ...aroundOf(world), cwd: world.root };
    assert.equal(await failure(connect(dialect, { around: elsewhere })), 'nobody');
  });
}

test('claude: a mention arrives with its lines; diagnostics, open editors and folders can be asked for', async (t) => {
  const { world, editor, companion, link } = await linked(t, 'claude');
  const claude = link as ClaudeLink;
  const path = world.file('a file.ts', 'one\ntwo\nthree\n');
  await editor.openFile({ path, preview: false, focus: true });
  const mentions: Mention[] = [];
  link.on('mention', (mention) => mentions.push(mention));
  await sendMention(companion, { path, lines: { start: 0, end: 1 } });
  await sendMention(companion, { path });
  await until('both mentions', () => mentions.length === 2);
  assert.deepEqual(mentions, [{ path, lines: { start: 1, end: 2 } }, { path }]);

  const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } };
  editor.host.apply({
    type: 'diagnostics',
    path,
    diagnostics: [{ range, severity: 'warning', message: 'odd', source: 'lint', code: '7' }],
  });
  const told = { message: 'odd', severity: 'warning', source: 'lint', code: '7' };
  const place = { start: { line: 2, character: 1 }, end: { line: 2, character: 4 } };
  assert.deepEqual(await claude.diagnostics(path), [{ path, diagnostics: [{ ...told, ...place }] }]);
  assert.deepEqual(await claude.diagnostics(), await claude.diagnostics(path));
  const tab = { path, active: true, dirty: false, language: 'typescript' };
  assert.deepEqual(await claude.openEditors(), [tab]);
  assert.deepEqual(await claude.workspaceFolders(), [world.workspace]);
  editor.type(path, 'changed\n');
  assert.equal(await claude.save(path), true);
  assert.equal(await claude.save(join(world.workspace, 'none')), false);
  await claude.openFile({ path, startText: 'chan' });
  await until('the selection', () => link.context.files[0]?.selectedText === 'chan');
  await assert.rejects(claude.openFile({ path: '/etc/passwd' }), /outside the workspace/);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function strangerPort(t: TestContext): Promise<number> {
  const server = createServer((_request, response) => response.writeHead(200).end('<p>hello</p>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
