import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY } from '@tandem/chat/view';
import { commandsFor, filesFor, mentioned, wordAt } from '../src/chat/completion.ts';
import { fileNameOf, markdownOf } from '../src/chat/export.ts';
import { plain, tailOf } from '../src/chat/output-text.ts';

test('the end of an output, by lines and by letters', () => {
  assert.equal(tailOf('a\nb\nc\n', 2, 100), 'b\nc\n');
  assert.equal(tailOf('a\nb\nc', 2, 100), 'b\nc');
  assert.equal(tailOf('a\nb', 5, 100), 'a\nb');
  assert.equal(tailOf('x'.repeat(50), 5, 10), 'x'.repeat(10));
  assert.equal(tailOf('', 5, 10), '');
});

test('what a terminal was told is taken out, also across the colours', () => {
  assert.equal(plain('\u001b[1;31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007'), 'red link');
  assert.equal(plain('10 %\r20 %\r30 %\nnext\r\n'), '30 %\nnext\n');
  assert.equal(plain('a\tb\u0000\u0008c'), 'a\tbc');
});

test('which word is completed', () => {
  assert.deepEqual(wordAt('/mem', 4), { kind: 'command', text: 'mem', from: 0, to: 4 });
  assert.equal(wordAt('a /mem', 6), undefined);
  assert.equal(wordAt('/mem x', 6), undefined);
  assert.deepEqual(wordAt('see @src/a and', 10), { kind: 'file', text: 'src/a', from: 4, to: 10 });
  assert.equal(wordAt('a@b', 3), undefined);
});

test('commands that begin so come first; files by parts of their names', () => {
  const commands = ['remember', 'memory', 'help'].map((name) => ({ name, description: name }));
  assert.deepEqual(
    commandsFor('mem', commands).map(({ label }) => label),
    ['/memory', '/remember'],
  );
  const found = filesFor('oth', ['/ws/a.ts', '/ws/src/other.ts', '/ws/my notes.md'], ['/ws']);
  assert.deepEqual(found, [
    { label: 'other.ts', detail: 'src/other.ts', insert: '@src/other.ts ', path: '/ws/src/other.ts' },
  ]);
});

test('only files whose name still stands in the text go along', () => {
  const named = new Map([
    ['@a.ts', '/ws/a.ts'],
    ['@b.ts', '/ws/b.ts'],
  ]);
  assert.deepEqual(mentioned('look at @a.ts, please; not @b.tsx', named), [{ path: '/ws/a.ts' }]);
});

test('the export has everything, and no text of an agent’s breaks out of its fence', () => {
  const text = markdownOf('A\ntitle', 'Agent', {
    ...EMPTY,
    items: [
      { key: '1', type: 'message', role: 'user', text: 'hi', attachments: [{ type: 'file', path: '/ws/a.ts' }] },
      { key: '2', type: 'thought', text: 'one\ntwo' },
      {
        key: '3',
        type: 'tool',
        call: {
          id: 't',
          title: 'Edit',
          kind: 'edit',
          status: 'completed',
          locations: [],
          content: [
            { type: 'text', text: '```\nfence' },
            { type: 'diff', path: '/ws/a.ts', oldText: 'a\nb\n', newText: 'a\nc\n' },
          ],
        },
      },
      { key: '4', type: 'plan', entries: [{ content: 'do', priority: 'high', status: 'completed' }] },
      { key: '5', type: 'end', reason: 'cancelled' },
    ],
  });
  assert.match(text, /^# A title\n\n## You\n\nhi\n\nAlong with it: `\/ws\/a\.ts`/);
  assert.match(text, /> \*Thought:\* one\n> two/);
  assert.match(text, /````\n```\nfence\n````/);
  assert.match(text, /```diff\n@@ -2,1 \+2,1 @@\n-b\n\+c\n```/);
  assert.match(text, /- \[x\] do/);
  assert.equal(fileNameOf('Why: does/it crash?'), 'why-does-it-crash.md');
  assert.equal(fileNameOf('…'), 'conversation.md');
});
