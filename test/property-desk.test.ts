import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Decider, Decision, WithdrawReason } from '../packages/core/src/editor/review.ts';
import { Desk, DeskFull, type Outcome, type Review } from '../packages/core/src/index.ts';

const LIMITS = { openReviews: 6, openReviewsPerLink: 3 };
/** How many closed reviews the desk remembers. */
const REMEMBERED = 50;
const LINKS = ['claude-1', 'gemini-1', 'gemini-2'];
const PATHS = ['/ws/a', '/ws/b'];

/** What the desk must think of one review. */
interface Expected {
  readonly id: string;
  readonly link: string;
  text: string;
  decision?: Decision;
  by?: Decider;
}

interface Model {
  readonly all: Expected[];
  /** Ids in the order of their decisions: the desk forgets the oldest. */
  readonly closed: string[];
}

interface Delivery {
  readonly link: string;
  readonly decision: Decision;
  readonly review: Review;
}

/** The real desk, with everything that leaves it written down. */
class Real {
  readonly delivered = new Map<string, Delivery[]>();
  readonly announced = { opened: [] as string[], decided: [] as string[] };
  readonly desk: Desk;

  constructor() {
    this.desk = new Desk(LIMITS, {
      before: async () => ({ text: '', exists: false, unsaved: false, lineEnding: 'lf' }),
      isOutside: (path) => !path.startsWith('/ws/'),
    });
    this.desk.opened.on((review) => this.announced.opened.push(review.id));
    this.desk.decided.on((review) => {
      this.announced.decided.push(review.id);
      this.#secondVoice(review.id);
    });
  }

  open(link: string, path: string, proposed: string, refusesEmpty: boolean): Review {
    const review = this.desk.open({
      link,
      agent: link.split('-')[0] ?? '',
      path,
      proposed,
      ...(refusesEmpty ? { refuses: (text: string) => (text === '' ? 'not empty' : undefined) } : {}),
      deliver: (decision, decided) => {
        const list = this.delivered.get(decided.id) ?? [];
        list.push({ link, decision, review: decided });
        this.delivered.set(decided.id, list);
        this.#secondVoice(decided.id);
      },
    });
    return review;
  }

  /** In the very moment of a decision another voice speaks up, as an editor that closes its tab does. */
  #secondVoice(id: string): void {
    const late = this.desk.decide(id, { kind: 'reject' }, 'editor');
    assert.deepEqual([late.ok, !late.ok && late.reason], [false, 'decided']);
  }
}

type Step = fc.Command<Model, Real>;

/** What must hold after every step. */
function agree(model: Model, real: Real): void {
  const open = model.all.filter((each) => !each.decision);
  assert.deepEqual(
    real.desk.reviews.map(({ id, link, text, state }) => ({ id, link, text, state })),
    open.map(({ id, link, text }) => ({ id, link, text, state: 'open' })),
  );
  for (const link of LINKS) {
    assert.deepEqual(
      real.desk.reviewsOf(link).map((review) => review.id),
      open.filter((each) => each.link === link).map((each) => each.id),
    );
  }
  for (const each of model.all) {
    const deliveries = real.delivered.get(each.id) ?? [];
    assert.equal(deliveries.length, each.decision ? 1 : 0, `review ${each.id} is delivered once, when it is decided`);
    if (!each.decision) continue;
    assert.equal(deliveries[0]?.link, each.link);
    assert.deepEqual(deliveries[0]?.decision, each.decision);
    assert.equal(deliveries[0]?.review.decidedBy, each.by);
  }
  assert.deepEqual(real.announced.decided, model.closed);
  assert.deepEqual(
    real.announced.opened,
    model.all.map((each) => each.id),
  );
}

function close(model: Model, expected: Expected, decision: Decision, by: Decider): void {
  expected.decision = decision;
  expected.by = by;
  model.closed.push(expected.id);
}

/** Why a second voice comes too late. */
function lateness(model: Model, id: string): 'decided' | 'unknown' {
  return model.closed.slice(-REMEMBERED).includes(id) ? 'decided' : 'unknown';
}

