import { isAbsolute } from 'node:path';
import * as z from 'zod';
import type { Companion } from '../companion.ts';
import { Refusal } from '../refusal.ts';

/** Something a running companion can be asked from outside. */
export interface Verb<Input extends z.ZodType = z.ZodType> {
  readonly input: Input;
  run(input: z.infer<Input>, companion: Companion, call: VerbCall): unknown;
}

export interface VerbCall {
  /** Whoever asked has hung up. */
  readonly signal: AbortSignal;
}

export const path = z
  .string()
  .refine((value) => isAbsolute(value) && !value.includes('\0'), 'must be an absolute path');

export function verb<Input extends z.ZodType>(input: Input, run: Verb<Input>['run']): Verb {
  return { input, run } as unknown as Verb;
}

/** What the system refuses is the user's to know, not a fault of ours. */
export function orRefuse<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: Error) => {
    throw new Refusal(409, error.message);
  });
}
