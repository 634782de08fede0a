/** The part that runs in a page or webview too: no Node, no secrets. */
export type * from './commands.ts';
export type {
  ConnectionCapabilities,
  Locality,
  LocalityFact,
  PermissionAnswer,
  PromptBlock,
  PromptTaken,
  SessionOptions,
  SessionPage,
  SessionSummary,
  Vote,
} from './connection.ts';
export { type Ask, apply, applyAll, type Choosable, type Conversation, EMPTY, type Item } from './conversation.ts';
export type * from './events.ts';
export { type KeptChat, keepOf } from './kept.ts';
