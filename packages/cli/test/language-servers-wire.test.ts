import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { LSP_INPUT } from '../src/workbench/language-servers/asks.ts';
import { contentChange } from '../src/workbench/language-servers/change.ts';
import { FrameReader, frame } from '../src/workbench/language-servers/framing.ts';
import { fromPublished } from '../src/workbench/language-servers/translate.ts';

test('messages come out as they went in, however the stream is cut', () => {
  void fc.assert(
    fc.property(
      fc.array(fc.record({ text: fc.string({ unit: 'grapheme' }) }, { noNullPrototype: true })),
      fc.integer({ min: 1, max: 50 }),
      (sent, size) => {
        const bytes = Buffer.concat(sent.map(frame));
        const reader = new FrameReader(1 << 20);
        const received: unknown[] = [];
        for (let at = 0; at < bytes.length; at += size) received.push(...reader.read(bytes.subarray(at, at + size)));
        assert.deepEqual(received, sent);
      },
    ),
  );
});

test('other headers are fine; no length, too long a message and an endless header are not', () => {
  const body = '{"a":1}';
  const other = `Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  assert.deepEqual([...new FrameReader(100).read(Buffer.from(other))], [{ a: 1 }]);
  for (const bad of [
    'Hello: you\r\n\r\n',
    'Content-Length: 101\r\n\r\n',
    'x'.repeat(5000),
    'Content-Length: 2\r\n\r\n{x',
  ]) {
    assert.throws(() => [...new FrameReader(100).read(Buffer.from(bad))]);
  }
});

test('a change, applied to the old text, gives the new one', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '😀', '😁', '\r') });
  void fc.assert(
    fc.property(text, text, (before, after) => {
      const { range, text: inserted } = contentChange(before, after);
      if (!range) return assert.equal(inserted, after);
      const lines = before.split('\n');
      const at = ({ line, character }: { line: number; character: number }) =>
        lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + character;
      const [from, to] = [at(range.start), at(range.end)];
      assert.equal(before.slice(0, from) + inserted + before.slice(to), after);
      assert.ok(before.slice(0, from).isWellFormed() && before.slice(to).isWellFormed());
    }),
  );
});

test('problems are taken as they are meant, and nonsense is left out', () => {
  const range = { start: { line: 0, character: 1 }, end: { line: 2, character: 3 } };
  const published = fromPublished({
    uri: 'file:///a%20b/c%23.py',
    version: null,
    diagnostics: [
      { range, message: 'a' },
      { range, severity: 4, message: { kind: 'markdown', value: 'b' }, code: 'x', source: 's' },
      { range: { start: { line: -1, character: 0 } }, message: 'c' },
      'nonsense',
    ],
  });
  assert.deepEqual(published, {
    path: '/a b/c#.py',
    version: undefined,
    diagnostics: [
      { range, severity: 'error', message: 'a' },
      { range, severity: 'hint', message: 'b', code: 'x', source: 's' },
    ],
  });
  for (const bad of [undefined, {}, { uri: 'untitled:1', diagnostics: [] }, { uri: 'file:///%ff', diagnostics: [] }]) {
    assert.equal(fromPublished(bad), undefined);
  }
});

test('a page passes on what is on the list, about the document it names', () => {
  const position = { line: 1, character: 2 };
  const input = {
    path: '/a.py',
    method: 'textDocument/hover',
    params: { position, textDocument: { uri: 'file:///b' } },
  };
  assert.deepEqual(LSP_INPUT.parse(input).params, { position });
  for (const method of ['workspace/executeCommand', 'shutdown', 'textDocument/didChange', 'textDocument/codeAction']) {
    assert.equal(LSP_INPUT.safeParse({ ...input, method }).success, false);
  }
});
