import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Decision, Desk, DeskFull, type ReviewRequest } from '../src/index.ts';

function createDesk(openReviews = 100, openReviewsPerLink = 100) {
  const desk = new Desk(
    { openReviews, openReviewsPerLink },
    { before: async () => ({ text: '', exists: true, unsaved: false, lineEnding: 'lf' }), isOutside: () => false },
  );
  const delivered: { link: string; decision: Decision }[] = [];
  const open = (link: string, path = '/a', rest: Partial<ReviewRequest> = {}) =>
    desk.open({
      link,
      agent: 'x',
      path,
      proposed: 'p',
      deliver: (decision) => delivered.push({ link, decision }),
      ...rest,
    });
  return { desk, delivered, open };
}

test('the first decision wins and is delivered once, whoever comes next', () => {
  const { desk, delivered, open } = createDesk();
  const { id } = open('one');
  assert.ok(desk.decide(id, { kind: 'accept', text: 'p' }, 'editor').ok);
  for (const by of ['terminal', 'command line', 'companion'] as const) {
    const late = desk.decide(id, { kind: 'reject' }, by);
    assert.ok(!late.ok && late.reason === 'decided');
    assert.match(late.message, /already accepted by the editor/);
  }
  assert.deepEqual(delivered, [{ link: 'one', decision: { kind: 'accept', text: 'p' } }]);
});

test('a listener that decides again in the same moment finds it decided', () => {
  const { desk, delivered, open } = createDesk();
  const { id } = open('one', '/a', {
    deliver: (decision) => {
      delivered.push({ link: 'one', decision });
      assert.ok(!desk.decide(id, { kind: 'reject' }, 'terminal').ok);
    },
  });
  desk.decided.on(() => assert.ok(!desk.decide(id, { kind: 'reject' }, 'command line').ok));
  desk.decide(id, { kind: 'accept', text: 'x' }, 'editor');
  assert.equal(delivered.length, 1);
});

test('[ALL-7] the same path under review by two links: each decision reaches its own', () => {
  const { desk, delivered, open } = createDesk();
  const [a, b] = [open('one'), open('two')];
  desk.decide(b.id, { kind: 'reject' }, 'editor');
  desk.decide(a.id, { kind: 'accept', text: 'mine' }, 'editor');
  assert.deepEqual(delivered, [
    { link: 'two', decision: { kind: 'reject' } },
    { link: 'one', decision: { kind: 'accept', text: 'mine' } },
  ]);
});

test('amending keeps the proposal and changes the text', () => {
  const { desk, open } = createDesk();
  const { id } = open('one');
  const seen: string[] = [];
  desk.amended.on((review) => seen.push(review.text));
  assert.ok(desk.amend(id, 'mine').ok);
  assert.equal(desk.find(id)?.proposed, 'p');
  assert.deepEqual(seen, ['mine']);
  desk.decide(id, { kind: 'reject' }, 'editor');
  assert.ok(!desk.amend(id, 'late').ok);
});

test('[ALL-11] a bounded number may be open; past it the asker gets an error and the others go on', () => {
  const { desk, open } = createDesk(3, 2);
  open('one', '/a');
  open('one', '/b');
  assert.throws(() => open('one', '/c'), DeskFull);
  const other = open('two', '/a');
  assert.throws(() => open('three', '/a'), DeskFull);
  assert.ok(desk.decide(other.id, { kind: 'reject' }, 'editor').ok);
  open('three', '/a');
});

test('withdrawing by link leaves the others', () => {
  const { desk, delivered, open } = createDesk();
  open('one', '/a');
  open('two', '/a');
  assert.equal(desk.withdrawAll('agent gone', 'one'), 1);
  assert.deepEqual(
    desk.reviews.map((review) => review.link),
    ['two'],
  );
  assert.deepEqual(delivered, [{ link: 'one', decision: { kind: 'withdraw', reason: 'agent gone' } }]);
});

test('a refused text leaves the review open', () => {
  const { desk, delivered, open } = createDesk();
  const { id } = open('one', '/a', { refuses: (text) => (text === '' ? 'empty' : undefined) });
  const refused = desk.decide(id, { kind: 'accept', text: '' }, 'editor');
  assert.ok(!refused.ok && refused.message === 'empty');
  assert.ok(desk.decide(id, { kind: 'accept', text: 'x' }, 'editor').ok);
  assert.equal(delivered.length, 1);
});

test('closed reviews are remembered for a while, and only for a while', () => {
  const { desk, open } = createDesk(1000, 1000);
  const first = open('one');
  desk.decide(first.id, { kind: 'reject' }, 'editor');
  assert.equal(desk.find(first.id)?.state, 'rejected');
  for (let i = 0; i < 60; i += 1) desk.decide(open('one').id, { kind: 'reject' }, 'editor');
  assert.equal(desk.find(first.id), undefined);
  const unknown = desk.decide(first.id, { kind: 'reject' }, 'editor');
  assert.ok(!unknown.ok && unknown.reason === 'unknown');
});
