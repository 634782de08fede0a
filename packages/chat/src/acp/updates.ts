import { readContext } from '../context-text.ts';
import type {
  Attachment,
  ChatEvent,
  Json,
  ToolCall,
  ToolCallPatch,
  ToolContent,
  ToolStatus,
  Usage,
} from '../events.ts';
import { type ContentBlock, type SessionUpdate, ShellOutput, type ToolCallWire } from './schema.ts';
import { optionEvents } from './state.ts';

/** What one update means to a reader. `promptId` is told where the transport knows it. */
export function eventsOf(update: SessionUpdate, promptId?: string): ChatEvent[] {
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
      return userChunk(update.content, promptId ?? promptOf(update._meta));
    case 'agent_message_chunk':
      return [...agentChunk(update.content), ...usageOf(update._meta?.usage)];
    case 'agent_thought_chunk':
      return update.content.type === 'text' && update.content.text !== ''
        ? [{ type: 'thought', text: update.content.text }]
        : [];
    case 'tool_call':
      return [{ type: 'tool', call: { ...BLANK_CALL, ...toolPatch(update) } }];
    case 'tool_call_update':
      return [{ type: 'tool', call: toolPatch(update) }];
    case 'plan':
      return [{ type: 'plan', entries: update.entries }];
    case 'available_commands_update':
      return [{ type: 'commands', commands: update.availableCommands.map(command) }];
    case 'current_mode_update':
      return [{ type: 'mode', current: update.currentModeId }];
    case 'config_option_update':
      return optionEvents(update.configOptions);
    case 'session_info_update':
      return update.title === undefined ? [] : [{ type: 'title', title: update.title }];
    case 'usage_update':
      return [{ type: 'usage', usage: { used: update.used, size: update.size } }];
  }
}

/** Over ACP a history does not tell its prompts apart; Qwen tells when each was said. */
function promptOf(
  meta: { promptId: string | undefined; timestamp: number | undefined } | undefined,
): string | undefined {
  return meta?.promptId ?? meta?.timestamp?.toString();
}

export const BLANK_CALL = { title: '', kind: 'other', status: 'pending', locations: [], content: [] } as const;

/** What Gemini CLI tells the model before the first prompt, and remembers as the user's words. */
const GEMINIS_OWN = /^\s*<session_context>[\s\S]*?<\/session_context>/;

function userChunk(content: ContentBlock, promptId: string | undefined): ChatEvent[] {
  const prompt = promptId === undefined ? {} : { promptId };
  if (content.type !== 'text') {
    return [{ type: 'message', role: 'user', text: '', attachments: [attachmentOf(content)], ...prompt }];
  }
  const { text, attachments } = readContext(content.text.replace(GEMINIS_OWN, ''));
  if (text === '' && attachments.length === 0) return [];
  const more = attachments.length > 0 ? { attachments } : {};
  return [{ type: 'message', role: 'user', text, ...more, ...prompt }];
}

function agentChunk(content: ContentBlock): ChatEvent[] {
  if (content.type !== 'text') {
    return [{ type: 'message', role: 'agent', text: '', attachments: [attachmentOf(content)] }];
  }
  return content.text === '' ? [] : [{ type: 'message', role: 'agent', text: content.text }];
}

function usageOf(usage: Readonly<Record<string, number | undefined>> | undefined): ChatEvent[] {
  if (!usage) return [];
  const told: [keyof Usage, number | undefined][] = [
    ['input', usage.inputTokens],
    ['output', usage.outputTokens],
    ['thought', usage.thoughtTokens],
    ['cached', usage.cachedReadTokens],
  ];
  return [{ type: 'usage', usage: Object.fromEntries(told.filter(([, value]) => value !== undefined)) }];
}

export function attachmentOf(content: Exclude<ContentBlock, { type: 'text' }>): Attachment {
  switch (content.type) {
    case 'image':
      return { type: 'image', mimeType: content.mimeType, data: content.data };
    case 'audio':
      return { type: 'other', label: content.mimeType };
    case 'resource_link':
      return fileOf(content.uri) ?? { type: 'other', label: content.name ?? content.uri };
    case 'resource':
      return fileOf(content.resource.uri) ?? { type: 'other', label: content.resource.uri };
  }
}

