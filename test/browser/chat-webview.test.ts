import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { ChatHub } from '../../packages/ui/src/chat/hub.ts';
import type { PanelRequest } from '../../packages/ui/src/chat/protocol.ts';
import { WebviewHost, webviewHtml } from '../../packages/ui/src/chat/webview-host.ts';
import type { EditorRequest, EditorState } from '../../packages/ui/src/chat/webview-protocol.ts';
import { until } from '../support/world.ts';
import { newContext } from './support/bench.ts';
import { englishIn, speakChinese } from './support/chinese.ts';
import { SCRIPTED_AGENTS, SCRIPTED_CAPABILITIES, ScriptedChat } from './support/scripted-chat.ts';
import { shows } from './support/steps.ts';

const UI = join(import.meta.dirname, '../../packages/ui/src/chat');
const ORIGIN = 'https://webview.invalid';
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' };

/** The panel as an editor's extension would pack it. */
async function packed(t: TestContext): Promise<string> {
  const outdir = mkdtempSync(join(tmpdir(), 'tandem-webview-'));
  t.after(() => rmSync(outdir, { recursive: true, force: true }));
  const entryPoints = { webview: join(UI, 'webview.tsx'), 'webview-style': join(UI, 'webview.css') };
  const jsx = { jsx: 'automatic', jsxImportSource: 'preact' } as const;
  await build({ entryPoints, outdir, bundle: true, splitting: true, format: 'esm', target: 'es2022', ...jsx });
  return outdir;
}

