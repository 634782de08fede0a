import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { build } from 'esbuild';
import * as fc from 'fast-check';

interface Painter {
  paint(text: string, host: object, live: boolean): unknown[];
}
let Painter: new () => Painter;
const HOST = { folders: ['/ws'], openFile: () => {}, copy: async () => true };

/** Components are written for the page's build. */
before(async () => {
  const entry = join(import.meta.dirname, '../src/chat/markdown/markdown.tsx');
  const jsx = { jsx: 'automatic', jsxImportSource: 'preact' } as const;
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    write: false,
    platform: 'node',
    ...jsx,
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  ({ Painter } = await import(`data:text/javascript;base64,${code}`));
});

interface Element {
  readonly type: unknown;
  readonly props: Readonly<Record<string, unknown>>;
}

/** What would stand in the page, as text; components of the panel's own by their name. */
function html(node: unknown): string {
  if (node === null || node === undefined || node === false || node === true) return '';
  if (Array.isArray(node)) return node.map(html).join('');
  if (typeof node !== 'object') return String(node).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const { type, props } = node as Element;
  if (typeof type === 'function') {
    if ('code' in props) return `<code-block ${props.language}>${html(props.code)}</code-block>`;
    if ('node' in props) return html((type as (given: object) => unknown)(props));
    return html(props.children);
  }
  const shown = ['href', 'start', 'checked', 'class', 'title'].filter(
    (name) => props[name] !== undefined && props[name] !== '',
  );
  return `<${type}${shown.map((name) => ` ${name}=${props[name]}`).join('')}>${html(props.children)}</${type}>`;
}

const painted = (text: string) => html(new Painter().paint(text, HOST, false));

test('what Markdown means', () => {
  assert.equal(
    painted('# a *b* **c** ~~d~~ `e`'),
    '<h3 class=heading-1>a <em>b</em> <strong>c</strong> <del>d</del> <code>e</code></h3>',
  );
  assert.equal(painted('a\\*b &amp; &#65; c  \nd'), '<p>a*b &amp; A c<br></br>d</p>');
  assert.equal(painted('3. x\n4. y'), '<ol start=3><li><p>x</p></li><li><p>y</p></li></ol>');
  assert.match(painted('- [x] a\n- [ ] b'), /checked=true.*a.*checked=false.*b/);
  assert.equal(painted('> q\n> r'), '<blockquote><p>q\n r</p></blockquote>');
  assert.equal(painted('```ts x\na\n\nb\n```'), '<code-block ts>a\n\nb</code-block>');
  assert.equal(painted('    indented\n    more'), '<code-block >indented\nmore</code-block>');
  assert.equal(painted('> ```\n> in\n> quote\n> ```'), '<blockquote><code-block >in\nquote</code-block></blockquote>');
  assert.equal(painted('``a ` b`` `` ` ``'), '<p><code>a ` b</code> <code>`</code></p>');
});

test('tables, also with empty cells', () => {
  const table = painted('| a | b | c |\n|:--|--:|:-:|\n| 1 |   | 3 |');
  assert.match(table, /<th class=left>a<\/th><th class=right>b<\/th><th class=center>c<\/th>/);
  assert.match(table, /<td class=left>1<\/td><td class=right><\/td><td class=center>3<\/td>/);
});

test('links lead to the web or to files; by label too; brackets alone are brackets', () => {
  assert.match(painted('[a](https://x.y/)'), /<a href=https:\/\/x\.y\/ title=.*>a<\/a>/);
  assert.match(painted('[a][Ref one]\n\n[ref  ONE]: https://x.y/'), /<a href=https:\/\/x\.y\//);
  assert.match(
    painted('see https://x.y/z and <https://x.y> and a@b.cd'),
    /href=https:\/\/x\.y\/z.*href=https:\/\/x\.y .*href=mailto:a@b\.cd/,
  );
  assert.match(painted('[a](src/b.ts:3)'), /<button class=link file-link title=\/ws\/src\/b\.ts>a<\/button>/);
  assert.equal(painted('[a](javascript:x)'), '<p><span>a</span></p>');
  assert.equal(painted('x[0] and [y]'), '<p>x<span>[0]</span> and <span>[y]</span></p>');
  assert.match(painted('![alt](https://x.y/p.png)'), /<a href=https:\/\/x\.y\/p\.png title=.*>🖼 alt<\/a>/);
});

test('HTML is text', () => {
  assert.equal(painted('a <b onclick="x()">c</b>'), '<p>a &lt;b onclick="x()">c&lt;/b></p>');
  assert.equal(painted('<script>x()</script>'), '<p class=raw>&lt;script>x()&lt;/script></p>');
});

test('a text that came in pieces looks as if it had come at once', () => {
  const piece = fc.constantFrom(
    'word ',
    '\n',
    '\n\n',
    '- item\n',
    '1. one\n',
    '**',
    '*',
    '`',
    '```\n',
    '```ts\ncode\n',
    '> ',
    '| a | b |\n',
    '|---|---|\n',
    '[x](y)',
    '[r]',
    '\n[r]: https://z.z\n',
    '# ',
    '<b>',
    '    ',
    '~~',
    'https://a.b ',
    '---\n',
    '- [x] ',
    '\\',
  );
  void fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const painter = new Painter();
      let text = '';
      for (const each of pieces) {
        text += each;
        painter.paint(text, HOST, true);
      }
      assert.equal(html(painter.paint(text, HOST, false)), painted(text));
    }),
    { numRuns: 1500 },
  );
});

test('while it grows, blocks before the last stay the same objects', () => {
  const painter = new Painter();
  const first = painter.paint('one\n\ntwo\n\n- a\n- b\n\nthree', HOST, true);
  const second = painter.paint('one\n\ntwo\n\n- a\n- b\n\nthree and more', HOST, true);
  assert.deepEqual(
    first.map((each, i) => each === second[i]),
    [true, true, true, false],
  );
});