function expectLate(model: Model, id: string, outcome: Outcome): void {
  assert.ok(!outcome.ok);
  assert.equal(outcome.reason, lateness(model, id));
  assert.ok(outcome.message.includes(id));
}

class Open implements Step {
  readonly link: string;
  readonly path: string;
  readonly proposed: string;
  readonly refusesEmpty: boolean;
  constructor(link: string, path: string, proposed: string, refusesEmpty: boolean) {
    this.link = link;
    this.path = path;
    this.proposed = proposed;
    this.refusesEmpty = refusesEmpty;
  }
  check = () => true;
  run(model: Model, real: Real): void {
    const open = model.all.filter((each) => !each.decision);
    const full =
      open.length >= LIMITS.openReviews ||
      open.filter((each) => each.link === this.link).length >= LIMITS.openReviewsPerLink;
    if (full) assert.throws(() => real.open(this.link, this.path, this.proposed, this.refusesEmpty), DeskFull);
    else {
      const { id } = real.open(this.link, this.path, this.proposed, this.refusesEmpty);
      assert.ok(!model.all.some((each) => each.id === id), 'an id is never used twice');
      model.all.push({ id, link: this.link, text: this.proposed });
    }
    agree(model, real);
  }
  toString = () => `open(${this.link}, ${this.path}, ${JSON.stringify(this.proposed)})`;
}

class Amend implements Step {
  readonly pick: number;
  readonly text: string;
  constructor(pick: number, text: string) {
    this.pick = pick;
    this.text = text;
  }
  check = (model: Readonly<Model>) => model.all.length > 0;
  run(model: Model, real: Real): void {
    const expected = model.all[this.pick % model.all.length] as Expected;
    const outcome = real.desk.amend(expected.id, this.text);
    if (expected.decision) expectLate(model, expected.id, outcome);
    else {
      assert.ok(outcome.ok);
      expected.text = this.text;
    }
    agree(model, real);
  }
  toString = () => `amend(${this.pick}, ${JSON.stringify(this.text)})`;
}

/** Several voices about the same review in the same moment: the first one counts. */
class Decide implements Step {
  readonly pick: number;
  readonly voices: readonly (readonly [Decision, Decider])[];
  constructor(pick: number, voices: readonly (readonly [Decision, Decider])[]) {
    this.pick = pick;
    this.voices = voices;
  }
  check = (model: Readonly<Model>) => model.all.length > 0;
  run(model: Model, real: Real): void {
    const expected = model.all[this.pick % model.all.length] as Expected;
    for (const [decision, by] of this.voices) {
      const outcome = real.desk.decide(expected.id, decision, by);
      if (expected.decision) expectLate(model, expected.id, outcome);
      else if (!outcome.ok) {
        // An agent that cannot be given an empty text: the review stays open.
        assert.equal(outcome.reason, 'refused');
        assert.ok(decision.kind === 'accept' && decision.text === '');
      } else {
        if (decision.kind === 'accept') assert.equal(outcome.review.text, decision.text);
        close(model, expected, decision, by);
      }
    }
    agree(model, real);
  }
  toString = () => `decide(${this.pick}, ${JSON.stringify(this.voices)})`;
}

/** A link is gone, or with none named, the companion stops. */
class Leave implements Step {
  readonly link: string | undefined;
  constructor(link: string | undefined) {
    this.link = link;
  }
  check = () => true;
  run(model: Model, real: Real): void {
    const reason: WithdrawReason = this.link === undefined ? 'companion stopped' : 'agent gone';
    const gone = model.all.filter((each) => !each.decision && (this.link === undefined || each.link === this.link));
    assert.equal(real.desk.withdrawAll(reason, this.link), gone.length);
    for (const expected of gone) close(model, expected, { kind: 'withdraw', reason }, 'companion');
    agree(model, real);
  }
  toString = () => `leave(${this.link ?? 'all'})`;
}

