import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Surroundings } from '@tandem/client';
import { checkDirectory, markOf } from '@tandem/core';
import type { AgentId } from '../../run/agents.ts';
import type { SeenFile, SeenFolder } from '../model.ts';

const NAMES: Readonly<Record<AgentId, RegExp>> = {
  claude: /^\d+\.lock$/,
  gemini: /^gemini-ide-server-\d+(-\d+)?\.json$/,
  qwen: /^\d+\.lock$/,
};

/** The folders in which an agent looks, in its own order. */
export function discoveryFolders(agent: AgentId, { env, home, tmp }: Surroundings): readonly string[] {
  switch (agent) {
    case 'claude': {
      const configured = env.CLAUDE_CONFIG_DIR ? [join(resolve(env.CLAUDE_CONFIG_DIR), 'ide')] : [];
      return [...new Set([...configured, join(home, '.claude', 'ide')])];
    }
    case 'gemini':
      return [join(tmp, 'gemini', 'ide')];
    case 'qwen':
      return [join(env.QWEN_HOME ? resolve(env.QWEN_HOME) : join(home, '.qwen'), 'ide')];
  }
}

export function seeFolder(agent: AgentId, path: string, uid: number | undefined): SeenFolder {
  const count = list(path).filter((name) => NAMES[agent].test(name)).length;
  const stat = statOf(path);
  if (!stat) return { path, count };
  const check = checkDirectory(stat, uid);
  return { path, count, mode: stat.mode & 0o777, ...(check.ok ? {} : { unsafe: check.why }) };
}

export function seeFiles(agent: AgentId, folder: string): readonly SeenFile[] {
  return list(folder)
    .filter((name) => NAMES[agent].test(name))
    .flatMap((name) => seeFile(join(folder, name)) ?? []);
}

function seeFile(path: string): SeenFile | undefined {
  try {
    const { uid, mode, mtimeMs } = statSync(path);
    const seen = { path, uid, mode: mode & 0o777, modified: mtimeMs };
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch {
      return { ...seen, broken: 'unreadable' };
    }
    const content = parse(text);
    const mark = markOf(content);
    return { ...seen, ...(content ? {} : { broken: 'not JSON' as const }), ...(mark ? { mark } : {}) };
  } catch {
    return undefined; // gone meanwhile
  }
}

/** A file may stand where a folder should, further up. */
function statOf(path: string) {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
