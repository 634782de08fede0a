import type { ClaudeLink, Decision, Diff } from '@tandem/client';
import type { EditorHost, Notice, Review } from '@tandem/core';
import type { PathMap } from './path-map.ts';

interface Shown {
  review: Review;
  diff: Diff | undefined;
}

/** Our reviews as the source's diffs. Each is shown there until somebody, there or here, decides. */
export class ProxyReviews {
  readonly #link: ClaudeLink;
  readonly #paths: PathMap;
  readonly #tell: (notice: Notice) => void;
  readonly #shown = new Map<string, Shown>();
  #host: EditorHost | undefined;

  constructor(link: ClaudeLink, paths: PathMap, tell: (notice: Notice) => void) {
    this.#link = link;
    this.#paths = paths;
    this.#tell = tell;
  }

  start(host: EditorHost): void {
    this.#host = host;
    // A source that was away has forgotten what it showed.
    this.#link.on('state', (state) => {
      if (state !== 'connected') return;
      for (const shown of this.#shown.values()) if (!shown.diff) this.#open(shown);
    });
  }

  show(review: Review): void {
    const shown: Shown = { review, diff: undefined };
    this.#shown.set(review.id, shown);
    if (this.#link.state === 'connected') this.#open(shown);
  }

  /** The dialect has no way to change a text that is shown, so it is shown anew. */
  update(review: Review): void {
    const shown = this.#shown.get(review.id);
    if (!shown) return;
    shown.review = review;
    const old = shown.diff;
    shown.diff = undefined;
    const again = () => this.#shown.get(review.id) === shown && this.#open(shown);
    if (old) old.close().then(again, again);
    else if (this.#link.state === 'connected') again();
  }

  close(review: Review): void {
    const shown = this.#shown.get(review.id);
    this.#shown.delete(review.id);
    shown?.diff?.close().catch(() => {}); // it may be gone itself
  }

  #open(shown: Shown): void {
    const { review } = shown;
    const diff = this.#link.openDiff(this.#paths.toRemote(review.path), review.text);
    shown.diff = diff;
    void diff.decision.then((decision) => {
      // A text that was changed meanwhile has another diff by now.
      if (this.#shown.get(review.id) !== shown || shown.diff !== diff) return;
      shown.diff = undefined;
      this.#decide(shown, decision);
    });
  }

  #decide(shown: Shown, decision: Decision): void {
    const { id, path } = shown.review;
    if (decision.kind === 'closed') return;
    if (decision.kind === 'lost') {
      if (this.#link.state !== 'connected') return; // it is shown again when the source is back
      const message = `${path} could not be shown (${decision.why}). Decide with: tandem review accept ${id}, or reject`;
      this.#tell({ level: 'warning', message, review: shown.review });
      return;
    }
    const outcome = this.#host?.decide(
      id,
      decision.kind === 'accepted' ? { kind: 'accept', text: decision.text } : { kind: 'reject' },
    );
    if (outcome?.ok !== false || outcome.reason !== 'refused') return;
    this.#tell({ level: 'warning', message: outcome.message, review: shown.review });
    this.#open(shown); // nothing is decided, so it is shown again
  }
}
