import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { diffLines, type LineChange, linesOf } from '../src/review/diff.ts';
import { packedDiff, unpackedDiff } from '../src/review/packed.ts';

/** The right text, made from the left one and the changes alone. */
function applied(changes: readonly LineChange[], before: string, after: string): string {
  const [a, b] = [linesOf(before), linesOf(after)];
  const result: string[] = [];
  let at = 0;
  for (const change of changes) {
    result.push(...a.slice(at, change.fromA), ...b.slice(change.fromB, change.toB));
    at = change.toA;
  }
  return [...result, ...a.slice(at)].join('\n');
}

const changesOf = (before: string, after: string, budget?: number) =>
  diffLines(linesOf(before), linesOf(after), budget).changes;

const cost = (changes: readonly LineChange[]) =>
  changes.reduce((sum, change) => sum + change.toA - change.fromA + change.toB - change.fromB, 0);

/** The least number of removed and added lines, by the plain table; the end of a text is like the end of a text only. */
function leastCost(before: string, after: string): number {
  const [a, b] = [before, after].map((text) =>
    linesOf(text).map((line, at, all) => (line === '' && at === all.length - 1 ? 'END' : line)),
  ) as [string[], string[]];
  let row = b.map((_line, at) => at).concat(b.length);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const cheaper = Math.min(row[j] as number, next[j - 1] as number) + 1;
      next.push(a[i - 1] === b[j - 1] ? (row[j - 1] as number) : cheaper);
    }
    row = next;
  }
  return row[b.length] as number;
}

const shortTexts = fc
  .array(fc.constantFrom('a', 'b', '  c', '', '}', 'é'), { maxLength: 40 })
  .map((lines) => lines.join('\n'));

