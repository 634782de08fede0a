import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { diffWords, PAGE_LIMITS } from '../src/review/words.ts';

/** The marked pieces of both sides. */
function marked(before: string, after: string): { removed: string[]; added: string[] } | null {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const words = diffWords({ fromA: 0, toA: a.length, fromB: 0, toB: b.length }, a, b, PAGE_LIMITS);
  if (!words) return null;
  return { removed: pieces(before, words.a), added: pieces(after, words.b) };
}

function pieces(text: string, offsets: readonly number[]): string[] {
  const result: string[] = [];
  for (let at = 0; at < offsets.length; at += 2) result.push(text.slice(offsets[at], offsets[at + 1]));
  return result;
}

test('a changed word is marked, and nothing else of the line', () => {
  assert.deepEqual(marked('const limit = 10;', 'const limit = 100;'), { removed: ['10'], added: ['100'] });
  assert.deepEqual(marked('if (a && b) {', 'if (a || b) {'), { removed: ['&&'], added: ['||'] });
});

test('words that changed side by side are one mark', () => {
  assert.deepEqual(marked('return the old thing now;', 'return a new thing now;'), {
    removed: ['the old'],
    added: ['a new'],
  });
});

test('lines with little in common have no marks', () => {
  assert.equal(marked('import one from "two";', 'while (true) { break }'), null);
});

test('a line is compared with the line it became, and a new line has no marks', () => {
  assert.deepEqual(marked('const LIMIT = 10;', 'const LIMIT = 100;\nconst TIMEOUT = 2_000;'), {
    removed: ['10'],
    added: ['100'],
  });
  assert.deepEqual(marked('const LIMIT = 10;', '// How many there may be.\nconst LIMIT = 100;'), {
    removed: ['10'],
    added: ['100'],
  });
});

test('letters of every script make words', () => {
  assert.deepEqual(marked("label = 'größe und maß'", "label = 'größe und länge'"), {
    removed: ['maß'],
    added: ['länge'],
  });
});

test('without the marked pieces, the two sides of a pair of lines are the same', () => {
  const line = fc.array(fc.constantFrom('one', 'two', ' ', '(', ')', '.', '😀'), { minLength: 1, maxLength: 20 });
  const without = (text: string, offsets: readonly number[]) => {
    let [result, at] = ['', 0];
    for (let index = 0; index < offsets.length; index += 2) {
      result += text.slice(at, offsets[index]);
      at = offsets[index + 1] as number;
    }
    return result + text.slice(at);
  };
  fc.assert(
    fc.property(line, line, (one, two) => {
      const [before, after] = [one.join(''), two.join('')];
      const words = diffWords({ fromA: 0, toA: 1, fromB: 0, toB: 1 }, [before], [after], PAGE_LIMITS);
      if (words) assert.equal(without(before, words.a), without(after, words.b));
    }),
    { numRuns: 1_000 },
  );
});
