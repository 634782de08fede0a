import {
  formatKeymap,
  hoverTooltips,
  jumpToDefinitionKeymap,
  LSPClient,
  LSPPlugin,
  serverCompletion,
  signatureHelp,
  type Transport,
  Workspace,
  type WorkspaceFile,
} from '@codemirror/lsp-client';
import { type EditorView, keymap } from '@codemirror/view';
import { LANGUAGE_METHODS, type LanguageServerItem, type Requests } from '../protocol.ts';
import { sanitize } from './sanitize.ts';
import type { Store } from './store.ts';
import { rawPath, toPath, toUri } from './uris.ts';

type Method = Requests['lsp']['input']['method'];

interface Outgoing {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly textDocument?: { readonly uri: string }; readonly [name: string]: unknown };
}

const clients = new Map<string, LSPClient>();

/** One client for each server, which believes to speak to it alone. */
export function clientFor(store: Store, server: LanguageServerItem): LSPClient {
  const key = JSON.stringify([server.name, server.folder, server.capabilities]);
  const known = clients.get(key);
  if (known) return known;
  const client = new LSPClient({
    sanitizeHTML: sanitize,
    timeout: 6000,
    workspace: (own) => new PageWorkspace(own, store),
    extensions: [
      serverCompletion(),
      hoverTooltips(),
      signatureHelp(),
      keymap.of([...jumpToDefinitionKeymap, ...formatKeymap]),
    ],
  });
  client.connect(new WorkbenchTransport(store, server.capabilities ?? {}));
  clients.set(key, client);
  return client;
}

/**
 * Passes on requests. What the client says of documents stays here: the workbench tells the server what every window
 * types, so all that is needed is that it has this window's text first.
 */
class WorkbenchTransport implements Transport {
  readonly #store: Store;
  readonly #capabilities: object;
  readonly #handlers = new Set<(message: string) => void>();

  constructor(store: Store, capabilities: object) {
    this.#store = store;
    this.#capabilities = capabilities;
  }

  subscribe(handler: (message: string) => void): void {
    this.#handlers.add(handler);
  }

  unsubscribe(handler: (message: string) => void): void {
    this.#handlers.delete(handler);
  }

  send(text: string): void {
    const { id, method, params }: Outgoing = JSON.parse(text);
    if (id === undefined) return;
    this.#answer(method, params).then(
      (result) => this.#receive({ id, result }),
      (error: Error) => this.#receive({ id, error: { code: -32803, message: error.message } }),
    );
  }

  async #answer(method: string, params: Outgoing['params']): Promise<unknown> {
    if (method === 'initialize') return { capabilities: this.#capabilities };
    const { textDocument, ...rest } = params ?? {};
    if (!isMethod(method) || textDocument === undefined) throw new Error(`${method} is not passed on`);
    const path = rawPath(textDocument.uri);
    await this.#store.documents.flush(path);
    const { result } = await this.#store.connection.ask('lsp', { path, method, params: rest });
    return method === 'textDocument/definition' ? places(result) : result;
  }

  #receive(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    for (const handler of this.#handlers) handler(text);
  }
}

interface PageFile extends WorkspaceFile {
  readonly view: EditorView;
}

/** The documents that this window shows. */
class PageWorkspace extends Workspace {
  files: PageFile[] = [];
  readonly #store: Store;
  #version = 0;

  constructor(client: LSPClient, store: Store) {
    super(client);
    this.#store = store;
  }

  override openFile(uri: string, languageId: string, view: EditorView): void {
    this.closeFile(uri);
    this.files.push({ uri, languageId, version: this.#next(), doc: view.state.doc, view, getView: () => view });
  }

  override closeFile(uri: string): void {
    this.files = this.files.filter((file) => file.uri !== uri);
  }

  override syncFiles() {
    return this.files.flatMap((file) => {
      const plugin = LSPPlugin.get(file.view);
      if (!plugin || plugin.unsyncedChanges.empty) return [];
      const update = { file, changes: plugin.unsyncedChanges, prevDoc: file.doc };
      file.doc = file.view.state.doc;
      file.version = this.#next();
      plugin.clear();
      return [update];
    });
  }

  override async displayFile(uri: string): Promise<EditorView | null> {
    const path = rawPath(uri);
    await this.#store.openFile(path);
    return this.#store.documents.view(path) ?? null;
  }

  #next(): number {
    this.#version += 1;
    return this.#version;
  }
}

function isMethod(method: string): method is Method {
  return (LANGUAGE_METHODS as readonly string[]).includes(method);
}

function places(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(places);
  const { uri } = (result ?? {}) as { uri?: unknown };
  return typeof uri === 'string' ? { ...(result as object), uri: toUri(toPath(uri)) } : result;
}
