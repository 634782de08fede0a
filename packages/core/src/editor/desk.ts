import { Signal } from '../signal.ts';
import { type Before, type Decider, type Decision, isAmended, type Review, type WithdrawReason } from './review.ts';

export interface ReviewRequest {
  readonly link: string;
  readonly agent: string;
  readonly path: string;
  readonly proposed: string;
  /** Says why this agent cannot be given `text` as an acceptance; the review then stays open. */
  readonly refuses?: (text: string) => string | undefined;
  /** Whether the agent gets the user's edits even though the review is withdrawn for that reason. */
  readonly takesEdits?: (reason: WithdrawReason) => boolean;
  /** Called exactly once, whoever decides. */
  readonly deliver: (decision: Decision, review: Review) => void;
}

export type Outcome =
  | { readonly ok: true; readonly review: Review }
  | { readonly ok: false; readonly reason: 'unknown' | 'decided' | 'refused'; readonly message: string };

export interface DeskLimits {
  readonly openReviews: number;
  readonly openReviewsPerLink: number;
}

export interface DeskServices {
  /** Reads the left side; the desk itself touches no disk. */
  readonly before: (path: string, proposed: string) => Promise<Before>;
  readonly isOutside: (path: string) => boolean;
}

export class DeskFull extends Error {}

/** How many closed reviews stay known, so that a late command can say what became of one. */
const REMEMBERED = 50;

interface Entry {
  review: Review;
  readonly request: ReviewRequest;
}

/** Where all reviews live. The first decision wins; it is delivered once, to the link that asked. */
export class Desk {
  readonly opened = new Signal<Review>();
  readonly amended = new Signal<Review>();
  readonly decided = new Signal<Review>();
  /** A review was withdrawn with edits of the user that nobody took. They are kept with it for a while. */
  readonly editsLeft = new Signal<Review>();

  readonly #open = new Map<string, Entry>();
  readonly #past = new Map<string, Review>();
  readonly #limits: DeskLimits;
  readonly #services: DeskServices;
  #count = 0;
  #closed = false;

  constructor(limits: DeskLimits, services: DeskServices) {
    this.#limits = limits;
    this.#services = services;
  }

  open(request: ReviewRequest): Review {
    const ofLink = this.reviewsOf(request.link).length;
    if (ofLink >= this.#limits.openReviewsPerLink || this.#open.size >= this.#limits.openReviews) {
      throw new DeskFull(`too many reviews are waiting (${ofLink} from this agent, ${this.#open.size} in all)`);
    }
    this.#count += 1;
    const before = this.#services.before(request.path, request.proposed);
    before.catch(() => {}); // whoever looks at it gets the error
    const review: Review = {
      id: String(this.#count),
      link: request.link,
      agent: request.agent,
      path: request.path,
      proposed: request.proposed,
      text: request.proposed,
      state: 'open',
      openedAt: Date.now(),
      outsideWorkspace: this.#services.isOutside(request.path),
      before,
    };
    if (this.#closed) return this.#turnAway(review, request);
    this.#open.set(review.id, { review, request });
    this.opened.emit(review);
    return review;
  }

  /** The user typed into the proposal. */
  amend(id: string, text: string): Outcome {
    const entry = this.#open.get(id);
    if (!entry) return this.#tooLate(id);
    entry.review = { ...entry.review, text };
    this.amended.emit(entry.review);
    return { ok: true, review: entry.review };
  }

  decide(id: string, decision: Decision, by: Decider): Outcome {
    const entry = this.#open.get(id);
    if (!entry) return this.#tooLate(id);
    if (decision.kind === 'accept') {
      const refusal = entry.request.refuses?.(decision.text);
      if (refusal !== undefined) return { ok: false, reason: 'refused', message: refusal };
    }
    // Off the desk before anybody hears of it: a second voice in the same moment finds it gone.
    this.#open.delete(id);
    const review = settle(entry.review, decision, by);
    this.#remember(review);
    try {
      entry.request.deliver(decision, review);
    } finally {
      this.decided.emit(review);
      if (review.withdrawn && isAmended(review) && !entry.request.takesEdits?.(review.withdrawn))
        this.editsLeft.emit(review);
    }
    return { ok: true, review };
  }

  withdraw(id: string, reason: WithdrawReason): Outcome {
    const by = reason === 'answered in the terminal' ? 'terminal' : 'companion';
    return this.decide(id, { kind: 'withdraw', reason }, by);
  }

  withdrawAll(reason: WithdrawReason, link?: string): number {
    const reviews = link === undefined ? this.reviews : this.reviewsOf(link);
    for (const review of reviews) this.withdraw(review.id, reason);
    return reviews.length;
  }

  /** The companion stops: everything is answered, also what comes in this last moment. */
  close(): void {
    this.#closed = true;
    this.withdrawAll('companion stopped');
  }

  /** Those that wait, oldest first. */
  get reviews(): readonly Review[] {
    return [...this.#open.values()].map((entry) => entry.review);
  }

  reviewsOf(link: string): readonly Review[] {
    return this.reviews.filter((review) => review.link === link);
  }

  find(id: string): Review | undefined {
    return this.#open.get(id)?.review ?? this.#past.get(id);
  }

  #turnAway(review: Review, request: ReviewRequest): Review {
    const decision = { kind: 'withdraw', reason: 'companion stopped' } as const;
    const settled = settle(review, decision, 'companion');
    this.#remember(settled);
    request.deliver(decision, settled);
    return settled;
  }

  #tooLate(id: string): Outcome {
    const closed = this.#past.get(id);
    if (!closed) return { ok: false, reason: 'unknown', message: `there is no review ${id}` };
    return { ok: false, reason: 'decided', message: `review ${id} was already ${describe(closed)}` };
  }

  #remember(review: Review): void {
    this.#past.set(review.id, review);
    const oldest = this.#past.keys().next().value;
    if (this.#past.size > REMEMBERED && oldest !== undefined) this.#past.delete(oldest);
  }
}

function settle(review: Review, decision: Decision, by: Decider): Review {
  switch (decision.kind) {
    case 'accept':
      return { ...review, state: 'accepted', text: decision.text, decidedBy: by };
    case 'reject':
      return { ...review, state: 'rejected', decidedBy: by };
    case 'withdraw':
      return { ...review, state: 'withdrawn', decidedBy: by, withdrawn: decision.reason };
  }
}

function describe(review: Review): string {
  return review.withdrawn ? `withdrawn (${review.withdrawn})` : `${review.state} by the ${review.decidedBy}`;
}
