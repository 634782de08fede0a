import * as z from 'zod';
import type { ShellResult } from '../events.ts';
import type { ToolCallWire } from './schema.ts';

/** What is kept of a command's output: the end of it says how it went. */
const MAX_OUTPUT = 256 * 1024;

/** A piece of a command's output, or its end: Codex tells them beside the call. */
interface Chunk {
  readonly output: string;
  readonly all: string;
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
}

const Meta = z.object({
  terminal_output_delta: z.object({ data: z.string() }).optional().catch(undefined),
  terminal_exit: z
    .object({ exit_code: z.number().nullish(), signal: z.string().nullish() })
    .optional()
    .catch(undefined),
});
/** Those before 1.0 told all of it at the end. */
const Raw = z.object({ exit_code: z.number(), aggregated_output: z.string().optional() });

function chunkOf({ _meta, rawOutput }: ToolCallWire): Chunk | undefined {
  const { terminal_output_delta: delta, terminal_exit: exit } = Meta.parse(_meta ?? {});
  const raw = Raw.safeParse(rawOutput).data;
  const exitCode = exit?.exit_code ?? raw?.exit_code;
  if (!delta && !exit && !raw) return undefined;
  return { output: delta?.data ?? '', all: raw?.aggregated_output ?? '', exitCode, signal: exit?.signal ?? undefined };
}

/** The output of one command, put together. */
export class ShellOutput {
  #text = '';
  #length = 0;
  #told = 0;
  #exitCode: number | undefined;
  #signal: string | undefined;

  /** What is to be shown after this message; `undefined` when it is as before, or nearly so. */
  add(wire: ToolCallWire): ShellResult | undefined {
    const chunk = chunkOf(wire);
    if (!chunk) return undefined;
    const output = chunk.output || (this.#length === 0 ? chunk.all : '');
    this.#text = (this.#text + output).slice(-MAX_OUTPUT);
    this.#length += output.length;
    this.#exitCode = chunk.exitCode ?? this.#exitCode;
    this.#signal = chunk.signal ?? this.#signal;
    const ends = chunk.exitCode !== undefined || wire.status === 'completed' || wire.status === 'failed';
    if (!ends && !this.#hasGrown) return undefined;
    this.#told = this.#length;
    return {
      output: this.#text,
      ...(this.#exitCode === undefined ? {} : { exitCode: this.#exitCode }),
      ...(this.#signal === undefined ? {} : { signal: this.#signal }),
      ...(this.#length > MAX_OUTPUT ? { truncated: true } : {}),
    };
  }

  /** All of it is told each time, so it must have grown by a part: else small pieces of much output cost its square. */
  get #hasGrown(): boolean {
    return (this.#length - this.#told) * 8 >= Math.min(this.#told, MAX_OUTPUT);
  }
}
