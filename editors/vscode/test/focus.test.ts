import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activeAfter } from '../src/focus.ts';

test('the document with the caret is the active one', () => {
  assert.equal(activeAfter('/a', [{ focused: true, kind: 'file', path: '/b' }], '/b'), '/b');
});

test('a terminal, a page or a review that takes the focus changes nothing', () => {
  assert.equal(activeAfter('/a', [{ focused: true, kind: 'aside' }], undefined), '/a');
  const beside = [
    { focused: false, kind: 'file', path: '/a' },
    { focused: true, kind: 'aside' },
  ] as const;
  assert.equal(activeAfter('/a', beside, undefined), '/a');
});

test('a document that is still in front of its group stays active', () => {
  const beside = [
    { focused: false, kind: 'file', path: '/a' },
    { focused: true, kind: 'other' },
  ] as const;
  assert.equal(activeAfter('/a', beside, undefined), '/a');
});

test('an image or the settings in its place leave no document active', () => {
  assert.equal(activeAfter('/a', [{ focused: true, kind: 'other' }], undefined), undefined);
  assert.equal(activeAfter('/a', [], undefined), undefined);
});
