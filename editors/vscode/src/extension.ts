import * as vscode from 'vscode';
import { ChatView } from './chat/chat-view.ts';
import { registerCommands } from './commands.ts';
import { inform } from './messages.ts';
import { Pages } from './pages.ts';
import type { NotesLeft } from './reviews/notes-on-demand.ts';
import { terminalOf } from './start-agent.ts';
import { StatusBar } from './status-bar.ts';
import { AgentsView } from './views/agents-view.ts';
import { ReviewsView } from './views/reviews-view.ts';
import { agentName, Window } from './window.ts';

let running: Window | undefined;
let chat: ChatView | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const channel = vscode.window.createOutputChannel('Tandem', { log: true });
  const window = new Window(context, channel);
  running = window;
  const pages = new Pages(window);
  const view = new ChatView(window, context);
  chat = view;
  context.subscriptions.push(
    channel,
    new ReviewsView(window),
    new AgentsView(window),
    new StatusBar(window),
    pages,
    view,
    registerCommands(window, pages, view, channel),
    { dispose: window.editor.reviews.notes.left.on((left) => void deliver(left, window, view)) },
  );
  await window.start();
}

async function deliver(left: NotesLeft, window: Window, view: ChatView): Promise<void> {
  try {
    const { deliverNotes } = await import('./offer-notes.ts');
    await deliverNotes(left, { chat: view, inform, agentName, terminalOf });
  } catch (error) {
    window.log('warn', `notes: ${(error as Error).message}`);
  }
}

/** Files and sockets go; agents that are connected are handed over to the window that comes after a reload. */
export async function deactivate(): Promise<void> {
  // Their reviews are withdrawn from a desk that is still there.
  await chat?.stop();
  await running?.stop();
  chat = undefined;
  running = undefined;
}
