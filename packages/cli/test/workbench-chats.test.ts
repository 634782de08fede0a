import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findAgents, readChatSettings } from '../src/workbench/chat-agents.ts';
import { PANEL_REQUEST } from '../src/workbench/chat-command.ts';
import { WorkbenchEditor } from '../src/workbench/workbench-editor.ts';

function folder(t: TestContext): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-chats-')));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test('the user’s own version is in the open tab and on disk, with the file’s own line ends', async (t) => {
  const workspace = folder(t);
  const path = join(workspace, 'a.txt');
  writeFileSync(path, 'one\r\ntwo\r\n');
  const editor = new WorkbenchEditor('Tandem', [workspace]);
  t.after(() => editor.stop());
  await editor.documents.open(path);
  await editor.write(path, 'one\r\nmine\r\n');
  assert.equal(editor.documents.get(path).text, 'one\nmine\n');
  assert.equal(editor.documents.get(path).dirty, false);
  assert.equal(readFileSync(path, 'utf8'), 'one\r\nmine\r\n');
});

test('a file that is not open is only written, and no tab is opened for it', async (t) => {
  const workspace = folder(t);
  const editor = new WorkbenchEditor('Tandem', [workspace]);
  t.after(() => editor.stop());
  await editor.write(join(workspace, 'new', 'b.txt'), 'text\n');
  assert.equal(readFileSync(join(workspace, 'new', 'b.txt'), 'utf8'), 'text\n');
  assert.deepEqual(editor.documents.tabs, []);
});

test('settings that cannot be meant are said with the file and the field', (t) => {
  const file = join(folder(t), 'settings.json');
  assert.deepEqual(readChatSettings(file).agents, []);
  const wrong = (content: string, message: RegExp) => {
    writeFileSync(file, content);
    assert.throws(() => readChatSettings(file), message);
  };
  wrong('{', /settings\.json cannot be read/);
  wrong('{"chat.agents":{"x":[]}}', /chat\.agents\.x: names no command/);
  wrong('{"chat.agents":{"x":["./run.sh"]}}', /chat\.agents\.x: must begin with a name or an absolute path/);
  wrong('{"qwen-code.experimentalDaemon.enabled":"yes"}', /experimentalDaemon\.enabled/);
});

test('a daemon that is set counts as installed, and its address is no part of the offer', (t) => {
  const home = folder(t);
  const file = join(home, 'settings.json');
  const daemon = {
    'qwen-code.experimentalDaemon.enabled': true,
    'qwen-code.experimentalDaemon.url': 'http://127.0.0.1:9/',
    'qwen-code.experimentalDaemon.token': 'secret-token',
  };
  writeFileSync(file, JSON.stringify(daemon));
  const offers = findAgents(readChatSettings(file), { PATH: '' }, home);
  const qwen = offers.find(({ id }) => id === 'qwen');
  assert.equal(qwen?.installed, true);
  assert.equal(qwen?.hint, 'through the Qwen daemon');
  assert.doesNotMatch(JSON.stringify(offers), /secret-token|127\.0\.0\.1/);
});

test('a page can ask for what a panel asks for, and for nothing else', () => {
  const fine = (value: unknown) => assert.ok(PANEL_REQUEST.safeParse(value).success, JSON.stringify(value));
  const wrong = (value: unknown) => assert.ok(!PANEL_REQUEST.safeParse(value).success, JSON.stringify(value));
  const perform = (command: object) => ({ do: 'perform', chat: 'c', command });
  fine({ do: 'attach' });
  fine({ do: 'start', agent: 'qwen', session: 's' });
  fine(perform({ do: 'prompt', draft: { text: 'x', mentions: [{ path: '/a', lines: { start: 0, end: 1 } }] } }));
  fine(perform({ do: 'question', id: 'q', answers: { 0: 'Blue' } }));
  fine(perform({ do: 'permission', id: 'p', answer: { cancelled: true } }));
  wrong({ do: 'start' });
  wrong({ do: 'spawn', command: 'sh' });
  wrong(perform({ do: 'prompt', draft: { text: 'x', images: [{ mimeType: 'text/html', data: 'aa==' }] } }));
  wrong(perform({ do: 'prompt', draft: { text: 'x', images: [{ mimeType: 'image/png', data: '<svg>' }] } }));
  wrong(perform({ do: 'permission', id: 'p', answer: {} }));
  wrong(perform({ do: 'rename-session', title: '' }));
});
