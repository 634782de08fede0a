import { useEffect, useRef, useState } from 'preact/hooks';
import type { ReviewText } from '../protocol.ts';
import { type LineNote, type ReviewMode, type ReviewPosition, ReviewView } from '../review/index.ts';
import { languageExtension } from './editor-setup.ts';
import { nameOf, type Store } from './store.ts';

const MODE_KEY = 'tandem-review-mode';

/** One review: what the agent proposes against what the user has, and the buttons that decide. */
export function ReviewPane({ store, id }: { store: Store; id: string }) {
  const [review, setReview] = useState<ReviewText>();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<ReviewView>(undefined);
  const [position, setPosition] = useState<ReviewPosition>({ current: 0, total: 0, done: 0, pending: true });
  const [notes, setNotes] = useState<readonly LineNote[]>([]);
  const [mode, setMode] = useState<ReviewMode>(() =>
    localStorage.getItem(MODE_KEY) === 'inline' ? 'inline' : 'split',
  );
  const connected = store.connection.state.value.kind === 'connected';

  useEffect(() => {
    if (connected) void store.ask('review', { id }).then((answer) => answer && setReview((known) => known ?? answer));
  }, [store, id, connected]);

  useEffect(() => {
    if (!review || !host.current) return;
    let gone = false;
    void languageExtension(review.language).then((language) => {
      if (gone || !host.current) return;
      view.current = new ReviewView({
        parent: host.current,
        before: review.before,
        proposed: review.proposed,
        text: review.text,
        mode,
        ...(language ? { language } : {}),
        createWorker: () => new Worker('/diff-worker.js', { type: 'module' }),
        labels: { before: review.unsaved ? 'Your unsaved text' : 'Now', proposed: `Proposed by ${review.agentName}` },
        onAmend: (text) => void store.ask('amend', { id, text }),
        onPosition: setPosition,
        onNotes: setNotes,
      });
    });
    return () => {
      gone = true;
      view.current?.destroy();
      view.current = undefined;
    };
  }, [review]);

  const amended = store.amended.value;
  useEffect(() => {
    if (amended?.id === id && view.current && amended.text !== view.current.text) view.current.setText(amended.text);
  }, [amended, id]);

  const accept = () => {
    view.current?.flush();
    void store.ask('accept', { id, text: view.current?.text ?? review?.text ?? '' });
  };
  const reject = () => {
    if (review && notes.length > 0) offerPrompt(store, review, notes);
    void store.ask('reject', { id });
  };
  const turn = (next: ReviewMode) => {
    localStorage.setItem(MODE_KEY, next);
    setMode(next);
    view.current?.setMode(next);
  };
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      if (event.key === 'Enter' && !event.shiftKey) accept();
      else if (event.key === 'Backspace' && event.shiftKey) reject();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', listener, true);
    return () => window.removeEventListener('keydown', listener, true);
  });

  if (!review) return <div class="empty">…</div>;
  return (
    <section class="review" aria-label={`Review of ${nameOf(review.path)}`}>
      <div class="pane-head">
        <div class="review-title">
          <h1>{nameOf(review.path)}</h1>
          <span class="hint path" title={review.path}>
            {review.path}
          </span>
          <span class="pill">{review.agentName}</span>
          {remarks(review).map((remark) => (
            <span key={remark} class="pill warn">
              {remark}
            </span>
          ))}
        </div>
        <div class="review-tools">
          <span class="hint" role="status">
            {position.pending ? 'comparing…' : `${position.current || '–'} of ${position.total} changes`}
          </span>
          <button type="button" title="Previous change (Shift+F7)" onClick={() => view.current?.previous()}>
            ↑
          </button>
          <button type="button" title="Next change (F7)" onClick={() => view.current?.next()}>
            ↓
          </button>
          <button
            type="button"
            aria-pressed={mode === 'inline'}
            onClick={() => turn(mode === 'inline' ? 'split' : 'inline')}
          >
            {mode === 'inline' ? 'Side by side' : 'Inline'}
          </button>
          <span class="spacer" />
          <button type="button" class="reject" title="Reject (Ctrl+Shift+Backspace)" onClick={reject}>
            Reject
          </button>
          <button type="button" class="accept" title="Accept (Ctrl+Enter)" onClick={accept}>
            Accept
          </button>
        </div>
      </div>
      {review.note && <div class="note">The present content is not shown: {review.note}</div>}
      <div class="review-host" ref={host} />
    </section>
  );
}

function remarks(review: ReviewText): readonly string[] {
  return [
    review.exists ? '' : 'new file',
    review.unsaved ? 'compared with your unsaved text' : '',
    review.outsideWorkspace ? 'outside the workspace' : '',
  ].filter((remark) => remark !== '');
}

/** No agent's protocol carries notes, so they become a prompt to paste. */
function offerPrompt(store: Store, review: ReviewText, notes: readonly LineNote[]): void {
  const lines = notes.map((note) => `- line ${note.line}: ${note.text}`);
  const prompt = `I rejected your change to ${review.path}. My notes on it:\n${lines.join('\n')}`;
  store.toast('info', 'Your notes are ready as a prompt for the agent.', {
    label: 'Copy prompt',
    run: () => void navigator.clipboard.writeText(prompt),
  });
}
