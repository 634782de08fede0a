import * as z from 'zod';
import type { ChatErrorCode } from '../connection.ts';
import type { TurnEnd, Usage } from '../events.ts';
import { SessionState } from './schema.ts';

/** What agents answer, as far as we read it. */
const optional = <T extends z.ZodType>(type: T) => type.nullish().transform((value) => value ?? undefined);

export const Initialized = z.object({
  protocolVersion: z.number(),
  agentInfo: optional(z.object({ name: optional(z.string()), version: optional(z.string()) })),
  agentCapabilities: optional(
    z.object({
      loadSession: optional(z.boolean()),
      promptCapabilities: optional(z.object({ image: optional(z.boolean()), embeddedContext: optional(z.boolean()) })),
      sessionCapabilities: optional(z.object({ list: optional(z.unknown()), resume: optional(z.unknown()) })),
    }),
  ),
});
export type Initialized = z.infer<typeof Initialized>;

export const NewSession = SessionState.extend({ sessionId: z.string() });

export const SessionsPage = z.object({
  sessions: z.array(
    z.object({
      sessionId: z.string(),
      title: optional(z.string()),
      cwd: optional(z.string()),
      updatedAt: optional(z.string()),
    }),
  ),
  nextCursor: optional(z.union([z.string(), z.number()]).transform(String)),
});

const ENDS = ['end_turn', 'cancelled', 'max_tokens', 'max_turn_requests', 'refusal'] as const satisfies TurnEnd[];

export const PromptDone = z.object({
  stopReason: z.enum(ENDS),
  usage: optional(
    z
      .object({
        inputTokens: optional(z.number()),
        outputTokens: optional(z.number()),
        thoughtTokens: optional(z.number()),
        cachedReadTokens: optional(z.number()),
      })
      .transform((usage): Usage => {
        const { inputTokens: input, outputTokens: output, thoughtTokens: thought, cachedReadTokens: cached } = usage;
        const told = Object.entries({ input, output, thought, cached }).filter(([, value]) => value !== undefined);
        return Object.fromEntries(told);
      }),
  ),
});

export interface Failure {
  readonly code: ChatErrorCode;
  readonly message: string;
}

const AUTHENTICATION = -32000;

/** JSON-RPC hides the reason in `data`. */
export function failureOf(error: unknown): Failure {
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  const details = typeof data === 'string' ? data : (data as { details?: unknown } | null | undefined)?.details;
  const text = typeof details === 'string' ? details : typeof message === 'string' ? message : String(error);
  if (code === AUTHENTICATION) return { code: 'authentication', message: text };
  return { code: typeof code === 'number' ? 'refused' : 'failed', message: text };
}
