import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { oneLine } from '../src/one-line.ts';
import { movedLine } from '../src/reviews/moved-lines.ts';

const change = (from: [number, number], to: [number, number], text: string) => ({
  range: { start: { line: from[0], character: from[1] }, end: { line: to[0], character: to[1] } },
  text,
});

test('a note stays on its line while the text around it changes', () => {
  const moved = (...changes: ReturnType<typeof change>[]) => movedLine(5, changes);
  assert.equal(moved(change([5, 3], [5, 9], 'other words')), 5, 'within it');
  assert.equal(moved(change([7, 0], [9, 0], '')), 5, 'below it');
  assert.equal(moved(change([2, 4], [2, 4], '\nnew\nlines')), 7, 'lines above it');
  assert.equal(moved(change([1, 0], [4, 0], '')), 2, 'lines taken away above it');
  assert.equal(moved(change([5, 0], [5, 0], 'new\n')), 6, 'a line put before it');
  assert.equal(moved(change([5, 4], [5, 4], '\n')), 5, 'split behind its beginning');
  assert.equal(moved(change([4, 8], [5, 0], '')), 4, 'joined with the one above');
  assert.equal(moved(change([5, 0], [6, 0], 'another\n')), 5, 'replaced');
  assert.equal(moved(change([3, 2], [8, 1], 'a\nb')), 4, 'taken away with others');
  assert.equal(moved(change([8, 0], [8, 0], '\n'), change([0, 0], [0, 0], '\n')), 6, 'several at once');
});

test('where a line goes is where its text goes', () => {
  const lines = fc.array(fc.constantFrom('a', 'bb', ''), { minLength: 1, maxLength: 8 });
  const run = fc.record({
    lines,
    from: fc.nat(),
    length: fc.nat(6),
    text: fc.constantFrom('', 'x', '\n', 'x\ny', '\n\n'),
  });
  fc.assert(
    fc.property(run, fc.nat(), ({ lines, from, length, text }, pick) => {
      const noted = pick % lines.length;
      const marked = lines.map((line, index) => `${index === noted ? '#' : ''}${line}`).join('\n');
      const mark = marked.indexOf('#');
      const plain = marked.replace('#', '');
      const start = from % (plain.length + 1);
      const end = Math.min(start + length, plain.length);
      fc.pre(start > mark || end <= mark); // its beginning is still there
      const at = (offset: number): [number, number] => {
        const before = plain.slice(0, offset).split('\n');
        return [before.length - 1, before.at(-1)?.length ?? 0];
      };
      const put = end <= mark ? mark + text.length - (end - start) : mark;
      const after = plain.slice(0, start) + text + plain.slice(end);
      assert.equal(movedLine(noted, [change(at(start), at(end), text)]), after.slice(0, put).split('\n').length - 1);
    }),
  );
});

const anything = fc.array(fc.nat(0x2fff)).map((codes) => String.fromCodePoint(...codes));

test('what is pasted into a terminal ends no line and presses no key', () => {
  assert.equal(
    oneLine('I said:\n- line 1: \u001b[201~\rrm x\r\n\u0003 done\u2028\u0085now\n'),
    'I said: - line 1: [201~ rm x done now',
  );
  fc.assert(fc.property(anything, (text) => assert.doesNotMatch(oneLine(text), /[\p{Cc}\u2028\u2029]/u)));
});
