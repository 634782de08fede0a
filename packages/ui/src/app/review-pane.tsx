import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { heard, t } from '../l10n/t.ts';
import { languageExtension } from '../languages.ts';
import { nameOf, wayTo } from '../paths.ts';
import type { ReviewText } from '../protocol.ts';
import { type LineNote, notesPrompt, type ReviewMode, type ReviewPosition, ReviewView } from '../review/index.ts';
import { Icon } from './icons.tsx';
import { keepNotes, keepText, keptNotes, takeText } from './review-kept.ts';
import type { NotesLeft } from './reviews.ts';
import { STYLE_NONCE } from './settings.ts';
import type { Store } from './store.ts';

const MODE_KEY = 'tandem-review-mode';
/** A key that was meant for the review before this one must not decide it. */
const CALM_MS = 250;

/** One review: what the agent proposes against what the user has, and the buttons that decide. */
export function ReviewPane({ store, id }: { store: Store; id: string }) {
  const [review, setReview] = useState<ReviewText>();
  const host = useRef<HTMLDivElement>(null);
  const section = useRef<HTMLElement>(null);
  const view = useRef<ReviewView>(undefined);
  /** What this window sent and will hear of again. */
  const sent = useRef<string[]>([]);
  const [made, setMade] = useState<ReviewView>();
  const [ready, setReady] = useState(false);
  const [position, setPosition] = useState<ReviewPosition>({ current: 0, total: 0, done: 0, pending: true });
  const [notes, setNotes] = useState<readonly LineNote[]>([]);
  const [shown, setShown] = useState<ReviewMode>('split');
  const [mode, setMode] = useState<ReviewMode>(() =>
    localStorage.getItem(MODE_KEY) === 'inline' ? 'inline' : 'split',
  );
  const { connected } = store.connection;

  useEffect(() => {
    if (!connected || review) return;
    const load = store.connection.ask('review', { id });
    load.then(setReview, () => store.showDocument());
  }, [store, id, connected, review]);

  useEffect(() => {
    if (!review || !host.current) return;
    let gone = false;
    let calm: ReturnType<typeof setTimeout> | undefined;
    const typed = takeText(review);
    const amend = (text: string) => {
      sent.current.push(text);
      void store.ask('amend', { id, text });
    };
    const leave = () => {
      view.current?.flush();
      if (view.current && sent.current.length > 0) keepText(review, view.current.text);
    };
    window.addEventListener('pagehide', leave);
    void languageExtension(review.language).then((language) => {
      if (gone || !host.current) return;
      const fresh = new ReviewView({
        parent: host.current,
        before: review.before,
        proposed: review.proposed,
        text: typed ?? review.text,
        mode,
        nonce: STYLE_NONCE,
        ...(language ? { language } : {}),
        createWorker: () => new Worker('/diff-worker.js', { type: 'module' }),
        labels: {
          before: review.unsaved ? t('Your unsaved text') : t('Now'),
          proposed: t('Proposed by {0}', review.agentName),
        },
        onAmend: amend,
        onPosition: setPosition,
        onNotes: (list) => {
          setNotes(list);
          keepNotes(review, list);
        },
        onMode: setShown,
      });
      view.current = fresh;
      if (typed !== undefined && typed !== review.text) amend(typed);
      const kept = keptNotes(review);
      if (kept.length > 0) fresh.setNotes(kept);
      setNotes(kept);
      setMade(fresh);
      calm = setTimeout(() => setReady(true), CALM_MS);
    });
    return () => {
      gone = true;
      clearTimeout(calm);
      window.removeEventListener('pagehide', leave);
      setReady(false);
      view.current?.destroy();
      view.current = undefined;
    };
  }, [review]);

  // The keyboard is taken only when the user asked for this review.
  const wanted = store.reviews.wanted.value === id;
  useEffect(() => {
    if (!wanted || !made) return;
    store.reviews.wanted.value = undefined;
    made.focus();
  }, [wanted, made]);

  const amended = store.reviews.amended.value;
  useEffect(() => {
    if (amended?.id !== id) return;
    if (sent.current[0] === amended.text) return void sent.current.shift();
    if (view.current && amended.text !== view.current.text) view.current.setText(amended.text);
  }, [amended, id]);

  const notesLeft = (how: 'accepted' | 'rejected' | 'ended'): NotesLeft => {
    if (!review || notes.length === 0) return {};
    const { path, before, chat } = review;
    const prompt = notesPrompt({ path, how, before, proposed: view.current?.text ?? review.text }, notes);
    return { prompt, ...(chat === undefined ? {} : { chat }) };
  };
  useLayoutEffect(() => {
    // By its path, too: a workbench that was restarted counts anew.
    if (notes.length > 0) store.reviews.noted.set(id, (path) => (path === review?.path ? notesLeft('ended') : {}));
    else store.reviews.noted.delete(id);
  });

  const settle = async (how: 'accepted' | 'rejected', ask: () => Promise<unknown>) => {
    const left = notesLeft(how);
    const done = await ask();
    if (!done || !review || left.prompt === undefined) return;
    const { path, agentName } = review;
    store.main.value = { kind: 'closed', closed: { path, agentName, how, ...left } };
  };
  const accept = () => {
    if (!ready || !view.current) return;
    view.current.flush();
    const { text } = view.current;
    void settle('accepted', () => store.ask('accept', { id, text }));
  };
  const reject = () => {
    if (ready) void settle('rejected', () => store.ask('reject', { id }));
  };
  const turn = (next: ReviewMode) => {
    localStorage.setItem(MODE_KEY, next);
    setMode(next);
    view.current?.setMode(next);
  };
  // Before the paint: a key works as soon as its button does.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => {
      const decision = decisionOf(event, section.current);
      if (!decision) return;
      event.preventDefault();
      event.stopPropagation();
      if (decision === 'accept') accept();
      else reject();
    };
    window.addEventListener('keydown', listener, true);
    return () => window.removeEventListener('keydown', listener, true);
  });

  if (!review) return <p class="empty">…</p>;
  const tooNarrow = mode === 'split' && shown === 'inline';
  return (
    <section class="review" aria-label={t('Review of {0}', nameOf(review.path))} ref={section}>
      <div class="pane-head">
        <div class="review-title">
          <h1>{nameOf(review.path)}</h1>
          <span class="pill">{review.agentName}</span>
          {remarks(review).map((remark) => (
            <span key={remark} class="pill warn">
              {remark}
            </span>
          ))}
          <span class="hint path" title={review.path}>
            {wayTo(store.shell.value.folders, review.path)}
          </span>
        </div>
        <div class="review-tools">
          <span class="hint count" role="status">
            {position.pending ? t('comparing…') : t('{0} of {1} changes', position.current || '–', position.total)}
          </span>
          <button
            type="button"
            class="icon-button"
            aria-label={t('Previous change')}
            title={t('Previous change (Shift+F7)')}
            onClick={() => view.current?.previous()}
          >
            <Icon name="up" />
          </button>
          <button
            type="button"
            class="icon-button"
            aria-label={t('Next change')}
            title={t('Next change (F7)')}
            onClick={() => view.current?.next()}
          >
            <Icon name="down" />
          </button>
          {!tooNarrow && (
            <button type="button" onClick={() => turn(mode === 'inline' ? 'split' : 'inline')}>
              {mode === 'inline' ? t('Side by side') : t('Inline')}
            </button>
          )}
          <button type="button" title={t('Note on this line (Ctrl+Alt+M)')} onClick={() => view.current?.addNote()}>
            {t('Note')}
            {notes.length > 0 ? ` (${notes.length})` : ''}
          </button>
          <span class="spacer" />
          <button type="button" title={t('Leaves it waiting (Alt+0)')} onClick={() => store.showDocument()}>
            {t('Later')}
          </button>
          <button
            type="button"
            class="reject"
            disabled={!ready}
            title={t('Reject (Ctrl+Shift+Backspace)')}
            onClick={reject}
          >
            {t('Reject')}
          </button>
          <button type="button" class="accept" disabled={!ready} title={t('Accept (Ctrl+Enter)')} onClick={accept}>
            {t('Accept')}
          </button>
        </div>
      </div>
      {review.note && <div class="note">{t('The present content is not shown: {0}', heard(review.note))}</div>}
      <div class="review-host" ref={host} />
    </section>
  );
}

/** Keys decide only while the keyboard is with the review, or with nothing; in a field for a note they mean the note. */
function decisionOf(event: KeyboardEvent, section: HTMLElement | null): 'accept' | 'reject' | undefined {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.repeat) return undefined;
  const { target } = event;
  if (!(target instanceof HTMLElement) || target.matches('input, textarea')) return undefined;
  if (target !== document.body && !section?.contains(target)) return undefined;
  if (event.key === 'Enter' && !event.shiftKey) return 'accept';
  return event.key === 'Backspace' && event.shiftKey ? 'reject' : undefined;
}

function remarks(review: ReviewText): readonly string[] {
  return [
    review.exists ? '' : t('new file'),
    review.unsaved ? t('compared with your unsaved text') : '',
    review.outsideWorkspace ? t('outside the workspace') : '',
  ].filter((remark) => remark !== '');
}