test('the changes turn the left text into the right one, are in order and never touch', () => {
  fc.assert(
    fc.property(shortTexts, shortTexts, (before, after) => {
      const changes = changesOf(before, after);
      assert.equal(applied(changes, before, after), after);
      for (let at = 1; at < changes.length; at++) {
        const [one, two] = [changes[at - 1] as LineChange, changes[at] as LineChange];
        assert.ok(one.toA < two.fromA && one.toB < two.fromB, 'unchanged lines stand between two changes');
        assert.equal(two.fromA - one.toA, two.fromB - one.toB);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('the changes are the fewest lines that there can be', () => {
  fc.assert(
    fc.property(shortTexts, shortTexts, (before, after) => {
      assert.equal(cost(changesOf(before, after)), leastCost(before, after));
    }),
    { numRuns: 1_000 },
  );
});

test('out of budget, the changes are still right, and it says that they may not be the fewest', () => {
  fc.assert(
    fc.property(shortTexts, shortTexts, fc.integer({ min: 0, max: 30 }), (before, after, budget) => {
      const diff = diffLines(linesOf(before), linesOf(after), budget);
      assert.equal(applied(diff.changes, before, after), after);
      if (diff.exact) assert.equal(cost(diff.changes), leastCost(before, after));
    }),
    { numRuns: 1_000 },
  );
  const lines = Array.from({ length: 400 }, (_, at) => `line ${at}`);
  const swapped = [...lines.slice(200), ...lines.slice(0, 200)];
  const poor = diffLines(lines, swapped, 1_000);
  assert.equal(poor.exact, false);
  assert.equal(cost(poor.changes), 400, 'lines that are unique on both sides still hold it together');
});

test('random edits of a file are found again', () => {
  const edits = fc.array(fc.tuple(fc.nat(299), fc.constantFrom('change', 'remove', 'add')), { maxLength: 25 });
  fc.assert(
    fc.property(edits, (list) => {
      const before = Array.from({ length: 300 }, (_, at) => (at % 7 === 0 ? '' : `  line ${at % 90}`));
      const after: string[] = [];
      before.forEach((line, at) => {
        const what = list.find(([place]) => place === at)?.[1];
        if (what === 'change') after.push(`${line} changed`);
        else if (what === 'add') after.push(line, `new ${at}`);
        else if (what !== 'remove') after.push(line);
      });
      const changes = diffLines(before, after).changes;
      assert.equal(applied(changes, before.join('\n'), after.join('\n')), after.join('\n'));
      assert.ok(cost(changes) <= 2 * list.length);
    }),
    { numRuns: 300 },
  );
});

test('empty texts and missing final newlines', () => {
  assert.deepEqual(changesOf('', ''), []);
  assert.deepEqual(changesOf('a\nb\n', 'a\nb\n'), []);
  assert.deepEqual(changesOf('', 'a\nb\n'), [{ fromA: 0, toA: 0, fromB: 0, toB: 2 }]);
  assert.deepEqual(changesOf('a\nb\n', ''), [{ fromA: 0, toA: 2, fromB: 0, toB: 0 }]);
  assert.deepEqual(changesOf('', 'a'), [{ fromA: 0, toA: 1, fromB: 0, toB: 1 }]);
  assert.deepEqual(changesOf('a', 'a\n'), [{ fromA: 1, toA: 1, fromB: 1, toB: 2 }]);
  assert.deepEqual(changesOf('a\n', 'a'), [{ fromA: 1, toA: 2, fromB: 1, toB: 1 }]);
});

test('a final newline taken away does not tear the last lines apart', () => {
  assert.deepEqual(changesOf('a\n}\n', 'a\n\nb\n}'), [
    { fromA: 1, toA: 1, fromB: 1, toB: 3 },
    { fromA: 2, toA: 3, fromB: 4, toB: 4 },
  ]);
});

test('only a line feed ends a line; a stray carriage return is part of its line', () => {
  assert.deepEqual(linesOf('a\rb\nc'), ['a\rb', 'c']);
  assert.deepEqual(changesOf('a\nb', 'a\r\nb'), [{ fromA: 0, toA: 1, fromB: 0, toB: 1 }]);
  const changed = applied(changesOf('a\nb\nc\n', 'a\nB\nc\n'), 'a\nb\nc\n', 'a\nB\nc\n');
  assert.ok(!changed.includes('\r'));
});

test('an added function is shown as a whole, not from its first line to the next brace', () => {
  const before = 'function one() {\n  run();\n}\n\nfunction two() {\n  run();\n}\n';
  const after = 'function one() {\n  run();\n}\n\nfunction new() {\n  run();\n}\n\nfunction two() {\n  run();\n}\n';
  assert.deepEqual(changesOf(before, after), [{ fromA: 4, toA: 4, fromB: 4, toB: 8 }]);
});

test('changes one blank line apart stay two', () => {
  assert.equal(changesOf('a\n\nb\n', 'A\n\nB\n').length, 2);
});

const file = (lines: number) => Array.from({ length: lines }, (_, at) => `  const value${at} = compute(${at});`);

test('200 scattered changes in 10,000 lines are 200', () => {
  const before = file(10_000);
  const after = before.map((line, at) => (at % 50 === 25 ? line.replace('compute', 'calculate') : line));
  const hunks = unpackedDiff(packedDiff(before, after.join('\n')).packed);
  assert.equal(hunks.length, 200);
  assert.ok(hunks.every((hunk) => hunk.words?.a.length === 2 && hunk.toA - hunk.fromA === 1));
});

test('5,000 changes in 10,000 lines are 5,000, also where the changed lines are alike', () => {
  const before = file(10_000);
  const unlike = before.map((line, at) => (at % 2 === 1 ? `${line} // changed` : line));
  assert.equal(diffLines(before, unlike).changes.length, 5_000);
  const alike = before.map((line, at) => (at % 2 === 1 ? '  // gone' : line));
  const diff = diffLines(before, alike);
  assert.equal(diff.changes.length, 5_000);
  assert.ok(diff.exact);
});

test('halves that changed places, and a file that was written anew', () => {
  const before = file(4_000);
  const swapped = diffLines(before, [...before.slice(2_000), ...before.slice(0, 2_000)]);
  assert.equal(cost(swapped.changes), 4_000);
  assert.equal(
    diffLines(
      before,
      file(4_000).map((line) => `${line}!`),
    ).changes.length,
    1,
  );
});

test('what crosses from the worker is what was found', () => {
  fc.assert(
    fc.property(shortTexts, shortTexts, (before, after) => {
      const hunks = unpackedDiff(packedDiff(linesOf(before), after).packed);
      const plain = hunks.map(({ fromA, toA, fromB, toB }) => ({ fromA, toA, fromB, toB }));
      assert.deepEqual(plain, changesOf(before, after));
    }),
  );
});