class Unknown implements Step {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
  check = (model: Readonly<Model>) => !model.all.some((each) => each.id === this.id);
  run(model: Model, real: Real): void {
    for (const outcome of [
      real.desk.amend(this.id, 'x'),
      real.desk.decide(this.id, { kind: 'reject' }, 'command line'),
      real.desk.withdraw(this.id, 'taken back'),
    ]) {
      assert.ok(!outcome.ok && outcome.reason === 'unknown');
    }
    assert.equal(real.desk.find(this.id), undefined);
    agree(model, real);
  }
  toString = () => `unknown(${JSON.stringify(this.id)})`;
}

const decider = fc.constantFrom<Decider>('editor', 'command line', 'companion', 'terminal');
const text = fc.constantFrom('', 'x', 'two\nlines\n', '\ufeffbom\r\n', '__proto__');
const decision: fc.Arbitrary<Decision> = fc.oneof(
  text.map((accepted) => ({ kind: 'accept', text: accepted }) as const),
  fc.constant({ kind: 'reject' } as const),
  fc
    .constantFrom<WithdrawReason>('answered in the terminal', 'replaced', 'taken back', 'orphaned')
    .map((reason) => ({ kind: 'withdraw', reason }) as const),
);
const pick = fc.nat({ max: 200 });
const open = fc
  .tuple(fc.constantFrom(...LINKS), fc.constantFrom(...PATHS), text, fc.boolean())
  .map(([link, path, proposed, refuses]) => new Open(link, path, proposed, refuses));
const steps = [
  open,
  open,
  open,
  fc.tuple(pick, text).map(([which, amended]) => new Amend(which, amended)),
  fc
    .tuple(pick, fc.array(fc.tuple(decision, decider), { minLength: 1, maxLength: 4 }))
    .map(([which, voices]) => new Decide(which, voices)),
  fc.constantFrom(...LINKS, undefined).map((link) => new Leave(link)),
  fc.oneof(fc.constantFrom('', '0', '__proto__', 'constructor'), fc.string()).map((id) => new Unknown(id)),
];

test('[ALL-7] [ALL-8] whatever order people and agents act in, each decision is delivered once, to its own link', () => {
  fc.assert(
    fc.property(fc.commands(steps, { size: 'max', maxCommands: 400 }), (commands) => {
      fc.modelRun(() => ({ model: { all: [], closed: [] }, real: new Real() }), commands);
    }),
    { numRuns: 400 },
  );
});

test('[ALL-7] the first of many voices wins, also when every one of them comes from inside another', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(decision, decider), { minLength: 1, maxLength: 8 }), text, (voices, proposed) => {
      const real = new Real();
      const rest = [...voices];
      const outcomes: Outcome[] = [];
      const speak = () => {
        const next = rest.shift();
        if (next) outcomes.push(real.desk.decide('1', next[0], next[1]));
      };
      real.desk.opened.on(speak); // the first speaks before `open` has even returned
      real.desk.decided.on(speak);
      real.open('gemini-1', '/ws/a', proposed, false);
      const deliveries = real.delivered.get('1') ?? [];
      assert.equal(deliveries.length, 1);
      assert.deepEqual(deliveries[0]?.decision, voices[0]?.[0]);
      assert.equal(outcomes.filter((outcome) => outcome.ok).length, 1);
    }),
  );
});

test('a delivery that throws is still a decision: the review is over for everybody, and is not delivered again', () => {
  const real = new Real();
  let calls = 0;
  real.desk.open({
    link: 'claude-1',
    agent: 'claude',
    path: '/ws/a',
    proposed: 'x',
    deliver: () => {
      calls += 1;
      throw new Error('the wire is gone');
    },
  });
  assert.throws(() => real.desk.decide('1', { kind: 'reject' }, 'editor'), /wire/);
  assert.deepEqual(real.announced.decided, ['1']);
  assert.deepEqual(real.desk.reviews, []);
  assert.equal(real.desk.decide('1', { kind: 'accept', text: 'x' }, 'command line').ok, false);
  assert.equal(calls, 1);
});