/** A window of an editor: the webview on one side of its border, the host on the other. */
class EditorWindow {
  readonly chats: ScriptedChat[] = [];
  readonly done: EditorRequest[] = [];
  readonly requests: string[] = [];
  state: EditorState = {
    folders: ['/ws'],
    reviews: [],
    looking: { path: '/ws/a.ts' },
    selection: { path: '/ws/a.ts', lines: { start: 1, end: 2 } },
  };
  /** As the editor names it. */
  language = 'en';
  page: Page | undefined;
  host: WebviewHost | undefined;
  #change: () => void = () => {};
  #message: (message: unknown) => void = () => {};
  readonly #hub = new ChatHub({
    agents: async () => SCRIPTED_AGENTS,
    connect: async (id) => {
      const agent = SCRIPTED_AGENTS.find((each) => each.id === id);
      if (!agent) throw new Error(`there is no agent ${id}`);
      const chat = new ScriptedChat(agent, this.chats.length + 1);
      this.chats.push(chat);
      return { chat, capabilities: () => SCRIPTED_CAPABILITIES };
    },
  });

  async open(t: TestContext): Promise<Page> {
    const folder = await packed(t);
    const context = await newContext(t);
    const page = await context.newPage();
    this.page = page;
    page.on('request', (request) => this.requests.push(request.url()));
    await page.route('**/*', (route) => {
      const path = new URL(route.request().url()).pathname;
      const html = webviewHtml({
        source: ORIGIN,
        script: `${ORIGIN}/webview.js`,
        styles: [`${ORIGIN}/webview-style.css`],
        nonce: 'abc',
        language: this.language,
      });
      const body = path === '/' ? html : readFileSync(join(folder, path));
      return route.fulfill({ body, contentType: TYPES[extname(path) || '.html'] ?? 'text/plain' });
    });
    await page.exposeFunction('toHost', (message: unknown) => this.#message(message));
    await page.addInitScript(`
      globalThis.acquireVsCodeApi = () => ({
        postMessage: (message) => void toHost(message),
        getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
        setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
      });
      globalThis.violations = [];
      document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI));
    `);
    this.host = new WebviewHost(
      this.#hub,
      this.#port(page),
      this.#editor(),
      (request) => request as PanelRequest | EditorRequest,
    );
    t.after(() => this.host?.dispose());
    await page.goto(`${ORIGIN}/`);
    return page;
  }

  become(state: Partial<EditorState>): void {
    this.state = { ...this.state, ...state };
    this.#change();
  }

  #port(page: Page) {
    return {
      postMessage: (message: unknown) =>
        page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`).catch(() => {}),
      onDidReceiveMessage: (listener: (message: unknown) => void) => {
        this.#message = listener;
        return { dispose: () => {} };
      },
    };
  }

  #editor() {
    const window = this;
    return {
      get state() {
        return window.state;
      },
      onChange: (listener: () => void) => {
        this.#change = listener;
        return { dispose: () => {} };
      },
      perform: async (request: EditorRequest) => {
        this.done.push(request);
        return request.do === 'files' ? ['/ws/a.ts', '/ws/src/b.ts'] : null;
      },
    };
  }
}

test('the panel in a webview: the same conversation through messages alone, no connection of its own [DMN-9]', async (t) => {
  const window = new EditorWindow();
  const page = await window.open(t);
  await page.getByRole('button', { name: 'Start Alpha' }).click();
  const chat = await until('the conversation', () => window.chats[0]);
  chat.connect();
  const field = page.getByRole('textbox', { name: 'Message to Alpha' });
  await until('the field has the keyboard', () =>
    field.evaluate(
      (element) =>
        element === (element as never as { ownerDocument: { activeElement: unknown } }).ownerDocument.activeElement,
    ),
  );
  await page.keyboard.type('see @b');
  await page.getByRole('option', { name: /b\.ts/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Attach the selection' }).click();
  await field.press('Enter');
  const { draft } = await until('the prompt', () => chat.commands('prompt')[0]);
  assert.deepEqual(draft.mentions, [{ path: '/ws/a.ts', lines: { start: 1, end: 2 } }, { path: '/ws/src/b.ts' }]);
  chat.turn('see @src/b.ts', 'Look at [it](src/b.ts#L3), and at `code`.\n\n```ts\nconst x = 1;\n```');
  const log = page.getByRole('log');
  await log.locator('.code-keyword').waitFor();
  await log.getByRole('button', { name: 'it' }).click();
  await until('the editor opens it', () =>
    window.done.some((each) => each.do === 'open-file' && each.path === '/ws/src/b.ts' && each.line === 2),
  );

  const call = { id: 'c', title: 'Edit', kind: 'edit', status: 'pending', locations: [], content: [] } as const;
  chat.emit({
    type: 'permission',
    request: { id: 'p', call, options: [{ id: 'yes', name: 'Yes', kind: 'allow_once' }] },
  });
  chat.emit({ type: 'review', permission: 'p', review: '7' });
  window.become({ reviews: ['7'] });
  await page.getByRole('button', { name: 'Show the change' }).click();
  await until('the editor shows it', () => window.done.some((each) => each.do === 'show-review' && each.id === '7'));
  window.host?.focus();
  await page.locator('[data-answer][aria-disabled=false]').waitFor();
  await page.keyboard.press('1');
  await until('answered', () => chat.commands('permission').length === 1);
  await window.host?.send(chat.id, 'my notes');
  await until('the notes', () => chat.commands('prompt')[1]?.draft.text === 'my notes');

  await field.fill('half a thou');
  await page.reload();
  await shows('a reload keeps it', page.getByRole('log'), 'Look at it');
  assert.equal(await page.getByRole('textbox', { name: 'Message to Alpha' }).inputValue(), 'half a thou');
  assert.deepEqual(await page.evaluate('violations'), []);
  const elsewhere = window.requests.filter((url) => !/^https:\/\/webview\.invalid\/[\w./-]*$/.test(url));
  assert.deepEqual(elsewhere, []);
  const tried = await page.evaluate(`fetch('${ORIGIN}/webview.js').then(() => 'let', () => 'stopped')`);
  assert.equal(tried, 'stopped', 'its policy lets it connect to nothing');
});

test('the panel in Chinese: nothing of it is left in English', async (t) => {
  const window = new EditorWindow();
  window.language = 'zh-cn';
  const page = await window.open(t);
  const body = page.locator('#chat');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const check = async (where: string, text: string) => {
    await shows(where, body, text);
    assert.deepEqual(await englishIn(body), [], where);
  };
  await check('the agents', '与智能体对话');
  assert.equal(await page.evaluate('document.documentElement.lang + document.title'), 'zh-CN聊天');
  await button('启动 Alpha').click();
  const chat = await until('the conversation', () => window.chats[0]);
  await check('the start', '正在启动 Alpha…');
  chat.connect();
  await check('a new conversation', '输入 / 使用命令，输入 @ 引用文件。');
  await button('附加所选内容').click();

  speakChinese(chat);
  await shows('the card', body, 'Alpha 请求许可');
  const folded = page.locator('.fold-head[aria-expanded=false]');
  while ((await folded.count()) > 0) await folded.first().click();
  await button('更多').click();
  await check('a conversation', '退出代码 2，被 SIGKILL 终止，已被智能体截断');
  await shows('how it went', page.getByRole('log'), /未显示此会话中更早的消息。[\s\S]*令牌数上限[\s\S]*本轮以 1 结束/);
  await shows('how full it is', page.locator('.usage'), '95%');

  const updatedAt = '2026-03-04T05:06:07Z';
  const session = { id: 's', title: '', cwd: '/ws', updatedAt, running: true, waiting: true };
  chat.answers['list-sessions'] = { sessions: [session], next: '2' };
  await page.getByRole('menuitem', { name: '历史对话' }).click();
  await check('what was before', '2026/3/4');
  const where = 'Qwen Code runs on this machine as a child of this window, with your files and your login.';
  const fact = { what: 'files', label: 'Files', where: '/ws, on this machine; unsaved text is read from the editor' };
  chat.answers.locality = { kind: 'child', summary: where, workspace: '/ws', facts: [fact], warnings: [] };
  await button('更多').click();
  await page.getByRole('menuitem', { name: '它在哪里运行？' }).click();
  await check('where it runs', '作为此窗口的子进程在本机运行');

  const question = { key: 'k', question: '哪一个？', header: '', options: [], multiSelect: false };
  chat.emit(
    { type: 'answered', id: 'e', answer: { outcome: 'cancelled', by: 'agent' } },
    { type: 'question', request: { id: 'f', toolCallId: '', questions: [question] } },
    {
      type: 'connection',
      state: { status: 'reconnecting', attempt: 1, inMs: 9e4, reason: 'the daemon does not answer' },
    },
  );
  await check('lost', '与 Alpha 的连接已断开：守护进程没有响应。');
  const [canReconnect, canContinue] = [true, true];
  const reason = 'it was ended by SIGKILL';
  chat.emit({ type: 'connection', state: { status: 'died', reason, canReconnect, canContinue } });
  chat.answers.continue = new Error('Alpha is not running');
  await button('继续').click();
  await check('gone', 'Alpha 已退出：被 SIGKILL 终止。有一轮被中断。');
  await shows('what was refused', page.getByRole('alert'), 'Alpha 未在运行');
  await button('新建对话').click();
  await button('启动 Beta').click();
  await page.getByRole('tab', { name: '等待你的答复' }).waitFor();
  await check('two of them', '正在启动 Beta…');
  assert.deepEqual(await page.evaluate('violations'), []);
});
