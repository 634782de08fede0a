import type { AgentConnection, PermissionAnswer, SessionOptions } from './connection.ts';
import type { LineSpan } from './events.ts';

/**
 * What a panel asks for, as plain JSON: one of these per message from the page or webview. `Chat.perform` (chat.ts) carries
 * it out and its answer is plain JSON too.
 */
export type ChatCommand =
  | { readonly do: 'prompt'; readonly draft: PromptDraft }
  | { readonly do: 'take-back'; readonly promptId: string }
  | { readonly do: 'cancel' }
  | { readonly do: 'continue' }
  | { readonly do: 'reconnect' }
  | { readonly do: 'new-session'; readonly options?: SessionOptions }
  | { readonly do: 'list-sessions'; readonly cursor?: string }
  | { readonly do: 'load-session'; readonly id: string; readonly options?: SessionOptions }
  | { readonly do: 'resume-session'; readonly id: string; readonly options?: SessionOptions }
  | { readonly do: 'rename-session'; readonly title: string; readonly id?: string }
  | { readonly do: 'set-model'; readonly id: string }
  | { readonly do: 'set-mode'; readonly id: string }
  | { readonly do: 'set-option'; readonly id: string; readonly value: string }
  | { readonly do: 'permission'; readonly id: string; readonly answer: PermissionAnswer }
  | {
      readonly do: 'question';
      readonly id: string;
      /** Left out: the question is declined. */
      readonly answers?: Readonly<Record<string, string>>;
    }
  | { readonly do: 'locality' };

/** What the user wrote, and what should go along. The texts are read on this side, under the policy. */
export interface PromptDraft {
  readonly text: string;
  /** Files or lines of them that the user named with @ or attached. */
  readonly mentions?: readonly { readonly path: string; readonly lines?: LineSpan }[];
  readonly images?: readonly { readonly mimeType: string; readonly data: string }[];
  /** Whether what the user looks at goes along: the active file and the selection. */
  readonly context?: boolean;
}

/** Everything but `prompt`, which needs to know the editor. */
export function perform(
  connection: AgentConnection,
  command: Exclude<ChatCommand, { do: 'prompt' }>,
): Promise<unknown> {
  switch (command.do) {
    case 'take-back':
      return connection.takeBack(command.promptId);
    case 'cancel':
      return connection.cancel();
    case 'continue':
      return connection.continueTurn();
    case 'reconnect':
      return connection.reconnect();
    case 'new-session':
      return connection.newSession(command.options);
    case 'list-sessions':
      return connection.listSessions(command.cursor);
    case 'load-session':
      return connection.loadSession(command.id, command.options);
    case 'resume-session':
      return connection.resumeSession(command.id, command.options);
    case 'rename-session':
      return connection.renameSession(command.title, command.id);
    case 'set-model':
      return connection.setModel(command.id);
    case 'set-mode':
      return connection.setMode(command.id);
    case 'set-option':
      return connection.setOption(command.id, command.value);
    case 'permission':
      return connection.respondToPermission(command.id, command.answer);
    case 'question':
      return connection.answerQuestion(command.id, command.answers);
    case 'locality':
      return connection.locality();
  }
}
