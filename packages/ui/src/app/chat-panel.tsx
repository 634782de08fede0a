import { computed } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { ChatClient } from '../chat/client.ts';
import { ChatPanel } from '../chat/panel.tsx';
import type { FilePart, PanelAnswers } from '../chat/protocol.ts';
import type { Surroundings } from '../chat/surroundings.ts';
import { t } from '../l10n/t.ts';
import type { Store } from './store.ts';

/** The chat panel in the page. Loads on demand, with all it needs. */
export function PageChat({ store }: { store: Store }) {
  const client = useMemo(() => clientOf(store), [store]);
  const { connected } = store.connection;
  useEffect(() => {
    if (connected) void client.attach().catch((error: Error) => store.toast('error', error.message));
  }, [client, connected]);
  return <ChatPanel client={client} />;
}

const clients = new WeakMap<Store, ChatClient>();

/** It stays while the panel is closed: what was unfolded and written is there again. */
function clientOf(store: Store): ChatClient {
  let client = clients.get(store);
  if (!client) {
    client = new ChatClient(async (request) => {
      const { answer } = await store.connection.ask('chat', request);
      return answer as PanelAnswers[typeof request.do];
    }, surroundings(store));
    clients.set(store, client);
    const made = client;
    store.chat.ontell = (tell) => made.hear(tell);
    store.chat.front.subscribe((id) => {
      if (id !== undefined) made.currentId.value = id;
    });
  }
  return client;
}

function surroundings(store: Store): Surroundings {
  return {
    openFile: (path, line) => void openAt(store, path, line),
    showReview: (id) => store.reviews.show(id),
    copy: (text) =>
      navigator.clipboard.writeText(text).then(
        () => true,
        () => {
          store.toast('warning', t('The browser does not let this page copy.'));
          return false;
        },
      ),
    save: saveAs,
    files: async () => (await store.ask('find', {}))?.paths ?? [],
    looking: computed(() => {
      const active = store.shared.value.find((item) => item.active);
      if (!active) return undefined;
      const lines = active.lines && { start: active.lines.start - 1, end: active.lines.end - 1 };
      return { path: active.path, ...(lines ? { lines } : {}) };
    }),
    selection: () => selectionOf(store),
    folders: computed(() => store.shell.value.folders),
    reviews: computed(() => new Set(store.shell.value.reviews.map(({ id }) => id))),
    memory: {
      get: (key) => sessionStorage.getItem(`tandem-${key}`) ?? undefined,
      set: (key, value) => {
        try {
          if (value === undefined) sessionStorage.removeItem(`tandem-${key}`);
          else sessionStorage.setItem(`tandem-${key}`, value);
        } catch {
          // full: it is only convenience
        }
      },
    },
    agentsAt: { key: 'chat.agents', where: '~/.tandem/settings.json' },
  };
}

async function openAt(store: Store, path: string, line: number | undefined): Promise<void> {
  if (store.narrow.value) store.chat.show(false);
  await store.openFile(path, true);
  const doc = store.documents.view(path)?.state.doc;
  if (line === undefined || !doc) return;
  const { from } = doc.line(Math.min(line + 1, doc.lines));
  store.documents.select(path, { anchor: from, head: from });
}

/** The selected lines of the text in front, or the whole file where nothing is selected. */
function selectionOf(store: Store): FilePart | undefined {
  const path = store.active.value;
  const view = path === undefined ? undefined : store.documents.view(path);
  if (!path || !view) return undefined;
  const { main } = view.state.selection;
  if (main.empty) return { path };
  const { doc } = view.state;
  const last = doc.lineAt(main.to);
  // A selection that ends before the first letter of a line does not mean that line.
  const end = last.from === main.to ? last.number - 2 : last.number - 1;
  return { path, lines: { start: doc.lineAt(main.from).number - 1, end } };
}

function saveAs(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/markdown' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
