import { Compartment, type Extension } from '@codemirror/state';
import { type EditorView, keymap, ViewPlugin } from '@codemirror/view';
import { effect } from '@preact/signals';
import type { LanguageServerItem, OpenDocument } from '../protocol.ts';
import type { Store } from './store.ts';
import { toUri } from './uris.ts';

/** Completion and the like, loaded once a language server runs for the document and taken away when it is gone. */
export function languageFeatures(store: Store, { path, language }: OpenDocument): Extension {
  const features = new Compartment();
  return [
    features.of([]),
    ViewPlugin.define((view) => {
      const running = () => {
        const server = store.problems.serverFor(path, language);
        return server?.state === 'running' ? server : undefined;
      };
      return new Features(store, view, features, path, language, running);
    }),
  ];
}

class Features {
  readonly #stop: () => void;
  #key: string | undefined;

  constructor(
    store: Store,
    view: EditorView,
    features: Compartment,
    path: string,
    language: string,
    running: () => LanguageServerItem | undefined,
  ) {
    this.#stop = effect(() => {
      const server = running();
      const key = server && JSON.stringify(server);
      if (key === this.#key) return;
      this.#key = key;
      void extensionFor(store, server, path, language).then((extension) => {
        if (this.#key === key) view.dispatch({ effects: features.reconfigure(extension) });
      });
    });
  }

  destroy(): void {
    this.#stop();
    this.#key = 'gone';
  }
}

async function extensionFor(
  store: Store,
  server: LanguageServerItem | undefined,
  path: string,
  language: string,
): Promise<Extension> {
  if (!server) return [];
  const [{ clientFor }, { symbolKeys }] = await Promise.all([import('./language-client.ts'), import('./symbols.ts')]);
  return [clientFor(store, server).plugin(toUri(path), language), keymap.of(symbolKeys(store, path))];
}