/** `file:///a/b.ts#L3-5`; lines count from 1 there. */
function fileOf(uri: string): Attachment | undefined {
  if (!uri.startsWith('file://')) return undefined;
  try {
    const url = new URL(uri);
    const path = decodeURIComponent(url.pathname);
    const [, from, to] = /^#L(\d+)(?:-L?(\d+))?$/.exec(url.hash) ?? [];
    const lines = from === undefined ? {} : { lines: { start: Number(from) - 1, end: Number(to ?? from) - 1 } };
    return { type: 'file', path, ...lines };
  } catch {
    return undefined;
  }
}

const STATUS: Readonly<Record<NonNullable<ToolCallWire['status']>, ToolStatus>> = {
  pending: 'pending',
  in_progress: 'running',
  completed: 'completed',
  failed: 'failed',
};

export function toolPatch(wire: ToolCallWire): ToolCallPatch {
  const shell = ShellOutput.safeParse(wire.rawOutput);
  const tool = wire._meta?.toolName ?? claudeTool(wire._meta?.claudeCode) ?? wire.name;
  const input = jsonOf(wire.rawInput);
  // Qwen tells what its tool for reading was asked for, which counts from 0.
  const first = wire._meta?.toolName === 'read_file' ? 0 : 1;
  return {
    id: wire.toolCallId,
    ...(wire.title === undefined ? {} : { title: wire.title }),
    ...(wire.kind === undefined ? {} : { kind: wire.kind }),
    ...(wire.status === undefined ? {} : { status: STATUS[wire.status] }),
    ...(typeof tool === 'string' ? { tool } : {}),
    ...(wire.locations === undefined ? {} : { locations: wire.locations.map((each) => location(each, first)) }),
    ...(wire.content === undefined ? {} : { content: wire.content.flatMap(contentOf) }),
    ...(input === undefined ? {} : { input }),
    ...(shell.success ? { shell: shellOf(shell.data) } : {}),
  };
}

/** A whole call, for those that were not told before. */
export function toolCall(wire: ToolCallWire): ToolCall {
  return { ...BLANK_CALL, ...toolPatch(wire) };
}

function claudeTool(meta: unknown): unknown {
  return typeof meta === 'object' && meta !== null && 'toolName' in meta ? meta.toolName : undefined;
}

/** ACP counts lines from 1. */
function location({ path, line }: { path: string; line: number | undefined }, first: number) {
  return { path, ...(line === undefined ? {} : { line: Math.max(0, line - first) }) };
}

type ContentWire = NonNullable<ToolCallWire['content']>[number];
type DiffWire = ContentWire & { type: 'diff' };

function contentOf(content: ContentWire): ToolContent[] {
  if (content.type === 'diff') return changeOf(content);
  if (content.type === 'terminal') return []; // we offer no terminals
  const block = content.content;
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }];
    case 'image':
      return [{ type: 'image', mimeType: block.mimeType, data: block.data }];
    case 'audio':
      return [{ type: 'text', text: `(${block.mimeType})` }];
    case 'resource_link':
      return [{ type: 'resource', uri: block.uri }];
    case 'resource': {
      const { uri, text } = block.resource;
      return [{ type: 'resource', uri, ...(text === undefined ? {} : { text }) }];
    }
  }
}

/** Codex tells a file that goes, or that only moves, as a change of its text; said in words it is clear. */
function changeOf({ path, oldText = '', newText, _meta }: DiffWire): ToolContent[] {
  const diff = { type: 'diff', path, oldText, newText } as const;
  if (_meta?.kind === 'delete') return [diff, { type: 'text', text: `Deletes ${path}` }];
  if (_meta?.kind === 'update' && oldText === newText) return [{ type: 'text', text: `Moves a file to ${path}` }];
  return [diff];
}

function shellOf({ output, exitCode, signal, truncated }: ReturnType<typeof ShellOutput.parse>) {
  return {
    output,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal: String(signal) }),
    ...(truncated ? { truncated } : {}),
  };
}

/** Came from JSON, so it is JSON. An empty object says nothing: the agents send one before they know the input. */
function jsonOf(value: unknown): Json | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'object' && Object.keys(value).length === 0) return undefined;
  return value as Json;
}

function command(wire: {
  name: string;
  description: string | undefined;
  input: { hint: string | undefined } | undefined;
}) {
  const hint = wire.input?.hint;
  return { name: wire.name, description: wire.description ?? '', ...(hint ? { hint } : {}) };
}
