// Nothing that people read is left in English, and no translation is left behind.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { webviewHtml } from '../src/chat/webview-host.ts';
import { heard, languageFor, locale, speak, t, use } from '../src/l10n/t.ts';
import { APP } from '../src/l10n/zh-cn/app.ts';
import { CHAT } from '../src/l10n/zh-cn/chat.ts';
import * as page from '../src/l10n/zh-cn/page.ts';
import * as panel from '../src/l10n/zh-cn/panel.ts';
import { REVIEW } from '../src/l10n/zh-cn/review.ts';

const SOURCES = join(import.meta.dirname, '../src');

function codeOf(folder: string): readonly { name: string; code: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({ name, code: readFileSync(join(folder, name), 'utf8') }));
}

function literalsOf(code: string): readonly string[] {
  const found = code.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/g);
  return [...found].map((match) => (match[1] ?? match[2] ?? '').replaceAll("\\'", "'"));
}

const placesOf = (text: string) => [...text.matchAll(/\{\d\}/g)].map(String).sort();

/** For this test alone. */
function inChinese(t: TestContext): void {
  use(panel);
  t.after(() => use(undefined));
}

/** The same in every language; and an attribute, which looks like a word. */
const NAMES = /: (Tandem|Ctrl|tandem workbench --url|quiet)$/;

/** `others`: what is loaded with it anyway. */
const PARTS = [
  { folder: 'chat', texts: CHAT, others: {} },
  { folder: 'review', texts: REVIEW, others: {} },
  { folder: 'app', texts: APP, others: { ...CHAT, ...REVIEW } },
];

