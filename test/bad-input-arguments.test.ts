import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { controlOf } from './support/control.ts';
import { HttpAgent, type Message } from './support/http-agent.ts';
import { Neighbours } from './support/neighbours.ts';
import { SocketAgent } from './support/socket-agent.ts';
import { type Running, startCompanion } from './support/world.ts';

/** An agent of any dialect, as far as these tests need one. */
interface Caller {
  tools(): Promise<Message[]>;
  call(name: string, args: object): Promise<Message>;
}

const TOOLS: Readonly<Record<string, readonly string[]>> = {
  gemini: ['closeDiff', 'openDiff'],
  qwen: ['closeDiff', 'openDiff'],
  claude: [
    'checkDocumentDirty',
    'closeAllDiffTabs',
    'close_tab',
    'getCurrentSelection',
    'getDiagnostics',
    'getLatestSelection',
    'getOpenEditors',
    'getWorkspaceFolders',
    'openDiff',
    'openFile',
    'saveDocument',
  ],
};

async function caller(t: TestContext, running: Running, dialect: string): Promise<Caller> {
  const { port } = running.companion;
  if (dialect === 'claude') {
    const agent = await new SocketAgent(port, running.token('claude')).connect();
    t.after(() => agent.socket.terminate());
    return {
      tools: async () => (await agent.request('tools/list')).result.tools,
      call: (name, args) => agent.call(name, args),
    };
  }
  const agent = await new HttpAgent(port, running.token(dialect)).connect();
  t.after(() => agent.drop());
  return {
    tools: async () => (await agent.request('tools/list')).json.result.tools,
    call: (name, args) => agent.call(name, args),
  };
}

/** What an agent is told when it asked wrongly, as a protocol error or as a tool's. */
function complaint(answer: Message): string {
  if (answer.error) return answer.error.message;
  assert.equal(answer.result.isError, true, JSON.stringify(answer));
  return answer.result.content[0].text;
}

function valid(tool: Message, workspace: string): Record<string, unknown> {
  const fields = Object.entries<Message>(tool.inputSchema.properties ?? {});
  return Object.fromEntries(
    fields.map(([name, schema]) => {
      if (schema.type === 'boolean') return [name, false];
      return [name, /path/i.test(name) ? join(workspace, 'a.txt') : 'x'];
    }),
  );
}

const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  string: [5, true, null, {}, [], ['/a'], { toString: '/a' }],
  boolean: [5, 'true', null, {}, []],
};

for (const dialect of ['claude', 'gemini', 'qwen']) {
  const ids = dialect === 'claude' ? '[CLA-12] ' : '';

  test(`${ids}${dialect}: a wrong type in any field of any tool is an error that names the field`, async (t) => {
    const running = await startCompanion(t);
    running.world.file('a.txt', 'hello\n');
    const neighbours = await Neighbours.connect(t, { port: running.companion.port, ...running });
    const agent = await caller(t, running, dialect);
    const tools = await agent.tools();
    assert.deepEqual(tools.map((tool) => tool.name).sort(), TOOLS[dialect]);
    let tried = 0;
    for (const tool of tools) {
      const right = valid(tool, running.world.workspace);
      for (const [field, schema] of Object.entries<Message>(tool.inputSchema.properties ?? {})) {
        const values = WRONG[schema.type];
        assert.ok(values, `${tool.name}.${field} has a type that this test does not know: ${schema.type}`);
        for (const value of values) {
          const said = complaint(await agent.call(tool.name, { ...right, [field]: value }));
          assert.ok(said.includes(field), `${tool.name}.${field} = ${JSON.stringify(value)}: ${said}`);
          tried += 1;
        }
      }
    }
    assert.ok(tried > 0);
    assert.equal(running.companion.desk.reviews.length, 0);
    assert.deepEqual(running.companion.workspace.documents, []);
    await neighbours.work();
  });

  test(`${ids}${dialect}: a missing field is an error that names it, and so are arguments that are no object`, async (t) => {
    const running = await startCompanion(t);
    const agent = await caller(t, running, dialect);
    for (const tool of await agent.tools()) {
      const right = valid(tool, running.world.workspace);
      const withDefaults = Object.entries<Message>(tool.inputSchema.properties ?? {}).filter(
        ([, schema]) => 'default' in schema,
      );
      const required = (tool.inputSchema.required ?? []).filter(
        (field: string) => !withDefaults.some(([name]) => name === field),
      );
      for (const field of required) {
        const { [field]: _gone, ...rest } = right;
        const said = complaint(await agent.call(tool.name, rest));
        assert.ok(said.includes(field), `${tool.name} without ${field}: ${said}`);
      }
      for (const args of [[], 'x', 5]) {
        const said = complaint(await agent.call(tool.name, args as object));
        assert.match(said, /arguments/, `${tool.name} with ${JSON.stringify(args)}`);
      }
    }
    assert.equal(running.companion.desk.reviews.length, 0);
  });

  test(`${ids}${dialect}: a NUL, a relative or an empty path is an error that names the field, in every tool`, async (t) => {
    const running = await startCompanion(t);
    const neighbours = await Neighbours.connect(t, { port: running.companion.port, ...running });
    const agent = await caller(t, running, dialect);
    const { workspace } = running.world;
    const paths: [path: string, why: RegExp][] = [
      [`${workspace}/a\0.txt`, /NUL/],
      [`\0${workspace}`, /NUL/],
      ['a.txt', /absolute/],
      ['./a.txt', /absolute/],
      ['../a.txt', /absolute/],
      ['~/a.txt', /absolute/],
      [`file://${workspace}/a.txt`, /absolute/],
      [' /a.txt', /absolute/],
      ['', /./],
    ];
    let tried = 0;
    for (const tool of await agent.tools()) {
      const right = valid(tool, workspace);
      for (const field of Object.keys(right).filter((name) => /path/i.test(name))) {
        for (const [path, why] of paths) {
          const said = complaint(await agent.call(tool.name, { ...right, [field]: path }));
          assert.ok(said.includes(field), `${tool.name}.${field} = ${JSON.stringify(path)}: ${said}`);
          assert.match(said, why);
          tried += 1;
        }
      }
    }
    assert.ok(tried > 0);
    assert.equal(running.companion.desk.reviews.length, 0);
    await neighbours.work();
  });
}

