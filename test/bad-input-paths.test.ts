import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { MemoryEditor } from '../packages/core/src/index.ts';
import { controlOf } from './support/control.ts';
import { HttpAgent } from './support/http-agent.ts';
import { SocketAgent } from './support/socket-agent.ts';
import { createWorld, type Running, startCompanion, until } from './support/world.ts';

async function claude(t: TestContext, running: Running): Promise<SocketAgent> {
  const agent = await new SocketAgent(running.companion.port, running.token('claude')).connect();
  t.after(() => agent.socket.terminate());
  return agent;
}

/** Paths that end outside the workspace, by every way that leads there. */
function waysOut(running: Running): Record<string, string> {
  const { root, workspace } = running.world;
  const outside = join(root, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.txt'), 'secret\n');
  mkdirSync(`${workspace}-sibling`);
  writeFileSync(join(`${workspace}-sibling`, 'a.txt'), 'sibling\n');
  symlinkSync(join(outside, 'secret.txt'), join(workspace, 'file-link'));
  symlinkSync(outside, join(workspace, 'folder-link'));
  symlinkSync(join(workspace, 'folder-link'), join(workspace, 'link-to-link'));
  symlinkSync(join(outside, 'not-there-yet.txt'), join(workspace, 'dangling'));
  symlinkSync('../outside/not-there-either.txt', join(workspace, 'dangling-relative'));
  return {
    elsewhere: '/etc/hostname',
    'the parent': root,
    'by dots': `${workspace}/../outside/secret.txt`,
    'a sibling whose name begins alike': join(`${workspace}-sibling`, 'a.txt'),
    'a symlink to a file': join(workspace, 'file-link'),
    'a symlink to a folder': join(workspace, 'folder-link', 'secret.txt'),
    'a file that does not exist behind a symlink': join(workspace, 'folder-link', 'new', 'file.txt'),
    'a symlink to a symlink': join(workspace, 'link-to-link', 'secret.txt'),
    'a symlink to a file that does not exist': join(workspace, 'dangling'),
    'a relative symlink to a file that does not exist': join(workspace, 'dangling-relative'),
  };
}

function waysIn(running: Running): Record<string, string> {
  const { workspace } = running.world;
  running.world.file('a.txt', 'one\ntwo\n');
  running.world.file('..a.txt', 'dots\n');
  running.world.file('deep/er/b.txt', 'b\n');
  symlinkSync(join(workspace, 'a.txt'), join(workspace, 'inner-link'));
  return {
    plain: join(workspace, 'a.txt'),
    'a name that begins with dots': join(workspace, '..a.txt'),
    'dots that stay inside': `${workspace}/deep/../deep/er/b.txt`,
    'a symlink that stays inside': join(workspace, 'inner-link'),
  };
}

test('[CLA-6] openFile refuses what lies outside the workspace, by whatever way, and opens what lies inside', async (t) => {
  const running = await startCompanion(t);
  const agent = await claude(t, running);
  for (const [way, filePath] of Object.entries(waysOut(running))) {
    const { result } = await agent.call('openFile', { filePath });
    assert.equal(result?.isError, true, way);
    assert.match(result.content[0].text, /filePath: .* is outside the workspace/, way);
  }
  assert.deepEqual(running.companion.workspace.documents, []);
  for (const [way, filePath] of Object.entries(waysIn(running))) {
    assert.deepEqual(await agent.texts('openFile', { filePath }), [`Opened file: ${filePath}`], way);
  }
});

test('[CLA-6] openFile goes by real paths: a workspace opened through a symlink is inside, under both names', async (t) => {
  const world = createWorld(t);
  const file = world.file('a.txt', 'hello\n');
  const alias = join(world.root, 'alias');
  symlinkSync(world.workspace, alias);
  const running = await startCompanion(t, { world, editor: new MemoryEditor({ folders: [alias] }) });
  const agent = await claude(t, running);
  for (const filePath of [file, join(alias, 'a.txt')]) {
    assert.deepEqual(await agent.texts('openFile', { filePath }), [`Opened file: ${filePath}`]);
  }
});

test('[CLA-6] openFile says which file is not there, is a folder, a pipe or too long a name', async (t) => {
  const running = await startCompanion(t);
  const agent = await claude(t, running);
  const { workspace } = running.world;
  for (const filePath of [join(workspace, 'none'), workspace, join(workspace, 'x'.repeat(5000))]) {
    const { result } = await agent.call('openFile', { filePath, startText: 'x' });
    assert.equal(result?.isError, true, filePath.slice(0, 80));
    assert.match(result.content[0].text, /^filePath: /);
  }
  assert.deepEqual((await agent.request('ping')).result, {});
});

for (const dialect of ['gemini', 'qwen']) {
  test(`${dialect}: openDiff outside the workspace opens a review that says so`, async (t) => {
    const running = await startCompanion(t);
    const agent = await new HttpAgent(running.companion.port, running.token(dialect)).connect();
    t.after(() => agent.drop());
    const open = async (filePath: string) => {
      const answer = await agent.call('openDiff', { filePath, newContent: 'x' });
      assert.deepEqual(answer.result?.content, []);
      return running.companion.desk.reviews.find((review) => review.path === filePath);
    };
    for (const [way, path] of Object.entries(waysOut(running))) {
      assert.equal((await open(path))?.outsideWorkspace, true, way);
    }
    for (const [way, path] of Object.entries(waysIn(running))) {
      assert.equal((await open(path))?.outsideWorkspace, false, way);
    }
  });
}

test('claude: openDiff outside the workspace opens a review that says so, on the command line too', async (t) => {
  const running = await startCompanion(t);
  const agent = await claude(t, running);
  const control = controlOf(running.world.home, running.companion.port);
  const ways = [
    ...Object.entries(waysOut(running)).map((way) => [...way, true] as const),
    ...Object.entries(waysIn(running)).map((way) => [...way, false] as const),
  ];
  for (const [way, path, outside] of ways) {
    agent.ask('tools/call', {
      name: 'openDiff',
      arguments: { old_file_path: path, new_file_path: path, new_file_contents: 'x', tab_name: way },
    });
    const listed = await until('the review', async () =>
      (await control.ask('review/list')).json.find((review: { path: string }) => review.path === path),
    );
    assert.equal(listed.outsideWorkspace, outside, way);
  }
});

test('[CLA-7] openDiff of a path that no file system can hold is an answer, not a silence', async (t) => {
  const running = await startCompanion(t);
  const agent = await claude(t, running);
  const path = join(running.world.workspace, 'x'.repeat(5000));
  const id = agent.ask('tools/call', {
    name: 'openDiff',
    arguments: { old_file_path: path, new_file_path: path, new_file_contents: 'x', tab_name: 'long' },
  });
  // Either it is refused with the reason, or it is a review like any other.
  await until('an answer or a review', () => agent.answerTo(id) || running.companion.desk.reviews.length > 0);
  running.companion.desk.withdrawAll('answered in the terminal');
  const answer = await until('an answer', () => agent.answerTo(id));
  assert.ok(answer.error ?? answer.result);
  assert.deepEqual((await agent.request('ping')).result, {});
});

test('getDiagnostics answers for any uri, also for one that is none', async (t) => {
  const running = await startCompanion(t);
  const agent = await claude(t, running);
  for (const uri of [
    '',
    'x',
    'file://',
    'file:///%zz',
    'file:///a%00b',
    'file://\0',
    'http://evil.com/x',
    '/etc/passwd',
  ]) {
    assert.deepEqual(await agent.texts('getDiagnostics', { uri }), ['[]'], JSON.stringify(uri));
  }
});

test('[GEM-6] an open document whose path the system cannot even look at is left out; the others are shared', async (t) => {
  const running = await startCompanion(t);
  const agent = await new HttpAgent(running.companion.port, running.token('gemini')).connect();
  t.after(() => agent.drop());
  const socket = await claude(t, running);
  const good = running.world.file('good.txt', 'hello\n');
  const loop = join(running.world.workspace, 'loop');
  symlinkSync(loop, loop);
  const { host } = running.editor;
  const nowhere = ['', '\0', '/a\0b', `/${'x'.repeat(5000)}`, loop, 'not-there.txt', '/dev/null', '/dev/null/x'];
  const [start, end] = [
    { line: 0, character: 0 },
    { line: 0, character: 1 },
  ];
  for (const path of [...nowhere, good]) {
    host.apply({ type: 'opened', path, language: 'plaintext' });
    host.apply({ type: 'focused', path });
    host.apply({ type: 'selected', path, selections: [{ start, end, text: 'x' }] });
    for (const tool of ['getCurrentSelection', 'getLatestSelection', 'getOpenEditors']) {
      assert.ok((await socket.call(tool)).result, `${tool} while ${JSON.stringify(path.slice(0, 40))} is active`);
    }
  }
  await until('the good one', () => agent.openFiles.length > 0);
  assert.deepEqual(
    agent.openFiles.map((file) => file.path),
    [good],
  );
});