for (const { folder, texts, others } of PARTS) {
  const files = codeOf(join(SOURCES, folder));
  const known: Readonly<Record<string, string>> = texts;

  test(`${folder}: every text of the code is there in Chinese, and none is left over`, () => {
    const code = files.map((file) => file.code).join('\n');
    const used = [...code.matchAll(/\bt(?:Parts)?\(\s*'((?:[^'\\]|\\.)*)'/g)].map((match) => match[1] ?? '');
    assert.ok(used.length > 20, 'the texts were found');
    assert.deepEqual(
      used.filter((text) => !(text in known) && !(text in others)),
      [],
    );
    assert.deepEqual(
      Object.keys(known).filter((text) => text in others),
      [],
    );
    // Some stand in tables and are taken from there; the types tell that they are texts. Names need no quotes.
    const written = new Set([...literalsOf(code), ...(code.match(/\b[a-z]\w+\b/g) ?? [])]);
    assert.deepEqual(
      Object.keys(known).filter((text) => !written.has(text)),
      [],
    );
  });

  test(`${folder}: no element has words that are not translated`, () => {
    const words = files
      .filter(({ name }) => name.endsWith('.tsx'))
      .flatMap(({ name, code }) => {
        const attributes = code.matchAll(/\s(?:aria-label|title|label|placeholder|alt)="([^"]*)"/g);
        const between = code.matchAll(/(?<!=)>([^<>{}]*[A-Za-z]{2}[^<>{}]*)<\//g);
        const lines = code.matchAll(/(?:(?<!=)>|[\w)']\})\n +([A-Za-z][^\n<>{}();=]*) *(?:\n|\{|<)/g);
        return [...attributes, ...between, ...lines].map((match) => `${name}: ${match[1]?.trim()}`);
      })
      .filter((text) => !NAMES.test(text));
    assert.deepEqual(words, []);
  });

  test(`${folder}: translations have the same places, in Chinese words and signs`, () => {
    for (const [text, translation] of Object.entries(known)) {
      assert.deepEqual(placesOf(translation), placesOf(text), text);
      assert.doesNotMatch(translation, /[,;:?!]|\p{Script=Han}\.(?:$|\s)/u, text);
    }
  });
}

test('what is known of the hosts’ words is what they say', () => {
  const folders = ['core/src', 'chat/src', 'cli/src/workbench', 'ui/src/chat', 'ui/src/app'];
  const lines = folders
    .flatMap((folder) => codeOf(join(import.meta.dirname, '../..', folder)))
    .flatMap(({ code }) => code.split('\n'))
    .map((line) => line.replaceAll("\\'", "'"));
  const says = (text: string) => {
    const pieces = text.split(/\{\d\}/).map((piece) => piece.replace(/^[\s(),.:]+|[\s(),.:]+$/g, ''));
    return lines.some((line) => pieces.every((piece) => line.includes(piece)));
  };
  // These are put together of two.
  const made = (text: string) => /^\w+ by the |^\{0\} stopped/.test(text);
  assert.deepEqual(
    Object.keys(page.heard).filter((text) => !made(text) && !says(text)),
    [],
  );
  for (const [text, translation] of Object.entries(page.heard)) {
    assert.deepEqual(placesOf(translation), placesOf(text), text);
    assert.deepEqual(placesOf(text), [...text.matchAll(/\{\d\}/g)].map(String), `${text}: counted from the left`);
  }
});

test('the phrases of the editor are those that it has', () => {
  const parts = ['autocomplete', 'commands', 'language', 'lint', 'lsp-client', 'search', 'view'];
  const code = parts.map((part) => readFileSync(fileURLToPath(import.meta.resolve(`@codemirror/${part}`)), 'utf8'));
  const said = new Set(code.flatMap((each) => literalsOf(each)));
  const asked = code.flatMap((each) => [...each.matchAll(/\bphrase\((?:view, )?"([^"]+)"/g)]).map((match) => match[1]);
  assert.ok(asked.length > 20, 'the phrases were found');
  assert.deepEqual(
    asked.filter((phrase) => phrase !== undefined && !(phrase in page.phrases)),
    [],
  );
  assert.deepEqual(
    Object.keys(page.phrases).filter((phrase) => !said.has(phrase)),
    [],
  );
});

test('English is the text itself; Chinese fills the same places', (context) => {
  assert.equal(t('Lost {0}: {1}', 'Alpha', 'it ended.'), 'Lost Alpha: it ended.');
  assert.equal(locale(), undefined);
  inChinese(context);
  assert.equal(t('Lost {0}: {1}', '$&', '{0}'), '与 $& 的连接已断开：{0}');
  assert.equal(t('Start'), '启动');
  assert.equal((1234.5).toLocaleString(locale()), '1,234.5');
});

test('the host’s sentences are known whole, with their places, and behind a name; all others stay as they are', (context) => {
  const said = [
    'the daemon does not answer',
    'Qwen Code: it was ended by SIGKILL',
    'the Qwen daemon did not start: it ended with code 1',
    'Your version of /a.ts was saved, and Qwen Code is told so.',
    '/a.ts is not sent: it is on the deny list',
    'the model is overloaded: try again',
  ];
  assert.deepEqual(said.map(heard), said);
  inChinese(context);
  assert.deepEqual(said.map(heard), [
    '守护进程没有响应',
    'Qwen Code：被 SIGKILL 终止',
    'Qwen 守护进程未能启动：已结束，退出代码 1',
    '你对 /a.ts 的版本已保存，并已告知 Qwen Code。',
    '未发送 /a.ts：它在禁止共享列表中',
    'the model is overloaded: try again',
  ]);
  const long = `the daemon answered ${'x: '.repeat(10_000)}`;
  assert.equal(heard(long), long);
});

test('who reads simplified Chinese gets it, everybody else English', async (context) => {
  for (const wanted of ['zh-cn', 'zh-CN', 'zh', 'zh-Hans', 'zh-hans-CN', 'zh-SG']) {
    assert.equal(languageFor(wanted), 'zh-CN', wanted);
  }
  for (const wanted of ['en', 'en-US', 'zh-tw', 'zh-Hant', 'zh-HK', 'de', '', 'zhuang', '"><script>']) {
    assert.equal(languageFor(wanted), 'en', wanted);
  }
  context.after(() => use(undefined));
  assert.equal(await speak('zh-cn', async () => panel), 'zh-CN');
  assert.equal(t('Send'), '发送');
  assert.equal(await speak('zh-cn', () => Promise.reject(new Error('not there'))), 'en');
  assert.equal(t('Send'), 'Send', 'a page without its dictionary speaks English');
});

test('the page of a webview is in the language of its editor', () => {
  const page = { source: 's', script: 'x.js', styles: [], nonce: 'n' };
  assert.match(webviewHtml(page), /<html lang="en">/);
  assert.match(webviewHtml({ ...page, language: 'zh-cn' }), /<html lang="zh-CN">/);
  assert.match(webviewHtml({ ...page, language: 'de' }), /<html lang="en">/);
});
