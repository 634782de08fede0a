import { realpathSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseJsonc, setJsonc, unsetJsonc, valueAt } from '../run/jsonc.ts';
import { readText, replaceText } from '../run/settings-file.ts';

export const AGENTS = ['claude', 'gemini', 'qwen'] as const;
export type McpAgent = (typeof AGENTS)[number];

export interface Place {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A person may think for a day before they answer a diff. */
const PATIENCE_MS = 24 * 60 * 60 * 1000;

/** The user's own file of that agent. */
export function fileOf(agent: McpAgent, { home, env }: Place): string {
  switch (agent) {
    case 'claude':
      return join(env.CLAUDE_CONFIG_DIR ? resolve(env.CLAUDE_CONFIG_DIR) : home, '.claude.json');
    case 'gemini':
      return join(env.GEMINI_CLI_HOME || home, '.gemini', 'settings.json');
    case 'qwen':
      return join(env.QWEN_HOME ? resolve(env.QWEN_HOME) : join(home, '.qwen'), 'settings.json');
  }
}

/** As the agent's own `mcp add` would write it. */
export function entryFor(agent: McpAgent, [command, ...args]: readonly [string, ...string[]]): object {
  const entry = { command, args };
  return agent === 'claude' ? { type: 'stdio', ...entry, env: {} } : { ...entry, timeout: PATIENCE_MS };
}

/** The name alone where it leads here, so that an update is followed; else exactly this program. */
export function ownCommand(script: string, env: Place['env']): readonly [string, ...string[]] {
  const own = real(script);
  const first = (env.PATH ?? '')
    .split(delimiter)
    .map((folder) => real(join(folder, 'tandem')))
    .find((found) => found !== undefined);
  return first !== undefined && first === own ? ['tandem', 'mcp'] : [process.execPath, own ?? script, 'mcp'];
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

export interface Plan {
  readonly file: string;
  readonly path: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
  readonly changes: boolean;
}

/** What would change; `entry` left out takes it away. Throws when the file is no JSON. */
export function plan(file: string, name: string, entry?: object): Plan {
  const path = ['mcpServers', name];
  const text = readText(file) ?? '';
  const before = text.trim() === '' ? undefined : valueAt(parseJsonc(text), path);
  return { file, path, before, after: entry, changes: !isDeepStrictEqual(before, entry) };
}

/** Comments, order and everything else stay as they are; the file is replaced whole or not at all. */
export function carryOut({ file, path, after }: Plan): void {
  const text = readText(file) ?? '';
  replaceText(file, after === undefined ? unsetJsonc(text, path) : setJsonc(text, path, after));
}
