import { languageFor } from '../l10n/t.ts';
import type { ChatHub, Viewer } from './hub.ts';
import type { FilePart, PanelRequest } from './protocol.ts';
import type { EditorRequest, EditorState, WebviewAsk, WebviewMessage } from './webview-protocol.ts';

/** The part of an editor's webview that is used; VS Code's `Webview` is one. */
export interface WebviewPort {
  postMessage(message: unknown): unknown;
  onDidReceiveMessage(listener: (message: unknown) => void): { dispose(): void };
}

/** What the editor does for the panel. */
export interface WebviewEditor {
  readonly state: EditorState;
  /** Calls back whenever `state` is another one. */
  onChange(listener: () => void): { dispose(): void };
  perform(request: EditorRequest): Promise<unknown>;
}

/**
 * Connects a panel in a webview with the host's conversations. Everything that comes from it is checked by `check`, which
 * throws on what a panel cannot mean: a webview shows what agents write, so it is trusted with nothing.
 */
export class WebviewHost {
  readonly #hub: ChatHub;
  readonly #port: WebviewPort;
  readonly #viewer: Viewer;
  readonly #subscriptions: readonly { dispose(): void }[];
  /** There is a page, and it listens. */
  #listens = false;
  #waiting: WebviewMessage[] = [];

  constructor(
    hub: ChatHub,
    port: WebviewPort,
    editor: WebviewEditor,
    check: (request: unknown) => PanelRequest | EditorRequest,
  ) {
    this.#hub = hub;
    this.#port = port;
    // The editor keeps what a hidden webview is told; how much of it waits cannot be seen.
    this.#viewer = { tell: (chat) => this.#post({ chat }), keepsUp: true };
    this.#subscriptions = [
      port.onDidReceiveMessage((message) => void this.#answer(message as WebviewAsk, editor, check)),
      editor.onChange(() => this.#listens && this.#post({ editor: editor.state })),
    ];
  }

  focus(): void {
    this.#postSoon({ focus: true });
  }

  /** Brings a conversation to the front. */
  show(chat: string): void {
    this.#postSoon({ front: chat });
  }

  attach(part: FilePart): void {
    this.#postSoon({ attach: part });
  }

  /** The editor has thrown the page away; the next one attaches anew and gets everything whole. */
  hidden(): void {
    this.#listens = false;
    this.#hub.detach(this.#viewer);
  }

  /** The user's notes on a review, to the conversation that it came from: the review's `link`. */
  async send(chat: string, prompt: string): Promise<void> {
    this.show(chat);
    await this.#hub.say(chat, prompt);
  }

  dispose(): void {
    this.#hub.detach(this.#viewer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #answer(
    message: WebviewAsk,
    editor: WebviewEditor,
    check: (request: unknown) => PanelRequest | EditorRequest,
  ): Promise<void> {
    if (typeof message?.id !== 'number') return;
    const { id } = message;
    try {
      const request = check(message.ask);
      if (request.do === 'attach') this.#post({ editor: editor.state });
      const answer = isEditors(request) ? await editor.perform(request) : await this.#hub.ask(this.#viewer, request);
      this.#post({ id, answer: answer ?? null });
      if (request.do === 'attach') this.#attached();
    } catch (error) {
      this.#post({ id, error: (error as Error).message });
    }
  }

  #attached(): void {
    this.#listens = true;
    for (const message of this.#waiting.splice(0)) this.#post(message);
  }

  #postSoon(message: WebviewMessage): void {
    if (this.#listens) this.#post(message);
    else this.#waiting.push(message);
  }

  #post(message: WebviewMessage): void {
    void this.#port.postMessage(message);
  }
}

const EDITORS: ReadonlySet<string> = new Set(['open-file', 'show-review', 'copy', 'save', 'files', 'selection']);

function isEditors(request: PanelRequest | EditorRequest): request is EditorRequest {
  return EDITORS.has(request.do);
}

export interface WebviewPage {
  /** What may be loaded, as the editor names it (`webview.cspSource`). */
  readonly source: string;
  readonly script: string;
  readonly styles: readonly string[];
  readonly nonce: string;
  /** The user's, as the editor names it; English without one. */
  readonly language?: string;
}

/** The whole page. It may load its own code and nothing else, and connect to nothing at all. */
export function webviewHtml({ source, script, styles, nonce, language = 'en' }: WebviewPage): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' ${source}`,
    `style-src ${source}`,
    'img-src data:',
    `font-src ${source}`,
  ].join('; ');
  const sheets = styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('');
  return `<!doctype html>
<html lang="${languageFor(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
${sheets}
<title>Chat</title>
</head>
<body><div id="chat"></div><script type="module" nonce="${nonce}" src="${script}"></script></body>
</html>`;
}
