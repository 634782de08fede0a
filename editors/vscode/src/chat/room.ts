// Everything that talks to agents; read when the panel is opened for the first time.
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { Chat, connectTo, type FoundAgent, houseOf, type KeptChat, KeptChats, offerAgents } from '@tandem/chat';
import { EDITOR_REQUEST, PANEL_REQUEST } from '@tandem/chat/panel-request';
import { findProgram } from '@tandem/core';
import { ChatHub, type Connected } from '@tandem/ui/chat-hub';
import type { AgentOffer, ChatSummary, FilePart, PanelRequest } from '@tandem/ui/chat-protocol';
import { WebviewHost, webviewHtml } from '@tandem/ui/chat-webview-host';
import type { EditorRequest } from '@tandem/ui/chat-webview-protocol';
import * as vscode from 'vscode';
import { nameAgent, type Window } from '../window.ts';
import { ChatSettings } from './chat-settings.ts';
import { folders, PanelEditor } from './panel-editor.ts';

export interface RoomOptions {
  readonly window: Window;
  /** The packed panel; all that it may load. */
  readonly assets: vscode.Uri;
  readonly secret: () => Thenable<string | undefined>;
  readonly changed: () => void;
  /** The editor's own name for what is open in this window. */
  readonly place: string;
}

const KEEP_MS = 300;

/** The conversations of this window, whether somebody looks at them or not. */
export class ChatRoom {
  readonly #options: RoomOptions;
  readonly #settings = new ChatSettings();
  readonly #env = agentEnvironment(process.env);
  readonly #hub: ChatHub;
  readonly #keeper: KeptChats;
  #soon: NodeJS.Timeout | undefined;
  #host: WebviewHost | undefined;
  readonly #waiting: ((host: WebviewHost) => void)[] = [];

  constructor(options: RoomOptions) {
    this.#options = options;
    this.#hub = new ChatHub({
      agents: async () => this.#agents().map(({ agent: _, ...offer }) => offer),
      connect: (id, kept) => this.#connect(id, kept),
      kept: async () => this.#keeper.take(),
      changed: () => {
        options.changed();
        this.#soon ??= setTimeout(() => this.#keep(), KEEP_MS);
      },
      log: (message) => options.window.log('info', message),
    });
    const places = { home: homedir(), env: process.env };
    this.#keeper = new KeptChats({ places, where: options.place, owner: 'window' });
  }

  get summaries(): readonly ChatSummary[] {
    return this.#hub.summaries;
  }

  get offers(): readonly AgentOffer[] {
    return this.#agents().filter(({ installed }) => installed);
  }

  /** Shows the conversations in a view, until it goes. */
  fill({ webview }: vscode.WebviewView): void {
    const { assets, window } = this.#options;
    webview.options = { enableScripts: true, localResourceRoots: [assets] };
    this.leave();
    const host = new WebviewHost(this.#hub, webview, new PanelEditor(window), check);
    this.#host = host;
    for (const act of this.#waiting.splice(0)) act(host);
    const address = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(assets, name)).toString();
    webview.html = webviewHtml({
      source: webview.cspSource,
      script: address('webview.js'),
      styles: [address('webview.css')],
      nonce: randomBytes(16).toString('hex'),
      language: vscode.env.language,
    });
  }

  /** The view's page is gone, and comes again when it is shown. */
  hidden(): void {
    this.#host?.hidden();
  }

  leave(): void {
    this.#host?.dispose();
    this.#host = undefined;
  }

  focus(): void {
    this.#inView((host) => host.focus());
  }

  attach(part: FilePart): void {
    this.#inView((host) => host.attach(part));
  }

  /** A panel that is there brings it to the front. */
  say(chat: string, text: string): Promise<void> {
    return this.#host ? this.#host.send(chat, text) : this.#hub.say(chat, text);
  }

  async start(agent: string): Promise<void> {
    const chat = await this.#hub.start(agent);
    this.#inView((host) => host.show(chat));
  }

  /** The conversations are there again in the next one. */
  async stop(): Promise<void> {
    this.#keep(true);
    this.leave();
    await this.#hub.stop();
  }

  #keep(last = false): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    try {
      if (last) this.#keeper.close(this.#hub.kept);
      else this.#keeper.save(this.#hub.kept);
    } catch (error) {
      this.#options.window.log('warn', `conversations are not kept: ${(error as Error).message}`);
    }
  }

  /** VS Code may take its time to make the view that was asked for. */
  #inView(act: (host: WebviewHost) => void): void {
    if (this.#host) act(this.#host);
    else this.#waiting.push(act);
  }

  #agents(): readonly FoundAgent[] {
    return offerAgents(this.#settings, this.#env, (command) => findProgram(command, this.#env));
  }

  async #connect(id: string, kept?: KeptChat): Promise<Connected> {
    const { window, secret } = this.#options;
    const found = this.#agents().find((agent) => agent.id === id);
    if (!found?.installed) throw new Error(vscode.l10n.t('{0} is not installed.', found?.name ?? id));
    nameAgent(found.id, found.name);
    const token = await secret();
    const connection = connectTo(found.agent ?? id, {
      cwd: workFolder(kept?.session.cwd),
      env: this.#env,
      settings: this.#settings.daemon,
      log: window.log,
      ...(token === undefined ? {} : { secret: token }),
    });
    const chat = new Chat(houseOf(window.companion, window.log), connection, kept);
    return { chat, capabilities: () => connection.capabilities };
  }
}

function check(request: unknown): PanelRequest | EditorRequest {
  const editors = EDITOR_REQUEST.safeParse(request);
  return (editors.success ? editors.data : PANEL_REQUEST.parse(request)) as PanelRequest | EditorRequest;
}

/** The one it was in before; the one that the file in front is in; else the first. */
function workFolder(before: string | undefined): string {
  if (before !== undefined && folders().includes(before)) return before;
  const active = vscode.window.activeTextEditor?.document.uri;
  const around = active && vscode.workspace.getWorkspaceFolder(active)?.uri;
  const folder = around?.scheme === 'file' ? around.fsPath : folders()[0];
  if (folder === undefined) throw new Error(vscode.l10n.t('There is no folder to work in. Open one first.'));
  return folder;
}

/** As in a terminal: what VS Code set for its own processes is nothing for others. */
function agentEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(ELECTRON|VSCODE)_/.test(name)));
}
