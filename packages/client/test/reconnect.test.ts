import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlOf } from '../../../test/support/control.ts';
import { CompanionProcess } from '../../../test/support/processes.ts';
import { createWorld, startCompanion, until, type World } from '../../../test/support/world.ts';
import { Companion, MemoryEditor } from '../../core/src/index.ts';
import { type CompanionLink, ConnectError, connect, DIALECT_NAMES, NotConnected } from '../src/index.ts';
import { cuttable } from './support/cuttable.ts';
import { connected, linked, QUICK, shown } from './support/linked.ts';
import { rawCompanion } from './support/raw-companions.ts';

/** Every state it goes through. */
function follow(link: CompanionLink): string[] {
  const states: string[] = [];
  link.on('state', (state) => states.push(state));
  return states;
}

function successor(world: World, port = 0): Promise<{ companion: Companion; editor: MemoryEditor }> {
  const editor = new MemoryEditor({ folders: [world.workspace] });
  const places = { home: world.home, tmp: world.tmp, env: {} };
  const companion = new Companion({ editor, places, port, limits: { retryMs: 50, restartMs: 50 } });
  return companion.start().then(() => ({ companion, editor }));
}

for (const dialect of DIALECT_NAMES) {
  test(`[ALL-9] ${dialect}: a companion that restarts is found again, and a diff works afterwards`, async (t) => {
    const { world, companion, link } = await linked(t, dialect);
    const states = follow(link);
    const [session] = companion.links.all.map((each) => each.session);
    await companion.stop();
    await until('the loss', () => states.includes('reconnecting'));
    const next = await successor(world);
    t.after(() => next.companion.stop());
    await until('the link to be back', () => link.state === 'connected' && next.companion.links.size === 1);
    assert.equal(next.companion.port, companion.port, 'it took the place of the first');
    assert.equal(next.companion.links.all[0]?.session, session, 'the same session, where the dialect has one');
    const path = world.file('a.txt', 'old\n');
    const diff = link.openDiff(path, 'new\n');
    next.editor.accept((await shown(next.editor, path)).id);
    assert.deepEqual(await diff.decision, { kind: 'accepted', text: 'new\n' });
    await next.editor.openFile({ path, preview: false, focus: true });
    await until('context from the new one', () => link.context.files[0]?.path === path);
  });

  test(`${dialect}: a companion that comes back on another port with another token is found by its file`, async (t) => {
    const { world, companion, link } = await linked(t, dialect);
    const old = companion.port;
    await companion.stop();
    const free = await rawCompanion(t, 'gemini'); // a port that is surely another one
    const port = free.endpoint.port === old ? 0 : await unused();
    const next = await successor(world, port);
    t.after(() => next.companion.stop());
    await until('the link to be there', () => link.state === 'connected' && next.companion.links.size === 1);
    assert.equal(link.endpoint.port, next.companion.port);
    assert.notEqual(link.endpoint.port, old);
  });

  test(`[ALL-9] ${dialect}: after kill -9 an open diff is lost, and the next companion serves the link`, async (t) => {
    const world = createWorld(t);
    const first = new CompanionProcess(t, world);
    await first.event('ready');
    const link = await connected(t, dialect, world, { reconnect: { ...QUICK, giveUpMs: 20_000 } });
    const path = world.file('a.txt', 'old\n');
    const diff = link.openDiff(path, 'new\n');
    const control = controlOf(world.home, first.port);
    await until('the review', async () => (await control.ask('review/list')).json.length === 1);
    // One request more, so that the answer to the first has surely come.
    await assert.rejects(link.call('no such tool'));
    await first.kill();
    const decision = await diff.decision;
    assert.equal(decision.kind, 'lost');
    await assert.rejects(link.call('openDiff'), NotConnected);
    const second = new CompanionProcess(t, world);
    await second.event('ready');
    await until('the link to be back', () => link.state === 'connected', 10_000);
    assert.equal(link.endpoint.port, second.port);
    await link.close();
    await second.stop();
  });

  test(`${dialect}: a connection that is cut comes back, and nothing waits for ever`, async (t) => {
    const { world, editor, companion, token } = await startCompanion(t);
    const way = await cuttable(t, companion.port);
    const link = await connect({ dialect, port: way.port, token: token(dialect) }, { reconnect: QUICK });
    t.after(() => link.close());
    const states = follow(link);
    const [path, other] = [world.file('a.txt', 'old\n'), world.file('b.txt', 'old\n')];
    const diff = link.openDiff(path, 'new\n');
    link.openDiff(other, 'new\n');
    await shown(editor, path);
    await shown(editor, other);
    way.cut();
    assert.equal((await diff.decision).kind, 'lost');
    await until('it to be back', () => states.join() === 'reconnecting,connected');
    const again = link.openDiff(path, 'again\n');
    const review = await until('the new review', () => companion.desk.reviews.find((each) => each.text === 'again\n'));
    editor.accept(review.id);
    assert.deepEqual(await again.decision, { kind: 'accepted', text: 'again\n' });
    // Where even the goodbye was cut off, the companion notices by itself after its grace.
    await until('the old reviews to be closed', () => editor.shown.size === 0, 15_000);
  });

  test(`${dialect}: one that is gone for good is said to be gone, and one that refuses our token at once`, async (t) => {
    const { world, companion, editor, token } = await startCompanion(t, { limits: { retryMs: 20, restartMs: 20 } });
    const patient = await connect(
      { dialect, port: companion.port, token: token(dialect) },
      { reconnect: { ...QUICK, giveUpMs: 600_000 } },
    );
    const hasty = await connected(t, dialect, world, { reconnect: { ...QUICK, giveUpMs: 100 } });
    t.after(() => patient.close());
    const gone = Promise.all([patient, hasty].map((link) => new Promise((resolve) => link.once('gone', resolve))));
    await editor.openFile({ path: world.file('a.txt', 'x'), preview: false, focus: true });
    await until('the context', () => hasty.context.files.length > 0);
    const { port } = companion;
    await companion.stop();
    await until('the hasty one to give up', () => hasty.state === 'closed');
    assert.deepEqual(hasty.context.files, [], 'what is not connected says nothing');
    // Another companion takes the port, with tokens of its own.
    const other = createWorld(t);
    const next = await successor(other, port);
    t.after(() => next.companion.stop());
    await until('the patient one to be refused', () => patient.state === 'closed');
    const reasons = (await gone) as ConnectError[];
    assert.equal(reasons[0]?.code, 'unauthorized');
    assert.ok(reasons[1] instanceof ConnectError);
  });

  test(`[ALL-10] ${dialect}: malformed messages are left out and said, and the link stays`, async (t) => {
    const raw = await rawCompanion(t, dialect);
    const link = await connect(raw.endpoint, { reconnect: false });
    t.after(() => link.close());
    const problems: string[] = [];
    link.on('problem', (error) => problems.push(error.message));
    const count = async (expected: number) => until(`problem ${expected}`, () => problems.length === expected);
    raw.say('this is not JSON');
    await count(1);
    raw.say('{"jsonrpc":"2.0"}');
    await count(2);
    if (dialect === 'claude') {
      raw.notify('selection_changed', { text: 1, filePath: '/a', selection: null });
      raw.notify('at_mentioned', { filePath: '/a', lineStart: null, lineEnd: null });
      raw.notify('selection_changed', { text: 'kept', filePath: '/a', selection: null });
      raw.notify('selection_changed', {
        text: 'good',
        filePath: '/a',
        selection: { start: { line: 0, character: 0 }, end: { line: 0, character: 4 } },
      });
    } else {
      raw.notify('ide/contextUpdate', { workspaceState: { openFiles: [{ path: '/a' }] } });
      raw.notify('ide/diffAccepted', { filePath: '/a' });
      raw.notify('ide/contextUpdate', {
        workspaceState: { openFiles: [{ path: '/a', timestamp: 1, isActive: true, selectedText: 'good' }] },
      });
    }
    await until('the good one', () => link.context.files[0]?.selectedText === 'good');
    assert.equal(problems.length, 4);
    assert.match(problems[2] ?? '', dialect === 'claude' ? /selection_changed.*text/ : /contextUpdate.*timestamp/);
    assert.equal(link.state, 'connected');
  });
}

/** A port that nobody has right now. */
async function unused(): Promise<number> {
  const { createServer } = await import('node:net');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
