// The chat panel in a webview of an editor: everything passes through its messages, and it opens no connection.
import { computed, signal } from '@preact/signals';
import { render } from 'preact';
import { speak, t } from '../l10n/t.ts';
import { ChatClient } from './client.ts';
import { ChatPanel } from './panel.tsx';
import type { PanelAnswers, PanelRequest } from './protocol.ts';
import type { Memory, Surroundings } from './surroundings.ts';
import type { EditorRequest, EditorState, WebviewAsk, WebviewMessage } from './webview-protocol.ts';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();
const editor = signal<EditorState>({ folders: [], reviews: [] });
const waiting = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>();
let count = 0;
const FOCUS_MS = 3000;

function ask<T>(request: PanelRequest | EditorRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    count += 1;
    waiting.set(count, { resolve: resolve as (answer: unknown) => void, reject });
    api.postMessage({ id: count, ask: request } satisfies WebviewAsk);
  });
}

const memory: Memory = {
  get: (key) => (api.getState() as Record<string, string> | undefined)?.[key],
  set: (key, value) => {
    const { [key]: _, ...rest } = (api.getState() as Record<string, string> | undefined) ?? {};
    api.setState(value === undefined ? rest : { ...rest, [key]: value });
  },
};

const around: Surroundings = {
  openFile: (path, line) => void ask({ do: 'open-file', path, ...(line === undefined ? {} : { line }) }),
  showReview: (id) => void ask({ do: 'show-review', id }),
  copy: (text) =>
    ask({ do: 'copy', text }).then(
      () => true,
      () => false,
    ),
  save: (name, text) => void ask({ do: 'save', name, text }),
  files: () => ask<readonly string[]>({ do: 'files' }),
  looking: computed(() => editor.value.looking),
  selection: () => editor.value.selection,
  folders: computed(() => editor.value.folders),
  reviews: computed(() => new Set(editor.value.reviews)),
  memory,
  agentsAt: {
    key: 'tandem.chat.agents',
    get where() {
      return t('the settings');
    },
  },
};

const client = new ChatClient(async (request) => ask<PanelAnswers[typeof request.do]>(request), around);

window.addEventListener('message', ({ data }: MessageEvent<WebviewMessage>) => {
  if ('chat' in data) client.hear(data.chat);
  else if ('editor' in data) editor.value = data.editor;
  else if ('focus' in data) focus();
  else if ('front' in data) client.currentId.value = data.front;
  else if ('attach' in data) client.attachFile(data.attach);
  else if ('id' in data) {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if ('error' in data) asked?.reject(new Error(data.error));
    else asked?.resolve(data.answer);
  }
});

/** What there is to focus may still be on its way to the screen. */
function focus(until = Date.now() + FOCUS_MS): void {
  const likely = ['[data-answer]', '.composer textarea', '.pick'];
  const found = likely.map((each) => document.querySelector<HTMLElement>(each)).find((element) => element);
  if (found) found.focus();
  else if (Date.now() < until) requestAnimationFrame(() => focus(until));
}

void speak(document.documentElement.lang, () => import('../l10n/zh-cn/panel.ts')).then((language) => {
  document.documentElement.lang = language;
  document.title = t('Chat');
  const root = document.getElementById('chat');
  if (root) render(<ChatPanel client={client} />, root);
  void client.attach();
});
