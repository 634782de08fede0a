import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notesPrompt } from '../src/review/notes-prompt.ts';

const change = { path: '/w/a.ts', before: 'one\n  two\n', proposed: 'ONE\r\n  TWO\r\n\r\nthree\n' };

test('notes become a prompt: what was decided, each with its line and what stands there', () => {
  const notes = [
    { line: 2, text: ' Why? \n', side: 'proposed' },
    { line: 3, text: 'Nothing here.', side: 'proposed' },
    { line: 2, until: 4, text: 'All of this.', side: 'proposed' },
    { line: 2, text: 'Keep it.', side: 'before' },
    { line: 9, text: 'Gone.', side: 'proposed' },
    { text: 'In general.' },
  ] as const;
  assert.equal(
    notesPrompt({ ...change, how: 'rejected' }, notes),
    [
      'I rejected your change to /w/a.ts. My notes on it:',
      '- line 2 of your version (`TWO`): Why?',
      '- line 3 of your version: Nothing here.',
      '- lines 2 to 4 of your version (`TWO`): All of this.',
      '- line 2 of the file as it is (`two`): Keep it.',
      '- line 9 of your version: Gone.',
      '- In general.',
      '',
    ].join('\n'),
  );
});

test('an agent is not told that its change was rejected where it was not', () => {
  const notes = [{ line: 1, text: 'Fine.', side: 'proposed' }] as const;
  const first = (how: 'accepted' | 'ended') => notesPrompt({ ...change, how }, notes).split('\n')[0];
  assert.equal(first('accepted'), 'I accepted your change to /w/a.ts. My notes on it:');
  assert.equal(first('ended'), 'My notes on your change to /w/a.ts:');
});
