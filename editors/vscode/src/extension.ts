import * as vscode from 'vscode';
import { ChatView } from './chat/chat-view.ts';
import { registerCommands } from './commands.ts';
import { Pages } from './pages.ts';
import { StatusBar } from './status-bar.ts';
import { AgentsView } from './views/agents-view.ts';
import { ReviewsView } from './views/reviews-view.ts';
import { Window } from './window.ts';

let running: Window | undefined;
let chat: ChatView | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const channel = vscode.window.createOutputChannel('Tandem', { log: true });
  const window = new Window(context, channel);
  running = window;
  const pages = new Pages(window);
  chat = new ChatView(window, context);
  context.subscriptions.push(
    channel,
    new ReviewsView(window),
    new AgentsView(window),
    new StatusBar(window),
    pages,
    chat,
    registerCommands(window, pages, chat, channel),
  );
  await window.start();
}

/** Files and sockets go; agents that are connected are handed over to the window that comes after a reload. */
export async function deactivate(): Promise<void> {
  // Their reviews are withdrawn from a desk that is still there.
  await chat?.stop();
  await running?.stop();
  chat = undefined;
  running = undefined;
}
