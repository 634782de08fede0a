export { Companion, type CompanionOptions, type PublishedDialect } from './companion.ts';
export { describeLink, describeReview } from './control/describe.ts';
export { DIALECTS } from './dialects/index.ts';
export type { Dialect, DialectServer, DiscoveryFile, Door, Listener, Places, Publication } from './dialects/port.ts';
export { contains, isOutside, resolveFolders } from './discovery/folders.ts';
export { type Mark, markOf } from './discovery/mark.ts';
export { answers, isAlive, isPort } from './discovery/process.ts';
export { CONTAINER_MARKS, findProgram, pathFolders } from './discovery/program.ts';
export { type CompanionRecord, Registry } from './discovery/registry.ts';
export {
  checkDirectory,
  ensurePrivateDirectory,
  readOwnJson,
  removeFile,
  writePrivateFile,
} from './discovery/safe-files.ts';
export { readTextFile, requireTextFile } from './editor/before.ts';
export { Desk, DeskFull, type Outcome, type ReviewRequest } from './editor/desk.ts';
export { languageOf } from './editor/languages.ts';
export { Ledger, type LedgerEntry } from './editor/ledger.ts';
export { MemoryEditor } from './editor/memory-editor.ts';
export type * from './editor/model.ts';
export { DEFAULT_DENY, Policy, SHARING, type SharedContext, type Sharing } from './editor/policy.ts';
export type * from './editor/port.ts';
export type * from './editor/review.ts';
export { isAmended } from './editor/review.ts';
export { textAt } from './editor/text.ts';
export { Workspace } from './editor/workspace.ts';
export type { House, WireEntry } from './house.ts';
export { KernelOnDemand } from './kernel/on-demand.ts';
export type { KernelLimits, KernelOptions } from './kernel/runner.ts';
export { DEFAULT_LIMITS, type Limits } from './limits.ts';
export { type AgentInfo, type Link, Links, type Mention } from './links.ts';
export type { Log, LogLevel } from './log.ts';
export { type Sending, sendMention } from './mention.ts';
export { Refusal } from './refusal.ts';
export { Signal } from './signal.ts';
export { type Check, checkHost, newToken, sameToken } from './transport/checks.ts';
export { VERSION } from './version.ts';
