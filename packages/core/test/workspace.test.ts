import assert from 'node:assert/strict';
import { mock, type TestContext, test } from 'node:test';
import { Workspace } from '../src/index.ts';

const at = (line: number, character: number) => ({ line, character });
const selection = (text: string) => ({ start: at(0, 0), end: at(0, text.length), text });

function timed(t: TestContext) {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });
  t.after(() => mock.timers.reset());
  const workspace = new Workspace();
  let emitted = 0;
  workspace.changed.on(() => {
    emitted += 1;
  });
  return { workspace, count: () => emitted };
}

test('the first event is told at once, a burst once more after 50 ms of quiet', async (t) => {
  const { workspace, count } = timed(t);
  workspace.apply({ type: 'opened', path: '/a', language: 'x' });
  workspace.apply({ type: 'focused', path: '/a' });
  await null;
  assert.equal(count(), 1, 'with all that came in the same turn');
  for (let i = 0; i < 10; i += 1) workspace.apply({ type: 'focused', path: '/a' });
  assert.equal(count(), 1);
  mock.timers.tick(49);
  assert.equal(count(), 1);
  mock.timers.tick(1);
  assert.equal(count(), 2);
  mock.timers.tick(1000);
  assert.equal(count(), 2);
  workspace.apply({ type: 'focused', path: '/a' });
  await null;
  assert.equal(count(), 3, 'after a quiet time the next one is told at once again');
});

test('a storm without pause does not starve the agents', async (t) => {
  const { workspace, count } = timed(t);
  workspace.apply({ type: 'opened', path: '/a', language: 'x' });
  for (let i = 0; i < 100; i += 1) {
    mock.timers.tick(10);
    await null;
    workspace.apply({ type: 'focused', path: '/a' });
  }
  await null;
  assert.ok(count() >= 4 && count() <= 8, String(count()));
});

test('documents are ordered by focus, and two events in one millisecond still differ', (t) => {
  const { workspace } = timed(t);
  for (const path of ['/a', '/b', '/c']) {
    workspace.apply({ type: 'opened', path, language: 'x' });
    workspace.apply({ type: 'focused', path });
  }
  workspace.apply({ type: 'focused', path: '/a' });
  assert.deepEqual(
    workspace.documents.map((document) => document.path),
    ['/a', '/c', '/b'],
  );
  assert.equal(new Set(workspace.documents.map((document) => document.lastFocus)).size, 3);
});

test('[ALL-13] a selection is forgotten when its document closes', (t) => {
  const { workspace } = timed(t);
  workspace.apply({ type: 'opened', path: '/a', language: 'x' });
  workspace.apply({ type: 'selected', path: '/a', selections: [selection('secret')] });
  assert.equal(workspace.latestSelectionPath, '/a');
  workspace.apply({ type: 'closed', path: '/a' });
  assert.deepEqual(workspace.selections('/a'), []);
  assert.equal(workspace.latestSelectionPath, undefined);
  workspace.apply({ type: 'selected', path: '/a', selections: [selection('late')] });
  assert.deepEqual(workspace.selections('/a'), [], 'a late event of a closed document brings nothing back');
});

test('several carets, dirty and version, trust and diagnostics are kept', (t) => {
  const { workspace } = timed(t);
  const diagnosed: string[] = [];
  workspace.diagnosed.on((path) => diagnosed.push(path));
  workspace.apply({ type: 'opened', path: '/a', language: 'x', version: 1 });
  workspace.apply({ type: 'selected', path: '/a', selections: [selection('one'), selection('two')] });
  workspace.apply({ type: 'changed', path: '/a', dirty: true, version: 2 });
  workspace.apply({ type: 'trust', trusted: true });
  const range = { start: at(0, 0), end: at(0, 1) };
  workspace.apply({ type: 'diagnostics', path: '/a', diagnostics: [{ range, severity: 'hint', message: 'm' }] });
  assert.deepEqual(
    workspace.selections('/a').map((each) => each.text),
    ['one', 'two'],
  );
  assert.deepEqual(
    { ...workspace.document('/a'), lastFocus: 0 },
    { path: '/a', language: 'x', dirty: true, version: 2, lastFocus: 0 },
  );
  assert.equal(workspace.trusted, true);
  assert.deepEqual(workspace.diagnosedPaths, ['/a']);
  workspace.apply({ type: 'diagnostics', path: '/a', diagnostics: [] });
  assert.deepEqual(workspace.diagnosedPaths, []);
  assert.deepEqual(diagnosed, ['/a', '/a']);
});

test('[ALL-11] the number of documents and the size of a selection are bounded', (t) => {
  const { workspace } = timed(t);
  for (let i = 0; i < 1200; i += 1) workspace.apply({ type: 'opened', path: `/${i}`, language: 'x' });
  assert.equal(workspace.documents.length, 1000);
  workspace.apply({ type: 'selected', path: '/1199', selections: [selection('x'.repeat(3_000_000))] });
  assert.equal(workspace.selections('/1199')[0]?.text.length, 1024 * 1024);
});
