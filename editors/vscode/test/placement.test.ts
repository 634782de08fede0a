import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Group, placeReview } from '../src/reviews/placement.ts';

const group = (column: number, more: Partial<Group> = {}): Group => ({
  column,
  active: false,
  empty: false,
  showsReview: false,
  hasReviews: false,
  ...more,
});

test('beside opens a second group next to the only one, and uses the one that is there', () => {
  assert.deepEqual(placeReview('beside', [group(1, { active: true })], true), {
    kind: 'tab',
    column: 'beside',
    background: false,
  });
  assert.deepEqual(placeReview('beside', [group(1, { active: true }), group(2)], true), {
    kind: 'tab',
    column: 2,
    background: false,
  });
  // Not a third one when the user is in the last.
  assert.deepEqual(placeReview('beside', [group(1), group(2, { active: true })], true), {
    kind: 'tab',
    column: 1,
    background: false,
  });
});

test('an empty window needs no second group', () => {
  const empty = group(1, { active: true, empty: true });
  for (const setting of ['beside', 'activeGroup'] as const) {
    assert.deepEqual(placeReview(setting, [empty], true), { kind: 'tab', column: 1, background: false });
  }
});

test('a review that is being read is not covered by the next one', () => {
  const groups = [group(1), group(2, { active: true, showsReview: true, hasReviews: true })];
  for (const setting of ['beside', 'activeGroup'] as const) {
    assert.deepEqual(placeReview(setting, groups, false), { kind: 'tab', column: 2, background: true });
  }
});

test('reviews gather in the group that has some, unless the user works there', () => {
  const groups = [group(1, { active: true }), group(2), group(3, { hasReviews: true })];
  assert.deepEqual(placeReview('beside', groups, true), { kind: 'tab', column: 3, background: false });
  const inThere = [group(1), group(2, { active: true, hasReviews: true })];
  assert.deepEqual(placeReview('beside', inThere, true), { kind: 'tab', column: 1, background: false });
});

test('the active group shows it only while the user is elsewhere', () => {
  const groups = [group(1, { active: true })];
  assert.deepEqual(placeReview('activeGroup', groups, true), { kind: 'tab', column: 1, background: true });
  assert.deepEqual(placeReview('activeGroup', groups, false), { kind: 'tab', column: 1, background: false });
});

test('the list opens nothing', () => {
  assert.deepEqual(placeReview('list', [group(1, { active: true })], false), { kind: 'list' });
});
