import * as vscode from 'vscode';
import { Disposables } from '../disposables.ts';
import { inform, warn } from '../messages.ts';
import type { Window } from '../window.ts';
import { askDaemonToken, daemonToken } from './daemon-token.ts';
import { partInFront } from './part-in-front.ts';
import { restrictedPage } from './restricted-page.ts';
import type { ChatRoom } from './room.ts';

const VIEW = 'tandem.chat';
/** VS Code gives an extension five seconds to end, and the rest of it needs some. */
const STOP_MS = 2500;

/** The place of the chat in the side bar. What is behind it is read when it is opened. */
export class ChatView implements vscode.WebviewViewProvider {
  readonly #window: Window;
  readonly #context: vscode.ExtensionContext;
  readonly #listeners = new Disposables();
  #view: vscode.WebviewView | undefined;
  #room: Promise<ChatRoom> | undefined;
  #open: ChatRoom | undefined;

  constructor(window: Window, context: vscode.ExtensionContext) {
    this.#window = window;
    this.#context = context;
    this.#listeners.add(
      vscode.window.registerWebviewViewProvider(VIEW, this, { webviewOptions: { retainContextWhenHidden: false } }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#fill()),
      { dispose: window.editor.reviews.changed.on(() => this.#count()) },
      { dispose: window.restarting.on(() => void this.#startAnew()) },
    );
  }

  dispose(): void {
    this.#listeners.dispose();
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    this.#view = view;
    view.onDidChangeVisibility(() => {
      if (!view.visible) this.#open?.hidden();
    });
    view.onDidDispose(() => {
      if (this.#view !== view) return;
      this.#view = undefined;
      this.#open?.leave();
    });
    await this.#fill();
  }

  async show(): Promise<void> {
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    if (vscode.workspace.isTrusted) (await this.#enter()).focus();
  }

  async begin(): Promise<void> {
    if (!vscode.workspace.isTrusted) return this.show();
    const { t } = vscode.l10n;
    const room = await this.#enter();
    const items = room.offers.map(({ id, name, command }) => ({ label: name, description: command, id }));
    if (items.length === 0) return this.show(); // the panel says how to get one
    // The panel is shown afterwards: it takes the keyboard, and with it the list would go.
    const only = items.length === 1 ? items[0] : undefined;
    const chosen = only ?? (await vscode.window.showQuickPick(items, { placeHolder: t('Talk with which agent?') }));
    if (!chosen) return;
    try {
      await this.show();
      await room.start(chosen.id);
      await this.show();
    } catch (error) {
      await warn((error as Error).message);
    }
  }

  /** The selected lines, or the file, go along with what the user says next. */
  async attachSelection(): Promise<void> {
    const part = partInFront();
    if (!part) {
      await inform(vscode.l10n.t('Select something in a file first.'));
      return;
    }
    await this.show();
    if (vscode.workspace.isTrusted) (await this.#enter()).attach(part);
  }

  has(conversation: string): boolean {
    return this.#open?.summaries.some(({ id }) => id === conversation) ?? false;
  }

  /** Says something in a conversation, whether it is shown or not. False if it could not be said. */
  async say(conversation: string, text: string): Promise<boolean> {
    if (!this.has(conversation)) return false;
    try {
      await this.#open?.say(conversation, text);
      return true;
    } catch (error) {
      this.#window.log('warn', `chat: ${(error as Error).message}`);
      return false;
    }
  }

  setDaemonToken(): Promise<void> {
    return askDaemonToken(this.#context.secrets);
  }

  async stop(): Promise<void> {
    const room = await this.#room;
    this.#room = undefined;
    this.#open = undefined;
    if (room) await Promise.race([room.stop(), new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
  }

  #enter(): Promise<ChatRoom> {
    this.#room ??= this.#newRoom();
    return this.#room;
  }

  async #newRoom(): Promise<ChatRoom> {
    const { ChatRoom } = await import('./room.ts');
    const room = new ChatRoom({
      window: this.#window,
      assets: vscode.Uri.joinPath(this.#context.extensionUri, 'dist', 'webview'),
      secret: () => daemonToken(this.#context.secrets),
      changed: () => this.#count(),
      place: this.#context.storageUri?.fsPath ?? this.#context.globalStorageUri.fsPath,
    });
    this.#open = room;
    if (this.#view) room.fill(this.#view);
    return room;
  }

  async #fill(): Promise<void> {
    const view = this.#view;
    if (!view) return;
    if (!vscode.workspace.isTrusted) return restrictedPage(view.webview);
    if (this.#open) this.#open.fill(view);
    else await this.#enter();
  }

  /** Another companion has another desk. What was open goes on there. */
  async #startAnew(): Promise<void> {
    if (!this.#room) return;
    await this.stop();
    await this.#fill();
  }

  /** What asks something and does not wait as a review, which counts there. */
  #count(): void {
    if (!this.#view) return;
    const { waiting } = this.#window.editor.reviews;
    const open = this.#open?.summaries ?? [];
    const asking = open.map(({ id, asks }) => Math.max(0, asks - waiting.filter(({ link }) => link === id).length));
    const value = asking.reduce((sum, each) => sum + each, 0);
    const tooltip = vscode.l10n.t('Questions of agents: {0}', value);
    this.#view.badge = value > 0 ? { value, tooltip } : undefined;
  }
}
