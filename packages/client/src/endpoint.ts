import type { Candidate, Discovery } from './candidates.ts';
import { discoverClaude } from './claude.ts';
import { discoverGemini } from './gemini.ts';
import { discoverQwen } from './qwen.ts';
import { here, type Surroundings } from './surroundings.ts';

/** Whose way of finding and speaking to a companion is used. */
export type DialectName = 'claude' | 'gemini' | 'qwen';
export const DIALECT_NAMES: readonly DialectName[] = ['claude', 'gemini', 'qwen'];

/** Where a companion is reached. */
export interface Endpoint {
  readonly dialect: DialectName;
  readonly port: number;
  /** Loopback unless told otherwise. */
  readonly host?: string;
  readonly token?: string | undefined;
  /** As it named itself in its file. */
  readonly editor?: string | undefined;
  readonly folders?: readonly string[];
}

const RULES: Readonly<Record<DialectName, (around: Surroundings) => Discovery>> = {
  claude: discoverClaude,
  gemini: discoverGemini,
  qwen: discoverQwen,
};

/** What this agent finds from here, in its own order and by its own rules. Nothing is changed on disk. */
export function discover(dialect: DialectName, around: Surroundings = here()): Discovery {
  return RULES[dialect](around);
}

/** The companions that the agent would try, one after the other. */
export function endpointsOf(dialect: DialectName, { chosen, next = [] }: Discovery): readonly Endpoint[] {
  // A file of an old name is chosen whatever its folder, and then refused for it.
  if (!chosen || chosen.refused !== undefined) return [];
  return [chosen, ...next].flatMap((candidate) => endpointOf(dialect, candidate));
}

function endpointOf(dialect: DialectName, candidate: Candidate): Endpoint[] {
  const { port, token, ide, folders, transport } = candidate;
  return port === undefined || transport === 'sse' ? [] : [{ dialect, port, token, editor: ide?.displayName, folders }];
}
