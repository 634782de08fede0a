import { DeskFull } from '../../editor/desk.ts';
import type { Decision, Review, WithdrawReason } from '../../editor/review.ts';
import { toLf } from '../../editor/text.ts';
import type { House } from '../../house.ts';
import type { Notifications } from './schema.ts';

export interface DiffOwner {
  readonly id: string;
  readonly agentId: string;
  readonly agentName: string;
  /** Whether the agent uses the user's edits when the terminal says yes. */
  readonly takesEditsFromTerminal: boolean;
  notify<M extends 'ide/diffAccepted' | 'ide/diffRejected'>(method: M, params: Notifications[M]): void;
}

const MAX_DECIDED = 256;

/** The reviews of one link, by the exact path the agent named. */
export class Diffs {
  readonly #house: House;
  readonly #owner: DiffOwner;
  readonly #open = new Map<string, string>();
  /** Paths the terminal has answered already while the agent still waits for its one-diff lock (GEM-14). */
  readonly #answered = new Set<string>();
  /** Paths decided elsewhere, whose closeDiff may still be on its way: it means nothing any more. */
  readonly #decided = new Set<string>();
  #quietly = false;

  constructor(house: House, owner: DiffOwner) {
    this.#house = house;
    this.#owner = owner;
  }

  /** Never throws: an agent that hears of a failure here cannot write the file any more (GEM-11). */
  open(path: string, proposed: string): void {
    if (this.#answered.delete(path)) {
      this.#rejectSoon(path); // neutral: the terminal's answer stands, and the lock is free again
      return;
    }
    this.#decided.delete(path);
    const previous = this.#open.get(path);
    if (previous !== undefined) this.#house.desk.withdraw(previous, 'replaced');
    const request = {
      link: this.#owner.id,
      agent: this.#owner.agentId,
      path,
      proposed,
      refuses: (text: string) => (text === '' ? this.#noEmptyText() : undefined),
      takesEdits: (reason: WithdrawReason) =>
        this.#owner.takesEditsFromTerminal && reason === 'answered in the terminal',
      deliver: (decision: Decision, review: Review) => this.#deliver(decision, review),
    };
    try {
      const { id } = this.#house.desk.open(request);
      // Somebody may have decided while it was shown.
      if (this.#house.desk.find(id)?.state === 'open') this.#open.set(path, id);
    } catch (error) {
      if (!(error instanceof DeskFull)) throw error;
      this.#house.editor.tell({ level: 'warning', message: `${this.#owner.agentName}: ${error.message}` });
      this.#rejectSoon(path);
    }
  }

  /** The text the diff held, or `undefined` if there is none. */
  close(path: string, quietly: boolean): string | undefined {
    const id = this.#open.get(path);
    if (id === undefined) {
      const late = this.#decided.delete(path);
      if (!late && this.#open.size > 0) this.#heal(path);
      return undefined;
    }
    const review = this.#house.desk.find(id);
    this.#quietly = quietly;
    this.#house.desk.withdraw(id, 'answered in the terminal');
    this.#quietly = false;
    return review && this.#answerText(review.text, review);
  }

  /**
   * A close for a path that was never opened: the agent was interrupted with a diff open and still holds its lock.
   * Answering the orphans frees it; it then opens the diff that the terminal has answered already.
   */
  #heal(path: string): void {
    this.#answered.add(path);
    for (const id of [...this.#open.values()]) this.#house.desk.withdraw(id, 'orphaned');
  }

  #deliver(decision: Decision, review: Review): void {
    if (this.#open.get(review.path) === review.id) this.#open.delete(review.path);
    if (decision.kind !== 'withdraw') this.#remember(review.path);
    if (decision.kind === 'accept') {
      const content = this.#answerText(decision.text, review);
      this.#owner.notify('ide/diffAccepted', { filePath: review.path, content });
    } else if (decision.kind === 'reject' || this.#tells(decision.reason)) {
      this.#owner.notify('ide/diffRejected', { filePath: review.path });
    }
  }

  #tells(reason: WithdrawReason): boolean {
    switch (reason) {
      case 'answered in the terminal':
        return !this.#quietly;
      case 'orphaned':
      case 'companion stopped': // else Gemini's own prompt is dead until Ctrl-C
        return true;
      case 'replaced':
      case 'taken back':
      case 'agent gone':
        return false;
    }
  }

  /** The agent wrote LF and restores the file's own endings; it must get LF back. */
  #answerText(text: string, review: Review): string {
    return review.proposed.includes('\r\n') ? text : toLf(text);
  }

  #remember(path: string): void {
    this.#decided.add(path);
    const oldest = this.#decided.values().next().value;
    if (this.#decided.size > MAX_DECIDED && oldest !== undefined) this.#decided.delete(oldest);
  }

  #rejectSoon(path: string): void {
    this.#remember(path);
    setImmediate(() => this.#owner.notify('ide/diffRejected', { filePath: path })); // after the answer to openDiff
  }

  #noEmptyText(): string {
    return `${this.#owner.agentName} cannot be given an empty file: it would write its own proposal. Reject instead, or leave at least one character.`;
  }
}
