import { useState } from 'preact/hooks';
import { locale, t } from '../l10n/t.ts';
import { nameOf, wayTo } from '../paths.ts';
import type { Store } from './store.ts';

export function ReviewsPanel({ store }: { store: Store }) {
  const { reviews } = store.shell.value;
  const main = store.main.value;
  const current = main.kind === 'review' ? main.id : undefined;
  return (
    <>
      <div class="panel-head">
        <h2>{t('Reviews')}</h2>
        <Notifications />
      </div>
      {reviews.length === 0 && <p class="empty">{t('No review is waiting.')}</p>}
      <ul class="cards" aria-label={t('Waiting reviews')}>
        {reviews.map((review) => (
          <li key={review.id} data-review={review.id}>
            <button
              type="button"
              class={`card pick ${review.id === current ? 'current' : ''}`}
              aria-current={review.id === current}
              onClick={() => store.reviews.show(review.id)}
            >
              <strong>{nameOf(review.path)}</strong>
              <span class="hint path" title={review.path}>
                {wayTo(store.shell.value.folders, review.path)}
              </span>
              <span class="hint">
                {review.agentName} · {new Date(review.openedAt).toLocaleTimeString(locale())}
                {review.amended ? ` · ${t('with your changes')}` : ''}
                {review.outsideWorkspace ? ` · ${t('outside the workspace')}` : ''}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Asked for only when the user wants it. */
function Notifications() {
  const [permission, setPermission] = useState(() => ('Notification' in window ? Notification.permission : 'denied'));
  if (permission !== 'default') return null;
  return (
    <button type="button" class="link" onClick={() => void Notification.requestPermission().then(setPermission)}>
      {t('Notify me')}
    </button>
  );
}
