import type { Text } from '../l10n/t.ts';
import { inChat } from './chat-side.ts';
import type { Panel, Store } from './store.ts';

export const PANELS: readonly { readonly id: Panel; readonly label: Text; readonly digit: string }[] = [
  { id: 'files', label: 'Files', digit: '1' },
  { id: 'reviews', label: 'Reviews', digit: '2' },
  { id: 'agents', label: 'Agents', digit: '3' },
  { id: 'context', label: 'Context', digit: '4' },
  { id: 'problems', label: 'Problems', digit: '5' },
];

/** Keys that work wherever the caret is; none of them types a letter. */
export function listenForKeys(store: Store): () => void {
  const listener = (event: KeyboardEvent) => {
    if (store.question.value || document.querySelector('dialog[open]')) return;
    if (run(store, event)) event.preventDefault();
  };
  window.addEventListener('keydown', listener);
  return () => window.removeEventListener('keydown', listener);
}

function run(store: Store, event: KeyboardEvent): boolean {
  const control = event.ctrlKey || event.metaKey;
  if (event.code === 'F1') store.overlay.value = 'help';
  else if (control && !event.altKey && !event.shiftKey) return withControl(store, event);
  else if (event.altKey && !control) return withAlt(store, event);
  else if (event.key === 'Escape' && (inSidebar() || inChat())) store.focusMain();
  else return false;
  return true;
}

function withControl(store: Store, event: KeyboardEvent): boolean {
  const active = store.active.value;
  if (event.code === 'KeyP') store.overlay.value = 'go to file';
  else if (event.code === 'KeyS') {
    // In a text the editor has saved already; elsewhere the browser would save the page.
    if (!event.defaultPrevented && active !== undefined && store.main.value.kind === 'document')
      void store.save(active);
  } else return false;
  return true;
}

function withAlt(store: Store, event: KeyboardEvent): boolean {
  const panel = PANELS.find(({ digit }) => event.code === `Digit${digit}`);
  if (panel) goToPanel(store, panel.id);
  else if (event.code === 'Digit6') store.chat.toggle();
  else if (event.code === 'Digit0') store.showDocument();
  else if (event.code === 'Period') store.reviews.step(1);
  else if (event.code === 'Comma') store.reviews.step(-1);
  else if (event.code === 'PageDown') store.stepTab(1);
  else if (event.code === 'PageUp') store.stepTab(-1);
  else if (event.code === 'KeyW' && store.active.value !== undefined) void store.closeTab(store.active.value);
  else return false;
  return true;
}

/** Opens it and goes there; pressed there, it closes and the text has the keyboard again. */
function goToPanel(store: Store, panel: Panel): void {
  const shown = store.sidebar.value && store.panel.value === panel;
  if (shown && inSidebar()) {
    store.showSidebar(false);
    return store.focusMain();
  }
  store.panel.value = panel;
  store.showSidebar(true);
  requestAnimationFrame(() => {
    const sidebar = document.getElementById('sidebar');
    const likely = ['[role=treeitem][tabindex="0"]', 'input:checked', '.card.pick', 'button, input'];
    const first = likely.map((each) => sidebar?.querySelector<HTMLElement>(each)).find((found) => found);
    first?.focus();
  });
}

function inSidebar(): boolean {
  return document.getElementById('sidebar')?.contains(document.activeElement) ?? false;
}
