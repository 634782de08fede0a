import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChangeSet, Text } from '@codemirror/state';
import fc from 'fast-check';
import { diffLines } from '../src/review/diff.ts';
import {
  afterEdit,
  foldsFor,
  type Hunk,
  hunkAt,
  keepDone,
  linesIn,
  type Model,
  quickHunks,
  withoutHunk,
} from '../src/review/model.ts';
import { putBackChange } from '../src/review/places.ts';

const textOf = (text: string) => Text.of(text.split('\n'));

function modelOf(before: Text, after: Text): Model {
  const hunks = quickHunks(before, after) ?? [];
  return { hunks, folds: foldsFor(hunks, before.lines), active: -1, pending: false };
}

function edit(model: Model, before: Text, doc: Text, from: number, to: number, insert: string): [Model, Text] {
  const changes = ChangeSet.of({ from, to, insert: textOf(insert) }, doc.length);
  const next = changes.apply(doc);
  return [afterEdit(model, before, doc, next, changes), next];
}

/** The hunks are a difference between the two texts. */
function checkHunks(hunks: readonly Hunk[], before: Text, after: Text): void {
  const result: string[] = [];
  let [at, atB] = [0, 0];
  for (const hunk of hunks) {
    assert.ok(hunk.fromA >= at && hunk.fromB >= atB && hunk.toA >= hunk.fromA && hunk.toB >= hunk.fromB);
    assert.ok(hunk.toA > hunk.fromA || hunk.toB > hunk.fromB, 'no empty hunk');
    result.push(...linesIn(before, at, hunk.fromA), ...linesIn(after, hunk.fromB, hunk.toB));
    [at, atB] = [hunk.toA, hunk.toB];
  }
  result.push(...linesIn(before, at, before.lines));
  assert.equal(result.join('\n'), after.toString());
}

const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', '}'), { maxLength: 30 }).map((list) => list.join('\n'));

test('after any edit on the right the hunks are still the difference', () => {
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat(12), fc.constantFrom('', 'x', '\n', 'a\nb', '}\n}\n', 'a')), {
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(lines, lines, edits, (left, right, list) => {
      const before = textOf(left);
      let doc = textOf(right);
      let model = modelOf(before, doc);
      for (const [place, length, insert] of list) {
        const from = place % (doc.length + 1);
        [model, doc] = edit(model, before, doc, from, Math.min(doc.length, from + length), insert);
        checkHunks(model.hunks, before, doc);
        assert.equal(model.pending, false);
        for (const fold of model.folds) {
          assert.ok(
            model.hunks.every((hunk) => hunk.toA < fold.from || hunk.fromA > fold.to),
            'no fold hides a change',
          );
        }
      }
    }),
    { numRuns: 3_000 },
  );
});

test('an edit in one of 5,000 hunks leaves the others as they are', () => {
  const left = Array.from({ length: 10_000 }, (_, at) => `line ${at}`);
  const right = left.map((line, at) => (at % 2 === 1 ? `${line}!` : line));
  const [before, doc] = [Text.of(left), Text.of(right)];
  const hunks: Hunk[] = diffLines(left, right).changes.map((change) => ({ ...change, words: null, done: false }));
  const model: Model = { hunks, folds: [], active: -1, pending: false };
  const line = doc.line(5_000);
  const [typed] = edit(model, before, doc, line.to, line.to, '?');
  assert.equal(typed.hunks.length, 5_000);
  const [back] = edit(model, before, doc, line.to - 1, line.to, '');
  assert.equal(back.hunks.length, 4_999);
  assert.equal(back.hunks.filter((hunk) => hunks.includes(hunk)).length >= 4_990, true, 'few hunks were made anew');
});

test('an edit that is too large for the page marks the comparison as pending', () => {
  const before = Text.of(Array.from({ length: 9_000 }, (_, at) => `line ${at}`));
  const model: Model = { hunks: [], folds: [], active: -1, pending: false };
  const [next, doc] = edit(model, before, before, 0, before.length, `${'x\n'.repeat(4_000)}x`);
  assert.equal(next.pending, true);
  checkHunks(next.hunks, before, doc);
});

test('putting every hunk back gives the left text, whatever the ends of the texts are', () => {
  fc.assert(
    fc.property(lines, lines, fc.nat(), (left, right, pick) => {
      const before = textOf(left);
      let doc = textOf(right);
      let model = modelOf(before, doc);
      while (model.hunks.length > 0) {
        const index = pick % model.hunks.length;
        doc = ChangeSet.of(putBackChange(doc, before, model.hunks[index] as Hunk), doc.length).apply(doc);
        model = withoutHunk(model, index);
        checkHunks(model.hunks, before, doc);
      }
      assert.equal(doc.toString(), left);
    }),
    { numRuns: 2_000 },
  );
});

test('a kept hunk stays kept while other lines change, and opens again when it changes itself', () => {
  const before = textOf('a\nb\nc\nd\ne\nf\ng\nh\ni');
  const doc = textOf('A\nb\nc\nd\ne\nf\ng\nh\nI');
  const open = modelOf(before, doc);
  const model = { ...open, hunks: open.hunks.map((hunk) => ({ ...hunk, done: true })) };
  const [elsewhere] = edit(model, before, doc, 2, 2, 'new\n');
  assert.deepEqual(elsewhere.hunks.at(-1)?.done, true);
  const [inside] = edit(model, before, doc, 1, 1, 'A');
  assert.deepEqual(
    inside.hunks.map((hunk) => hunk.done),
    [false, true],
  );
  assert.ok(keepDone([...open.hunks], model.hunks, doc, doc).every((hunk) => hunk.done));
});

test('a removal belongs to the line that follows it, and at the end to the last line', () => {
  const before = textOf('a\nb\nc\nd');
  const middle = textOf('a\nc\nd');
  assert.equal(hunkAt(modelOf(before, middle).hunks, 1, middle.lines), 0);
  assert.equal(hunkAt(modelOf(before, middle).hunks, 0, middle.lines), -1);
  const end = textOf('a\nb');
  assert.equal(hunkAt(modelOf(before, end).hunks, 1, end.lines), 0);
});

test('long unchanged parts are folded with three lines left beside each change', () => {
  const before = Text.of(Array.from({ length: 100 }, (_, at) => `line ${at}`));
  const after = before.replace(before.line(51).from, before.line(51).to, Text.of(['changed']));
  const { folds } = modelOf(before, after);
  assert.deepEqual(folds, [
    { from: 0, to: 47 },
    { from: 54, to: 100 },
  ]);
  assert.deepEqual(modelOf(before, before).folds, [], 'a text without changes is shown whole');
});
