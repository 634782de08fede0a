import { existsSync } from 'node:fs';
import { SHARING } from '@tandem/core';
import * as vscode from 'vscode';
import type { ChatView } from './chat/chat-view.ts';
import { environmentText } from './environment-text.ts';
import { inform } from './messages.ts';
import type { Pages } from './pages.ts';
import type { Note } from './reviews/note.ts';
import { send, sendSelection } from './send.ts';
import { startAgent } from './start-agent.ts';
import { sharingText } from './status-bar.ts';
import { terminalVariables } from './terminal-variables.ts';
import type { Window } from './window.ts';

/** A title button gives the right side's address, the tree its node, a key or the palette nothing. */
type Target = vscode.Uri | { readonly kind: string; readonly id: string } | undefined;

export function registerCommands(
  window: Window,
  pages: Pages,
  chat: ChatView,
  channel: vscode.LogOutputChannel,
): vscode.Disposable {
  const { reviews } = window.editor;
  const onReview = (work: (id: string) => void | Promise<void>) => (target: Target) => {
    const id = target && 'kind' in target ? target.id : reviews.idFor(target);
    // Nothing is decided that cannot be seen.
    return id === undefined ? reviews.step(1) : work(id);
  };
  const commands: Record<string, (...args: never[]) => unknown> = {
    acceptReview: onReview((id) => reviews.accept(id)),
    rejectReview: onReview((id) => reviews.reject(id)),
    showReview: onReview((id) => reviews.reveal(id)),
    nextReview: () => reviews.step(1),
    previousReview: () => reviews.step(-1),
    addNote: onReview((id) => reviews.addNote(id)),
    keepNote: async (reply: vscode.CommentReply) => (await reviews.notes.ready()).keep(reply),
    editNote: async (note: Note) => (await reviews.notes.ready()).edit(note),
    saveNote: async (note: Note) => (await reviews.notes.ready()).save(note),
    cancelNote: async (note: Note) => (await reviews.notes.ready()).cancel(note),
    removeNote: async (note: Note) => (await reviews.notes.ready()).remove(note),
    openKeptEdits: () => window.keptEdits.open(),
    startAgent: (node?: { published?: { dialect: { id: string } } }) => startAgent(window, node?.published?.dialect.id),
    copyEnvironment: () => copyEnvironment(window),
    showLedger: () => pages.showLedger(),
    doctor: () => pages.showDoctor(),
    openDenySetting: () => vscode.commands.executeCommand('workbench.action.openSettings', 'tandem.deny'),
    setSharing: () => chooseSharing(window),
    sendSelection: () => sendSelection(window),
    sendFile: (uri?: vscode.Uri) => sendFile(window, uri),
    openChat: () => chat.show(),
    newChat: () => chat.begin(),
    sendToChat: () => chat.attachSelection(),
    setDaemonToken: () => chat.setDaemonToken(),
    restart: () => window.restart(),
    showLog: () => channel.show(),
  };
  const registered = Object.entries(commands).map(([name, work]) =>
    vscode.commands.registerCommand(`tandem.${name}`, work as (...args: unknown[]) => unknown),
  );
  return vscode.Disposable.from(...registered);
}

async function chooseSharing(window: Window): Promise<void> {
  const { t } = vscode.l10n;
  const names = { auto: t('Automatic'), explicit: t('Only What I Send'), off: t('Off') };
  const modes = SHARING.map((sharing) => ({
    label: `${sharing === window.sharing ? '$(check)' : '$(blank)'} ${names[sharing]}`,
    description: sharingText(sharing),
    run: () => window.setSharing(sharing),
  }));
  const command = (label: string, id: string) => ({
    label,
    description: '',
    run: async () => void (await vscode.commands.executeCommand(id)),
  });
  const line = { label: '', kind: vscode.QuickPickItemKind.Separator, description: '', run: async () => {} };
  const more = [
    command(t('$(list-unordered) Show What Has Left'), 'tandem.showLedger'),
    command(t('$(settings-gear) What Is Never Shared'), 'tandem.openDenySetting'),
  ];
  const chosen = await vscode.window.showQuickPick([...modes, line, ...more], {
    placeHolder: t('What may agents see of this window?'),
  });
  await chosen?.run();
}

async function copyEnvironment(window: Window): Promise<void> {
  const text = environmentText(
    terminalVariables(window.companion.published, process.env, existsSync),
    vscode.env.shell,
  );
  await vscode.env.clipboard.writeText(text);
  const message = vscode.l10n.t(
    'Copied. Paste it into a terminal outside this window; it holds a secret of this session.',
  );
  await inform(message);
}

async function sendFile(window: Window, uri = vscode.window.activeTextEditor?.document.uri): Promise<void> {
  if (uri?.scheme === 'file') await send(window, uri.fsPath);
}
