import * as z from 'zod';

/**
 * What agents send in `session/update` and `session/request_permission`. The daemon's frames carry the same, so both
 * connections read them with this. Unknown fields pass by unread; a wrong type in a known one is told in the log.
 */
const optional = <T extends z.ZodType>(type: T) => type.nullish().transform((value) => value ?? undefined);

export const ContentBlock = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string() }),
  z.object({ type: z.literal('audio'), data: z.string(), mimeType: z.string() }),
  z.object({ type: z.literal('resource_link'), uri: z.string(), name: optional(z.string()) }),
  z.object({
    type: z.literal('resource'),
    resource: z.object({ uri: z.string(), text: optional(z.string()), mimeType: optional(z.string()) }),
  }),
]);
export type ContentBlock = z.infer<typeof ContentBlock>;

const Kind = z.enum(['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'switch_mode', 'other']);

const ToolContent = z.union([
  z.object({ type: z.literal('content'), content: ContentBlock }),
  z.object({
    type: z.literal('diff'),
    path: z.string(),
    oldText: optional(z.string()),
    newText: z.string(),
    /** Codex tells there whether a file comes, goes or changes. */
    _meta: optional(z.object({ kind: z.unknown().optional() })),
  }),
  z.object({ type: z.literal('terminal'), terminalId: z.string() }),
]);

/** A call and its updates have the same fields; in an update each may be absent. */
export const ToolCallWire = z.object({
  toolCallId: z.string(),
  name: optional(z.string()),
  title: optional(z.string()),
  kind: optional(Kind.catch('other')),
  status: optional(z.enum(['pending', 'in_progress', 'completed', 'failed'])),
  content: optional(z.array(ToolContent)),
  locations: optional(z.array(z.object({ path: z.string(), line: optional(z.number()) }))),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
  _meta: optional(z.record(z.string(), z.unknown())),
});
export type ToolCallWire = z.infer<typeof ToolCallWire>;

/** Qwen tells a command's result apart from its text. */
export const ShellOutput = z.object({
  type: z.literal('shell_result'),
  output: z.string(),
  exitCode: optional(z.number()),
  signal: optional(z.union([z.string(), z.number()])),
  truncated: optional(z.boolean()),
});

const CallUsage = z.object({
  inputTokens: optional(z.number()),
  outputTokens: optional(z.number()),
  thoughtTokens: optional(z.number()),
  cachedReadTokens: optional(z.number()),
});

const chunk = <K extends string>(kind: K) =>
  z.object({
    sessionUpdate: z.literal(kind),
    messageId: z.string().optional().catch(undefined),
    content: ContentBlock,
    _meta: optional(
      z.object({ usage: optional(CallUsage), promptId: optional(z.string()), timestamp: optional(z.number()) }),
    ),
  });

export const ConfigOption = z.object({
  id: z.string(),
  name: optional(z.string()),
  category: optional(z.string()),
  type: z.string(),
  currentValue: z.unknown(),
  options: optional(
    z.array(
      z.object({ value: z.string(), name: optional(z.string()), description: optional(z.string()) }).or(z.unknown()),
    ),
  ),
});
export type ConfigOption = z.infer<typeof ConfigOption>;

export const SessionUpdate = z.discriminatedUnion('sessionUpdate', [
  chunk('user_message_chunk'),
  chunk('agent_message_chunk'),
  chunk('agent_thought_chunk'),
  ToolCallWire.extend({ sessionUpdate: z.literal('tool_call') }),
  ToolCallWire.extend({ sessionUpdate: z.literal('tool_call_update') }),
  z.object({
    sessionUpdate: z.literal('plan'),
    entries: z.array(
      z.object({
        content: z.string(),
        priority: z.enum(['high', 'medium', 'low']).catch('medium'),
        status: z.enum(['pending', 'in_progress', 'completed']),
      }),
    ),
  }),
  z.object({
    sessionUpdate: z.literal('available_commands_update'),
    availableCommands: z.array(
      z.object({
        name: z.string(),
        description: optional(z.string()),
        input: optional(z.object({ hint: optional(z.string()) })),
      }),
    ),
  }),
  z.object({ sessionUpdate: z.literal('current_mode_update'), currentModeId: z.string() }),
  z.object({ sessionUpdate: z.literal('config_option_update'), configOptions: z.array(ConfigOption) }),
  z.object({ sessionUpdate: z.literal('session_info_update'), title: optional(z.string()) }),
  z.object({ sessionUpdate: z.literal('usage_update'), used: z.number(), size: z.number() }),
]);
export type SessionUpdate = z.infer<typeof SessionUpdate>;
export type ToolCallUpdate = SessionUpdate & { sessionUpdate: 'tool_call' | 'tool_call_update' };

export const PermissionWire = z.object({
  toolCall: ToolCallWire,
  options: z.array(
    z.object({
      optionId: z.string(),
      name: z.string(),
      kind: z.enum(['allow_once', 'allow_always', 'reject_once', 'reject_always']),
    }),
  ),
});
export type PermissionWire = z.infer<typeof PermissionWire>;

export const QuestionsWire = z.array(
  z.object({
    question: z.string(),
    header: optional(z.string()),
    options: optional(z.array(z.object({ label: z.string(), description: optional(z.string()) }))),
    multiSelect: optional(z.boolean()),
    answerKey: optional(z.string()),
  }),
);

const Choices = <I extends string>(id: I) =>
  z.array(
    z.object({ [id]: z.string(), name: z.string(), description: optional(z.string()) } as Record<string, z.ZodType>),
  );

/** What a session says of its models, modes and options, in `session/new`, `load`, `resume` and the daemon's context. */
export const SessionState = z.object({
  models: optional(z.object({ currentModelId: z.string(), availableModels: Choices('modelId') })),
  modes: optional(z.object({ currentModeId: z.string(), availableModes: Choices('id') })),
  configOptions: optional(z.array(ConfigOption)),
});
export type SessionState = z.infer<typeof SessionState>;
