import assert from 'node:assert/strict';
import { type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Control, controlOf } from '../../../test/support/control.ts';
import { type Running, startCompanion, until } from '../../../test/support/world.ts';
import { Companion, MemoryEditor, Policy } from '../src/index.ts';

interface Guest {
  readonly link: string;
  readonly stream: ClientRequest;
  readonly ended: Promise<void>;
}

/** Opens the request that stays open. */
function attach(control: Control, introduction: object = { name: 'agent', version: '1', pid: process.pid }) {
  return new Promise<Guest>((resolve, reject) => {
    const headers = { authorization: `Bearer ${control.token}` };
    const place = { host: '127.0.0.1', port: control.port, path: '/control/attach', method: 'POST', agent: false };
    const stream = request({ ...place, headers });
    stream.on('error', () => {});
    stream.on('response', (response) => {
      let text = '';
      const ended = new Promise<void>((end) => {
        response.on('end', end);
        response.on('error', () => end());
      });
      response.on('data', (chunk: Buffer) => {
        text += chunk;
        if (response.statusCode === 200) resolve({ link: JSON.parse(text).link, stream, ended });
        else reject(new Error(text));
      });
    });
    stream.end(JSON.stringify(introduction));
  });
}

async function attached(t: TestContext, options: Parameters<typeof startCompanion>[1] = {}) {
  const running: Running = await startCompanion(t, options);
  const control = controlOf(running.world.home, running.companion.port);
  const guest = await attach(control);
  t.after(() => guest.stream.destroy());
  const ask = (verb: string, input: object = {}) => control.ask(`guest/${verb}`, { link: guest.link, ...input });
  return { ...running, control, guest, ask };
}

test('[ALL-7] a guest is a link for as long as its request stays open', async (t) => {
  const { companion, control, guest, ask } = await attached(t);
  const [link] = (await control.ask('status')).json.links;
  assert.deepEqual([link.id, link.agent, link.name, link.version], [guest.link, 'mcp', 'agent', '1']);
  assert.equal((await ask('folders')).status, 200);
  guest.stream.destroy();
  await until('it to be gone', () => companion.links.size === 0);
  assert.equal((await ask('folders')).status, 410);
  await assert.rejects(attach(control, { name: '' }), /name/);
});

test('[ALL-13] [ALL-14] a guest is told what the policy lets out, and the ledger notes it', async (t) => {
  const { world, editor, companion, ask } = await attached(t);
  const [open, secret] = [world.file('a.ts', 'one\ntwo\n'), world.file('.env', 'KEY=1\n')];
  await editor.openFile({ path: secret, preview: false, focus: true });
  assert.deepEqual((await ask('selection')).json, { active: null });
  const selection = { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } };
  await editor.openFile({ path: open, preview: false, focus: true, selection });
  const { active } = (await ask('selection')).json;
  assert.deepEqual(active.selections, [{ ...selection, text: 'two' }]);
  assert.deepEqual([active.path, active.caret], [open, selection.end]);
  const { editors } = (await ask('editors')).json;
  assert.deepEqual(editors, [{ path: open, active: true, dirty: false, language: 'typescript' }]);

  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } };
  for (const path of [open, secret]) {
    editor.host.apply({ type: 'diagnostics', path, diagnostics: [{ range, severity: 'error', message: 'bad' }] });
  }
  const { diagnostics, total } = (await ask('diagnostics')).json;
  assert.deepEqual(diagnostics, [{ path: open, range, severity: 'error', message: 'bad' }]);
  assert.equal(total, 1);
  assert.equal((await ask('diagnostics', { path: secret })).status, 403);
  assert.equal((await ask('diagnostics', { path: 'relative' })).status, 400);
  assert.deepEqual(
    companion.ledger.entries.map(({ agent, what, paths, text }) => [agent, what, paths, text.slice(0, 3)]),
    [
      ['mcp', 'selection', [open], 'two'],
      ['mcp', 'document', [open], ''],
      ['mcp', 'diagnostics', [open], '[{"'],
    ],
  );
  const { entries } = (await ask('ledger')).json;
  assert.deepEqual([entries.length, entries[0].characters, 'text' in entries[0]], [3, 3, false]);
});

