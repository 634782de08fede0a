import { useEffect, useRef } from 'preact/hooks';
import { type ClosedReview, nameOf, type Store } from './store.ts';

/** What is left to say of a review that is over. */
export function ClosedPane({ store, closed }: { store: Store; closed: ClosedReview }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const next = store.shell.value.reviews[0];
  return (
    <section class="closed" aria-label={`Closed review of ${nameOf(closed.path)}`}>
      <h1 ref={heading} tabIndex={-1}>
        {nameOf(closed.path)}: {closed.how}
      </h1>
      <p class="hint path" title={closed.path}>
        {closed.agentName} · {closed.path}
      </p>
      {closed.text !== undefined && (
        <Offer store={store} label="Copy my version" title="Your changes to it were not asked for" text={closed.text} />
      )}
      {closed.prompt !== undefined && (
        <Offer store={store} label="Copy prompt" title="Your notes, as a prompt for the agent" text={closed.prompt} />
      )}
      <div class="answers">
        {next && (
          <button type="button" class="primary" onClick={() => store.showReview(next.id)}>
            Next review
          </button>
        )}
        <button type="button" onClick={() => store.showDocument()}>
          Back to the text
        </button>
      </div>
    </section>
  );
}

function Offer({ store, label, title, text }: { store: Store; label: string; title: string; text: string }) {
  return (
    <div class="offer">
      <div class="offer-head">
        <h2>{title}</h2>
        <button type="button" onClick={() => void store.copy(text)}>
          {label}
        </button>
      </div>
      <pre>{text}</pre>
    </div>
  );
}
