import { DeskFull } from '../../editor/desk.ts';
import type { Decision, Review } from '../../editor/review.ts';
import { toLf } from '../../editor/text.ts';
import type { House } from '../../house.ts';
import { failure, type ToolResult, text } from '../tool.ts';

export interface DiffRequest {
  readonly path: string;
  readonly proposed: string;
  readonly tab: string;
  /** The file does not exist yet. */
  readonly isNew: boolean;
}

/** The reviews of one Claude link, by the name of the tab. Each holds a request that waits for its answer. */
export class Diffs {
  readonly #house: House;
  readonly #link: { readonly id: string; readonly agent: { readonly id: string } };
  readonly #waiting = new Map<string, string>();
  /** Paths that the agent writes now, whose diagnostics are about to change. */
  readonly written = new Set<string>();

  constructor(house: House, link: { readonly id: string; readonly agent: { readonly id: string } }) {
    this.#house = house;
    this.#link = link;
  }

  open(request: DiffRequest, signal: AbortSignal): Promise<ToolResult> {
    this.close(request.tab, 'replaced');
    return new Promise((resolve) => {
      let review: Review;
      try {
        review = this.#house.desk.open({
          link: this.#link.id,
          agent: this.#link.agent.id,
          path: request.path,
          proposed: request.proposed,
          deliver: (decision, decided) => {
            if (this.#waiting.get(request.tab) === decided.id) this.#waiting.delete(request.tab);
            if (isWritten(decision)) this.written.add(request.path);
            resolve(answerTo(decision, request));
          },
        });
      } catch (error) {
        if (!(error instanceof DeskFull)) throw error;
        resolve(failure(error.message)); // the terminal's own prompt stays usable
        return;
      }
      if (this.#house.desk.find(review.id)?.state !== 'open') return; // decided while it was shown
      this.#waiting.set(request.tab, review.id);
      signal.addEventListener('abort', () => this.#house.desk.withdraw(review.id, 'taken back'), { once: true });
    });
  }

  /** The view goes and the request is answered; the CLI no longer listens to what. */
  close(tab: string, reason: 'answered in the terminal' | 'replaced' = 'answered in the terminal'): void {
    const review = this.#waiting.get(tab);
    if (review !== undefined) this.#house.desk.withdraw(review, reason);
  }

  closeAll(): number {
    return this.#house.desk.withdrawAll('replaced', this.#link.id);
  }
}

function isWritten(decision: Decision): boolean {
  return decision.kind === 'accept' || (decision.kind === 'withdraw' && decision.reason === 'answered in the terminal');
}

function answerTo(decision: Decision, request: DiffRequest): ToolResult {
  if (decision.kind === 'accept') return text('FILE_SAVED', finalText(decision.text, request));
  if (decision.kind === 'withdraw' && decision.reason === 'companion stopped') {
    return failure('The editor was closed. Answer in the terminal.');
  }
  // Never TAB_CLOSED: the CLI takes that for a yes.
  return text('DIFF_REJECTED', request.tab);
}

/** The CLI compares with LF, and drops one final newline when it writes a file that did not exist. */
function finalText(accepted: string, request: DiffRequest): string {
  const lf = toLf(accepted);
  return request.isNew && lf.endsWith('\n') ? `${lf}\n` : lf;
}
