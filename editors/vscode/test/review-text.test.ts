import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fromBytes, fromEditor, sameText, smallestChange, toBytes } from '../src/reviews/review-text.ts';
import { reviewIdIn, reviewQuery } from '../src/reviews/review-uri.ts';

test('what VS Code does to line endings and the byte order mark is no edit of the user', () => {
  assert.ok(sameText('a\r\nb\nc', 'a\r\nb\r\nc'));
  assert.ok(sameText('\ufeffa', 'a'));
  assert.ok(!sameText('a\n', 'a'));
});

test('an edited text keeps the mark it came with', () => {
  assert.equal(fromEditor('mine', '\ufefftheirs'), '\ufeffmine');
  assert.equal(fromEditor('mine', 'theirs'), 'mine');
});

test('bytes say that they are UTF-8 where VS Code would guess otherwise', () => {
  assert.deepEqual([...toBytes('é', true)], [0xef, 0xbb, 0xbf, 0xc3, 0xa9]);
  assert.deepEqual([...toBytes('é', false)], [0xc3, 0xa9]);
  assert.deepEqual([...toBytes('\ufeffé', true)], [0xef, 0xbb, 0xbf, 0xc3, 0xa9]);
  assert.equal(fromBytes(toBytes('你好', true)), '你好');
});

test('the smallest change makes one text of the other and splits no character', () => {
  const characters = fc.constantFrom('a', 'b', '\n', '😀', '😁', '𝒳');
  const text = fc.array(characters, { maxLength: 20 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, (old, wanted) => {
      const { from, to, insert } = smallestChange(old, wanted);
      assert.equal(old.slice(0, from) + insert + old.slice(to), wanted);
      for (const piece of [old.slice(0, from), old.slice(to), insert]) assert.equal(piece, piece.toWellFormed());
    }),
  );
});

test('a tab that VS Code restores from another session belongs to no review of this one', () => {
  assert.equal(reviewIdIn(reviewQuery('7', 'abc'), 'abc'), '7');
  assert.equal(reviewIdIn(reviewQuery('7', 'abc'), 'xyz'), undefined);
  assert.equal(reviewIdIn('', 'abc'), undefined);
});
