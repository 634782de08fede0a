import type { LineEnding } from './text.ts';

export type ReviewState = 'open' | 'accepted' | 'rejected' | 'withdrawn';

/** Who spoke first. */
export type Decider = 'editor' | 'command line' | 'terminal' | 'companion';

export type WithdrawReason =
  /** The person answered the agent's own prompt. */
  | 'answered in the terminal'
  /** The agent proposes another text for the same file, or began a new turn. */
  | 'replaced'
  /** The agent cancelled its request. */
  | 'taken back'
  | 'agent gone'
  | 'companion stopped'
  /** The agent no longer waits for it (see GEM-14). */
  | 'orphaned';

export type Decision =
  | { readonly kind: 'accept'; readonly text: string }
  | { readonly kind: 'reject' }
  | { readonly kind: 'withdraw'; readonly reason: WithdrawReason };

/** The left side of a review: what the person has now. */
export interface Before {
  readonly text: string;
  readonly exists: boolean;
  /** It is the unsaved text of a buffer, not what is on disk. */
  readonly unsaved: boolean;
  readonly lineEnding: LineEnding;
  /** Why there is no text to show, for example a binary file. */
  readonly note?: string;
}

/** A proposed new text for one file, waiting for a decision. */
export interface Review {
  readonly id: string;
  readonly link: string;
  /** The dialect's id, such as `claude`. */
  readonly agent: string;
  /** Exactly as the agent spelled it: it must come back byte for byte. */
  readonly path: string;
  readonly proposed: string;
  /** The proposal with the user's own edits. */
  readonly text: string;
  readonly state: ReviewState;
  readonly openedAt: number;
  readonly outsideWorkspace: boolean;
  readonly before: Promise<Before>;
  readonly decidedBy?: Decider;
  readonly withdrawn?: WithdrawReason;
}

export function isAmended(review: Review): boolean {
  return review.text !== review.proposed;
}
