import { type ParseArgsConfig, parseArgs } from 'node:util';
import { CommandError } from './errors.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** What every command understands. */
const COMMON = { json: { type: 'boolean', default: false }, port: { type: 'string' } } as const;

/** `parseArgs` with our common options, and its complaints as wrong usage. */
export function parse<T extends Options>(command: string, args: string[], options: T, max = Number.POSITIVE_INFINITY) {
  try {
    const parsed = parseArgs({ args, options: { ...COMMON, ...options }, allowPositionals: true });
    if (parsed.positionals.length > max) throw new Error(`"${parsed.positionals[max]}" is one argument too many`);
    return parsed;
  } catch (error) {
    throw usage(command, (error as Error).message.split('. ')[0] ?? '');
  }
}

export function usage(command: string, message: string): CommandError {
  return new CommandError(2, message, `tandem help ${command}`);
}

export function parsePort(command: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw usage(command, `--port: "${text}" is not a port`);
  return port;
}
