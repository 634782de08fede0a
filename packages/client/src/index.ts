export type { Candidate, Discovery } from './candidates.ts';
export { discoverClaude } from './claude.ts';
export type { FileDiagnostics, OpenEditor, OpenFileRequest, ToldDiagnostic } from './claude-asks.ts';
export type { ClaudeLink } from './claude-link.ts';
export { type ConnectOptions, connect, type Finder } from './connect.ts';
export {
  type EditorContext,
  MAX_FILES,
  MAX_SELECTION,
  normaliseOpenFiles,
  type OpenFile,
  type Position,
} from './context.ts';
export { DIALECT_NAMES, type DialectName, discover, type Endpoint, endpointsOf } from './endpoint.ts';
export { discoverGemini } from './gemini.ts';
export { ideProcess } from './ide-process.ts';
export type { LinkState, ReconnectOptions } from './lifeline.ts';
export type { Abilities, CompanionLink, Decision, Diff, LinkEvents, LinkOptions, Mention } from './link.ts';
export { discoverQwen } from './qwen.ts';
export { here, type Processes, type ProcessInfo, type Surroundings } from './surroundings.ts';
export { type AgentName, ConnectError, type ConnectFailure, NotConnected, type ToolResult } from './wire.ts';