for (const sharing of ['explicit', 'off'] as const) {
  test(`[ALL-13] with sharing ${sharing} a guest is refused in words`, async (t) => {
    const { world, editor, companion, ask } = await attached(t, { policy: new Policy({ sharing }) });
    await editor.openFile({ path: world.file('a.ts', 'x'), preview: false, focus: true });
    for (const verb of ['selection', 'editors', 'ledger']) {
      const { status, json } = await ask(verb);
      assert.equal(status, 403, verb);
      assert.match(json.error, /the user/);
    }
    assert.equal((await ask('diagnostics')).status, sharing === 'off' ? 403 : 200);
    assert.equal(companion.ledger.entries.length, 0);
  });
}

test('a guest opens files of the workspace at a line or with lines selected, and no others', async (t) => {
  const { world, companion, ask } = await attached(t);
  const path = world.file('a.txt', 'one\ntwo\nthree\n');
  assert.equal((await ask('open', { path, line: 1 })).status, 200);
  assert.equal(companion.workspace.active?.path, path);
  assert.deepEqual(companion.workspace.selections(path)[0]?.start, { line: 1, character: 0 });
  await ask('open', { path, line: 1, endLine: 2 });
  assert.equal(companion.workspace.selections(path)[0]?.text, 'two\nthree');
  await ask('open', { path, line: 99 });
  assert.deepEqual(companion.workspace.selections(path)[0]?.end, { line: 3, character: 0 }, 'as far as the text goes');
  assert.match((await ask('open', { path: '/etc/passwd' })).json.error, /outside the workspace/);
  assert.match((await ask('open', { path: join(world.workspace, 'none') })).json.error, /does not exist/);
});

test('[ALL-8] a proposal is answered once; it ends with the guest, and with the request that made it', async (t) => {
  const { world, editor, companion, control, guest, ask } = await attached(t);
  const path = world.file('a.txt', 'old\n');
  const shown = () => until('the review', () => [...editor.shown.values()][0]);
  const accepted = ask('propose', { path, text: 'new\n' });
  const first = await shown();
  assert.deepEqual([first.agent, first.link, first.proposed], ['mcp', guest.link, 'new\n']);
  editor.accept(first.id, 'mine\n');
  const answer = { review: first.id, decision: 'accepted', text: 'mine\n', amended: true };
  assert.deepEqual((await accepted).json, answer);
  const rejected = ask('propose', { path, text: 'new\n' });
  editor.reject((await shown()).id);
  assert.equal((await rejected).json.decision, 'rejected');

  // Whoever asked hangs up.
  const body = JSON.stringify({ link: guest.link, path, text: 'x' });
  const place = { host: '127.0.0.1', port: control.port, path: '/control/guest/propose', method: 'POST', agent: false };
  const hung = request({ ...place, headers: { authorization: `Bearer ${control.token}` } });
  hung.on('error', () => {});
  hung.end(body);
  const third = await shown();
  hung.destroy();
  await until('it to be closed', () => editor.shown.size === 0);
  assert.equal(companion.desk.find(third.id)?.withdrawn, 'taken back');

  const orphan = ask('propose', { path, text: 'y' });
  await shown();
  guest.stream.destroy();
  assert.deepEqual((await orphan).json.reason, 'agent gone');
  assert.equal(editor.shown.size, 0);
});

test('a guest of an editor without reviews or diagnostics is told so', async (t) => {
  const editor = new MemoryEditor({ folders: ['/'], can: { review: false, diagnostics: false, openFile: false } });
  const { ask, world } = await attached(t, { editor });
  const path = join(world.workspace, 'a');
  assert.match((await ask('propose', { path, text: 'x' })).json.error, /cannot show a diff/);
  assert.match((await ask('diagnostics')).json.error, /no diagnostics/);
  assert.match((await ask('open', { path })).json.error, /cannot be asked/);
});

test('[ALL-5] a companion that stops ends the guest’s request and keeps nothing for it', async (t) => {
  const { world, companion, guest, ask } = await attached(t);
  const waiting = ask('propose', { path: join(world.workspace, 'a'), text: 'x' });
  await until('the review', () => companion.desk.reviews.length === 1);
  await companion.stop();
  assert.equal((await waiting).json.reason, 'companion stopped');
  await guest.ended;
  const next = new Companion({
    editor: new MemoryEditor({ folders: [world.workspace] }),
    places: { home: world.home, tmp: world.tmp, env: {} },
  });
  await next.start();
  t.after(() => next.stop());
  assert.equal(next.inherited, undefined);
  assert.throws(() => controlOf(world.home, companion.port), 'no record of the old one is left');
});
