// What a panel in Chinese still says in English.
import type { Locator } from 'playwright-core';
import type { ScriptedChat } from './scripted-chat.ts';
import { inPage } from './steps.ts';

/** Names, keys and formats are the same in every language; so are paths. */
const NAMES = new RegExp(
  [
    'Alpha|Beta|Gone|Tandem|Codex|[\\w-]+-acp|Claude Code|Gemini CLI|Qwen( Code)?|Markdown|PATH|ACP|MCP|TypeScript|typescript|SIGKILL',
    'Enter|Esc|Ctrl|Shift|Alt|Backspace|MiB',
    '(/opt/)?\\w+ --acp|npm install -g [\\w@/-]+|/ide enable|tandem\\.chat\\.agents',
    '(/[\\w.-]+){2,}|[\\w./-]*\\.(ts|md|json)\\b',
  ].join('|'),
  'g',
);

const TEXTS = `[
  ...[...element.querySelectorAll('*')].flatMap((each) =>
    ['aria-label', 'title', 'placeholder', 'alt'].map((name) => each.getAttribute(name) ?? '')),
  ...[...element.querySelectorAll('*')].flatMap((each) =>
    each.closest('select, code, kbd, pre, script, style, noscript, .cm-content')
      ? []
      : [...each.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data)),
]`;

/** Everything that is seen or read out, but for what is in English by its nature. */
export async function englishIn(element: Locator): Promise<readonly string[]> {
  const texts = await element.evaluate(inPage<string[]>(TEXTS));
  return [...new Set(texts.filter((text) => /[A-Za-z]{3,}/.test(text.replaceAll(NAMES, ''))))];
}

/** What agents say is in the user's language by itself; one of everything. */
export function speakChinese(chat: ScriptedChat): void {
  const options = [
    { id: 'y', name: '允许', kind: 'allow_once' },
    { id: 'n', name: '拒绝', kind: 'reject_once' },
  ] as const;
  const path = '/ws/a.ts';
  const call = { locations: [{ path, line: 2 }], content: [] };
  const diff = { type: 'diff', path, oldText: 'a\n', newText: 'b\n' } as const;
  chat.emit(
    { type: 'mode', current: 'a', available: [{ id: 'a', name: '默认' }] },
    { type: 'model', current: 'm', available: [{ id: 'm', name: '模型一' }] },
    { type: 'usage', usage: { used: 1900, size: 2000, input: 1200, output: 700, thought: 5, cached: 10 } },
    {
      type: 'message',
      role: 'user',
      text: '你好',
      promptId: 'p',
      attachments: [{ type: 'file', path, unsaved: true }],
    },
    { type: 'turn-start', promptId: 'p' },
    { type: 'thought', text: '想一想' },
    { type: 'message', role: 'agent', text: '看这里：\n\n- [x] 一\n- [ ] 二\n\n```\n1\n```\n\n| 一 |\n|---|\n| 二 |' },
    { type: 'tool', call: { ...call, id: '1', title: '编辑', kind: 'edit', status: 'failed', content: [diff] } },
    {
      type: 'tool',
      call: {
        ...call,
        id: '2',
        title: '构建',
        kind: 'execute',
        status: 'completed',
        shell: { output: '甲\n'.repeat(90), exitCode: 2, signal: 'SIGKILL', truncated: true },
      },
    },
    { type: 'tool', call: { ...call, id: '3', title: '读取', kind: 'read', status: 'running' } },
    { type: 'plan', entries: [{ content: '做', priority: 'high', status: 'in_progress' }] },
    { type: 'notice', notice: { level: 'info', message: 'Earlier messages of this session are not shown.' } },
    { type: 'turn-end', promptId: 'p', reason: 'max_tokens' },
    { type: 'turn-end', promptId: 'q', reason: 'error', message: 'the turn ended with 1' },
    { type: 'message', role: 'user', text: '再来', promptId: 'r', elsewhere: true },
    { type: 'turn-start', promptId: 'r' },
    { type: 'queue', waiting: [{ promptId: 's', text: '下一个', own: true }] },
    {
      type: 'permission',
      request: { id: 'e', call: { ...call, id: '4', title: '写入', kind: 'edit', status: 'pending' }, options },
    },
  );
}
