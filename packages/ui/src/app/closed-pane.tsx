import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { heard, t } from '../l10n/t.ts';
import { nameOf } from '../paths.ts';
import type { ClosedReview } from './reviews.ts';
import type { Store } from './store.ts';

/** What is left to say of a review that is over. */
export function ClosedPane({ store, closed }: { store: Store; closed: ClosedReview }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const next = store.shell.value.reviews[0];
  return (
    <section class="closed" aria-label={t('Closed review of {0}', nameOf(closed.path))}>
      <h1 ref={heading} tabIndex={-1}>
        {t('{0}: {1}', nameOf(closed.path), heard(closed.how))}
      </h1>
      <p class="hint path" title={closed.path}>
        {closed.agentName} · {closed.path}
      </p>
      {closed.text !== undefined && (
        <Offer
          store={store}
          label={t('Copy my version')}
          title={t('Your changes to it were not asked for')}
          text={closed.text}
        />
      )}
      {closed.prompt !== undefined && (
        <Offer
          store={store}
          label={t('Copy prompt')}
          title={t('Your notes, as a prompt for the agent')}
          text={closed.prompt}
        >
          <SendToChat store={store} prompt={closed.prompt} chat={closed.chat} />
        </Offer>
      )}
      <div class="answers">
        {next && (
          <button type="button" class="primary" onClick={() => store.reviews.show(next.id)}>
            {t('Next review')}
          </button>
        )}
        <button type="button" onClick={() => store.showDocument()}>
          {t('Back to the text')}
        </button>
      </div>
    </section>
  );
}

/** Where the review came from a conversation, that is where the notes go. */
function SendToChat({ store, prompt, chat }: { store: Store; prompt: string; chat: string | undefined }) {
  const [sent, setSent] = useState(false);
  if (chat === undefined || !store.shell.value.chats.some(({ id }) => id === chat)) return null;
  const onClick = () => {
    setSent(true);
    store.chat.show(true);
    void store.ask('chat', { do: 'perform', chat, command: { do: 'prompt', draft: { text: prompt, context: false } } });
    store.chat.front.value = chat;
  };
  return (
    <button type="button" class="primary" disabled={sent} onClick={onClick}>
      {sent ? t('Sent') : t('Send to chat')}
    </button>
  );
}

interface OfferProps {
  readonly store: Store;
  readonly label: string;
  readonly title: string;
  readonly text: string;
  readonly children?: ComponentChildren;
}

function Offer({ store, label, title, text, children }: OfferProps) {
  return (
    <div class="offer">
      <div class="offer-head">
        <h2>{title}</h2>
        <span class="tools">
          {children}
          <button type="button" onClick={() => void store.copy(text)}>
            {label}
          </button>
        </span>
      </div>
      <pre>{text}</pre>
    </div>
  );
}
