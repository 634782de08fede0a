// Read when a review with notes has ended; like notes.ts it shares no module with what is read at the start.
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { ChatView } from './chat/chat-view.ts';
import { oneLine } from './one-line.ts';
import type { NotesLeft } from './reviews/notes-on-demand.ts';

export interface NotesWays {
  readonly chat: ChatView;
  readonly inform: (message: string, ...actions: string[]) => Thenable<string | undefined>;
  readonly agentName: (id: string) => string;
  /** The terminal that an agent was started in from here. */
  readonly terminalOf: (agent: string) => vscode.Terminal | undefined;
}

/**
 * No agent's answer carries notes. Whoever rejects here wants the agent to hear them, so a conversation is told at once;
 * everything else is the user's choice.
 */
export async function deliverNotes(left: NotesLeft, ways: NotesWays): Promise<void> {
  const { review, prompt } = left;
  const { chat, inform, agentName } = ways;
  const rejectedHere = review.state === 'rejected' && review.decidedBy === 'editor';
  if (!rejectedHere || !(await chat.say(review.link, prompt))) return offer(left, ways, !rejectedHere);
  const { t } = vscode.l10n;
  const show = t('Show Chat');
  const message = t('{0} is told your notes on {1}.', agentName(review.agent), basename(review.path));
  if ((await inform(message, show)) === show) await chat.show();
}

async function offer(left: NotesLeft, ways: NotesWays, toChat: boolean): Promise<void> {
  const { review, prompt } = left;
  const { chat, inform, agentName, terminalOf } = ways;
  const { t } = vscode.l10n;
  const [send, copy, paste] = [t('Send to Chat'), t('Copy as Prompt'), t('Paste into Terminal')];
  const terminal = terminalOf(review.agent);
  const [agent, file] = [agentName(review.agent), basename(review.path)];
  const answer = await inform(
    t('Your notes on the proposal of {0} for {1} are ready as a prompt.', agent, file),
    ...(toChat && chat.has(review.link) ? [send] : []),
    copy,
    ...(terminal ? [paste] : []),
  );
  if (answer === copy) await vscode.env.clipboard.writeText(prompt);
  if (answer === send && !(await chat.say(review.link, prompt))) await offer(left, ways, false);
  if (answer === paste && terminal) {
    terminal.show();
    // Without an end of line: whatever reads there, nothing is run before the user says so.
    terminal.sendText(oneLine(prompt), false);
  }
}
