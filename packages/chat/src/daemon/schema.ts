import * as z from 'zod';
import { PermissionWire, SessionState, SessionUpdate } from '../acp/schema.ts';

/** What the daemon (protocol v1) sends, as far as we read it. Frames of the real one are in test/frames. */
const optional = <T extends z.ZodType>(type: T) => type.nullish().transform((value) => value ?? undefined);

export const Envelope = z.object({
  /** Synthetic frames, such as `replay_complete`, have none. */
  id: optional(z.int().min(0)),
  v: z.literal(1),
  type: z.string(),
  data: z.unknown(),
  promptId: optional(z.string()),
  originatorClientId: optional(z.string()),
});
export type Envelope = z.infer<typeof Envelope>;

const Outcome = z.union([
  z.object({ outcome: z.literal('selected'), optionId: z.string() }),
  z.object({ outcome: z.literal('cancelled') }),
]);
const resolved = z.object({ requestId: z.string(), outcome: Outcome, voterClientId: optional(z.string()) });

/** Live frames nest the update, transcripts have it flat. */
const sessionUpdate = z.union([z.object({ update: SessionUpdate }).transform(({ update }) => update), SessionUpdate]);

/** Every event that is handled, by its type. */
export const EVENTS = {
  session_update: sessionUpdate,
  permission_request: PermissionWire.extend({ requestId: z.string() }),
  permission_resolved: resolved,
  permission_already_resolved: resolved,
  permission_forbidden: z.object({ requestId: z.string(), clientId: optional(z.string()), reason: z.string() }),
  turn_complete: z.object({ promptId: z.string(), stopReason: z.string() }),
  turn_error: z.object({
    promptId: z.string(),
    message: z.string(),
    code: optional(z.union([z.string(), z.number()])),
  }),
  prompt_cancelled: z.object({ reason: optional(z.string()) }),
  model_switched: z.object({ modelId: z.string() }),
  model_switch_failed: z.object({ requestedModelId: optional(z.string()), error: z.string() }),
  approval_mode_changed: z.object({ previous: optional(z.string()), next: z.string() }),
  session_metadata_updated: z.object({ displayName: optional(z.string()) }),
  pending_prompt_added: z.object({ promptId: z.string(), text: z.string() }),
  pending_prompt_started: z.object({ promptId: z.string() }),
  pending_prompt_completed: z.object({ promptId: z.string(), state: z.string() }),
  mid_turn_message_injected: z.object({ messages: z.array(z.unknown()) }),
  session_died: z.object({ reason: optional(z.string()) }),
  session_closed: z.object({ reason: optional(z.string()) }),
  client_evicted: z.object({ reason: optional(z.string()) }),
  stream_error: z.object({ error: z.string() }),
  state_resync_required: z.object({ reason: z.string() }),
  session_rewound: z.object({}),
  slow_client_warning: z.object({}),
  history_truncated: z.object({}),
  replay_complete: z.object({}),
  session_snapshot: z.object({
    currentModelId: optional(z.string()),
    currentApprovalMode: optional(z.string()),
  }),
} as const;

export type EventType = keyof typeof EVENTS;
export type EventData<T extends EventType> = z.infer<(typeof EVENTS)[T]>;

/** A frame whose data was checked. */
export type DaemonEvent = {
  [T in EventType]: { readonly type: T; readonly data: EventData<T> } & Pick<
    Envelope,
    'id' | 'promptId' | 'originatorClientId'
  >;
}[EventType];

export const Capabilities = z.object({
  v: z.number(),
  protocolVersions: z.object({ current: z.string(), supported: z.array(z.string()) }),
  qwenCodeVersion: optional(z.string()),
  features: z.array(z.string()),
  limits: z
    .object({ maxPendingPromptsPerSession: optional(z.number()) })
    .catch({ maxPendingPromptsPerSession: undefined }),
  workspaceCwd: z.string(),
  /** Absent in the first seconds, until the daemon's runtime is up. */
  workspaces: optional(z.array(z.object({ cwd: z.string() }))),
});
export type Capabilities = z.infer<typeof Capabilities>;

export const Created = z.object({
  sessionId: z.string(),
  workspaceCwd: z.string(),
  clientId: z.string(),
  attached: optional(z.boolean()),
});

export const Restored = Created.extend({
  hasActivePrompt: optional(z.boolean()),
  state: optional(SessionState),
  compactedReplay: optional(z.array(z.unknown())),
  liveJournal: optional(z.array(z.unknown())),
  lastEventId: optional(z.int()),
  eventEpoch: optional(z.string()),
});
export type Restored = z.infer<typeof Restored>;

export const Context = z.object({
  recovery: optional(z.object({ kind: z.string(), canContinue: optional(z.boolean()) })),
  state: SessionState,
});
export type Context = z.infer<typeof Context>;

export const Admitted = z.object({ promptId: z.string() });
export const Continued = z.object({ accepted: optional(z.boolean()), promptId: optional(z.string()) });
export const Removed = z.object({ removed: z.boolean() });

const PendingPrompt = z.object({
  promptId: z.string(),
  text: z.string(),
  state: z.string(),
  originatorClientId: optional(z.string()),
});
export type PendingPrompt = z.infer<typeof PendingPrompt>;
export const PendingPrompts = z.object({ pendingPrompts: z.array(PendingPrompt) });

/** What waits for an answer, in the words of the status route. */
export const PendingInteraction = z.object({
  requestId: z.string(),
  kind: z.string(),
  action: optional(
    z.object({
      type: optional(z.string()),
      title: optional(z.string()),
      content: optional(z.array(z.unknown())),
      locations: optional(z.array(z.unknown())),
      input: z.unknown().optional(),
    }),
  ),
  questions: z.unknown().optional(),
  options: optional(z.array(z.object({ optionId: z.string(), label: z.string(), kind: z.string() }))),
});

export type PendingInteraction = z.infer<typeof PendingInteraction>;

export const SessionSummaryWire = z.object({
  sessionId: z.string(),
  workspaceCwd: z.string(),
  displayName: optional(z.string()),
  updatedAt: optional(z.string()),
  hasActivePrompt: optional(z.boolean()),
  pendingInteractionCount: optional(z.number()),
  pendingInteractions: optional(z.array(z.unknown())),
});

export const SessionList = z.object({
  sessions: z.array(SessionSummaryWire),
  nextCursor: optional(z.union([z.string(), z.number()])),
});

export const ErrorBody = z.object({
  error: optional(z.string()),
  code: optional(z.union([z.string(), z.number()])),
  limit: optional(z.number()),
  boundWorkspace: optional(z.string()),
  data: optional(z.object({ details: optional(z.string()) })),
});