test('a wrong type in the input of any control command is a 400 that names the field', async (t) => {
  const running = await startCompanion(t);
  const neighbours = await Neighbours.connect(t, { port: running.companion.port, ...running });
  const control = controlOf(running.world.home, running.companion.port);
  const path = running.world.file('a.txt', 'hello\n');
  const cases: [verb: string, input: unknown, field: RegExp][] = [
    ['review/show', { id: 5 }, /id/],
    ['review/accept', { id: null }, /id/],
    ['review/accept', { id: '1', text: 5 }, /text/],
    ['review/reject', { id: ['1'] }, /id/],
    ['review/amend', { id: '1' }, /text/],
    ['review/amend', { id: '1', text: null }, /text/],
    ['review/restore', {}, /id/],
    ['open', {}, /path/],
    ['open', { path: 5 }, /path/],
    ['open', { path: 'a.txt' }, /path.*absolute/],
    ['open', { path: `${path}\0` }, /path/],
    ['open', { path, selection: 5 }, /selection/],
    [
      'open',
      { path, selection: { start: { line: -1, character: 0 }, end: { line: 0, character: 0 } } },
      /selection\.start\.line/,
    ],
    [
      'open',
      { path, selection: { start: { line: 0.5, character: 0 }, end: { line: 0, character: 0 } } },
      /selection\.start\.line/,
    ],
    ['send', { path: '' }, /path/],
    ['send', { path, lines: { start: 0 } }, /lines\.end/],
    ['send', { path, lines: { start: -1, end: 0 } }, /lines\.start/],
    ['send', { path, to: 5 }, /to/],
    ['share', {}, /sharing/],
    ['share', { sharing: 'everything' }, /sharing/],
  ];
  for (const [verb, input, field] of cases) {
    const reply = await control.ask(verb, input);
    assert.equal(reply.status, 400, `${verb} ${JSON.stringify(input)}: ${reply.text}`);
    assert.match(reply.json.error, field);
  }
  assert.equal(running.companion.policy.sharing, 'auto');
  assert.deepEqual(running.companion.workspace.documents, []);
  await neighbours.work();
});

test('a control command about a review that is not there says so with 404, and about a decided one with 409', async (t) => {
  const running = await startCompanion(t);
  const control = controlOf(running.world.home, running.companion.port);
  const agent = await caller(t, running, 'gemini');
  for (const verb of ['review/show', 'review/accept', 'review/reject', 'review/restore']) {
    for (const id of ['1', '__proto__', 'constructor', '', '-1', '1e3']) {
      assert.equal((await control.ask(verb, { id })).status, 404, `${verb} ${id}`);
    }
  }
  assert.match((await control.ask('review/accept')).json.error, /no review is waiting/);
  await agent.call('openDiff', { filePath: join(running.world.workspace, 'a.txt'), newContent: 'x' });
  assert.equal((await control.ask('review/reject')).status, 200);
  const late = await control.ask('review/accept', { id: '1' });
  assert.equal(late.status, 409);
  assert.match(late.json.error, /already rejected by the command line/);
});

test('a review whose file cannot be written back is refused with the reason, not with a 500', async (t) => {
  const running = await startCompanion(t);
  const control = controlOf(running.world.home, running.companion.port);
  const agent = await caller(t, running, 'qwen');
  await agent.call('openDiff', { filePath: join(running.world.workspace, 'no-such-folder', 'a.txt'), newContent: 'x' });
  assert.equal((await control.ask('review/amend', { id: '1', text: 'mine' })).status, 200);
  assert.equal((await control.ask('review/reject', { id: '1' })).status, 200);
  const reply = await control.ask('review/restore', { id: '1' });
  assert.ok(reply.status >= 400 && reply.status < 500, `${reply.status} ${reply.text}`);
  assert.match(reply.json.error, /no-such-folder/);
});

test('a file that cannot be read as text is not sent; the reason is told to the user, not to the agent', async (t) => {
  const running = await startCompanion(t);
  const control = controlOf(running.world.home, running.companion.port);
  const gemini = await new HttpAgent(running.companion.port, running.token('gemini')).connect();
  t.after(() => gemini.drop());
  const binary = running.world.file('a.bin', 'a\0b');
  for (const path of [binary, running.world.workspace, '/dev/null']) {
    const reply = await control.ask('send', { path, lines: { start: 0, end: 0 } });
    assert.ok(reply.status >= 400 && reply.status < 500, `${path}: ${reply.status} ${reply.text}`);
  }
  const missing = await control.ask('send', { path: join(running.world.workspace, 'none') });
  assert.ok(missing.status >= 400 && missing.status < 500);
  assert.match(missing.json.error, /none/);
  await gemini.request('ping');
  assert.deepEqual(
    gemini.openFiles.filter((file) => file.selectedText !== undefined),
    [],
  );
});
