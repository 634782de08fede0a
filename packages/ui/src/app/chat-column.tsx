import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../l10n/t.ts';
import { Splitter } from './splitter.tsx';
import type { Store } from './store.ts';

type Loaded = FunctionComponent<{ store: Store }>;
let loading: Promise<Loaded> | undefined;

/** Code and style come together, or the panel would be seen undressed. */
function load(): Promise<Loaded> {
  loading ??= Promise.all([import('./chat-panel.tsx'), style('/chat.css')]).then(([{ PageChat }]) => PageChat);
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

function style(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.onload = () => resolve();
    link.onerror = () => reject(new Error(t('The chat could not be loaded.')));
    document.head.append(link);
  });
}

export function ChatColumn({ store }: { store: Store }) {
  const [Panel, setPanel] = useState<Loaded>();
  useEffect(() => {
    load().then(
      (panel) => setPanel(() => panel),
      (error: Error) => store.toast('error', error.message),
    );
  }, [store]);
  const { chat, narrow } = store;
  return (
    <>
      <aside class="chat-side" id="chat" aria-label={t('Chat')}>
        {Panel ? <Panel store={store} /> : <p class="empty">…</p>}
      </aside>
      {!narrow.value && <Splitter label={t('Width of the chat')} width={chat.width} side="right" min={300} max={900} />}
    </>
  );
}
