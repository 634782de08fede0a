// Runs in the browser: a page with nothing but the review view, and a handle for the test.
import { javascript } from '@codemirror/lang-javascript';
import { ReviewView } from '../../../packages/ui/src/review/index.ts';

const nonce = document.currentScript?.nonce ?? document.querySelector('script[nonce]')?.nonce;
const longTasks = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) longTasks.push(Math.round(entry.duration));
}).observe({ type: 'longtask', buffered: true });

const violations = [];
document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));

window.review = {
  violations,
  longTasks,
  /** Opens a review in place of the one before; the time runs until a finished comparison has been painted. */
  open({ before, proposed, text = proposed, mode = 'split', readOnly = false, plain = false, worker = true }) {
    this.view?.destroy();
    const parent = document.querySelector('main');
    parent.replaceChildren();
    const amended = [];
    const positions = [];
    const notes = [];
    const modes = [];
    longTasks.length = 0;
    const started = performance.now();
    let shown;
    const ready = new Promise((resolve) => {
      shown = () => requestAnimationFrame(() => setTimeout(() => resolve(Math.round(performance.now() - started))));
    });
    Object.assign(this, { amended, positions, notes, modes, ready });
    this.view = new ReviewView({
      parent,
      before,
      proposed,
      text,
      mode,
      readOnly,
      nonce,
      ...(plain ? {} : { language: javascript({ typescript: true }) }),
      ...(worker ? { createWorker: () => new Worker('/diff-worker.js') } : {}),
      labels: { before: 'On disk', proposed: 'Proposed by Claude Code' },
      onAmend: (amendedText) => amended.push(amendedText),
      onPosition: (position) => {
        positions.push(position);
        if (!position.pending) shown();
      },
      onNotes: (list) => notes.push(list),
      onMode: (shownMode) => modes.push(shownMode),
    });
    return ready;
  },
  position() {
    return this.positions.at(-1);
  },
};
