import { existsSync } from 'node:fs';
import { CONTAINER_MARKS } from '@tandem/core';
import { AGENTS, type AgentId } from './agents.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];

/**
 * The environment for an agent: `ours` leads it to the companion, nothing leads it or another agent that it may start
 * anywhere else, and no proxy stands between. Without an agent the command is unknown, so it gets all of `ours`.
 */
export function environmentFor(
  agent: AgentId | undefined,
  before: Environment,
  ours: Readonly<Record<string, Readonly<Record<string, string>>>>,
  exists: (path: string) => boolean = existsSync,
): Record<string, string> {
  const env = { ...before };
  for (const variable of AGENTS.flatMap((each) => each.variables)) delete env[variable];
  const wanted = agent === undefined ? Object.values(ours) : [ours[agent] ?? {}];
  Object.assign(env, ...wanted, sparingLoopback(before));
  // Inside the terminal of an editor it knows, it would install that editor's extension unasked.
  env.CLAUDE_CODE_IDE_SKIP_AUTO_INSTALL = '1';
  // The companion runs here, not on the host of the container.
  if (CONTAINER_MARKS.some(exists)) env.VSCODE_REMOTE_CONTAINERS_SESSION ??= '1';
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Both spellings, because programs differ in which one they read. */
export function sparingLoopback(env: Environment): Record<string, string> {
  const given = env.no_proxy || env.NO_PROXY || '';
  const with_ = (value: string) => {
    const names = value
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    if (names.includes('*')) return value;
    return [...names, ...LOOPBACK.filter((name) => !names.includes(name))].join(',');
  };
  return { no_proxy: with_(env.no_proxy || given), NO_PROXY: with_(env.NO_PROXY || given) };
}
