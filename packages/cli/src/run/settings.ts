import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { AgentId } from './agents.ts';
import { parseJsonc, valueAt } from './jsonc.ts';

/** One of the files that an agent's settings come from. */
export interface SettingsFile {
  readonly path: string;
  /** Whose word it is; only the user's own is ours to offer a change of. */
  readonly scope: 'system' | 'user' | 'folder';
  readonly value: unknown;
  /** Why it counts for nothing. */
  readonly error?: string;
}

export interface Setting {
  readonly value: unknown;
  readonly file: SettingsFile;
}

/** Settings as the agent sees them: the last file that says something wins. */
export class Settings {
  readonly files: readonly SettingsFile[];

  constructor(files: readonly SettingsFile[]) {
    this.files = files;
  }

  get(path: readonly string[]): Setting | undefined {
    for (const file of this.files.toReversed()) {
      const value = valueAt(file.value, path);
      if (value !== undefined) return { value, file };
    }
    return undefined;
  }

  /** The file that holds the user's own. */
  get own(): SettingsFile {
    const own = this.files.find((file) => file.scope === 'user');
    if (!own) throw new Error('every agent has a file of the user');
    return own;
  }
}

export interface SettingsPlaces {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface AgentSettings {
  /** What may be asked for in `settings.json`. */
  readonly settings: Settings;
  /** Claude Code keeps some switches in a file of its own, beside what it remembers. */
  readonly config: Settings;
}

export function readAgentSettings(agent: AgentId, places: SettingsPlaces): AgentSettings {
  switch (agent) {
    case 'claude':
      return claude(places);
    case 'gemini': {
      const own = join(places.env.GEMINI_CLI_HOME || places.home, '.gemini', 'settings.json');
      const settings = layered(places, own, '.gemini', 'GEMINI_CLI', {
        linux: '/etc/gemini-cli',
        darwin: '/Library/Application Support/GeminiCli',
        win32: 'C:\\ProgramData\\gemini-cli',
      });
      return { settings, config: settings };
    }
    case 'qwen': {
      const home = places.env.QWEN_HOME ? resolve(places.env.QWEN_HOME) : join(places.home, '.qwen');
      const settings = layered(places, join(home, 'settings.json'), '.qwen', 'QWEN_CODE', {
        linux: '/etc/qwen-code',
        darwin: '/Library/Application Support/QwenCode',
        win32: 'C:\\ProgramData\\qwen-code',
      });
      return { settings, config: settings };
    }
  }
}

/** Gemini CLI and Qwen Code: system defaults, the user's, the folder's, and the system's last word. */
function layered(
  { cwd, env }: SettingsPlaces,
  own: string,
  folder: string,
  prefix: string,
  systems: Readonly<Record<'linux' | 'darwin' | 'win32', string>>,
): Settings {
  const place = systems[process.platform as 'linux'] ?? systems.linux;
  const system = env[`${prefix}_SYSTEM_SETTINGS_PATH`] ?? join(place, 'settings.json');
  const defaults = env[`${prefix}_SYSTEM_DEFAULTS_PATH`] ?? join(dirname(system), 'system-defaults.json');
  const ofFolder = join(cwd, folder, 'settings.json');
  return new Settings([
    read(defaults, 'system'),
    read(own, 'user'),
    // In the home folder both are the same file.
    ...(ofFolder === own ? [] : [read(ofFolder, 'folder')]),
    read(system, 'system'),
  ]);
}

function claude({ cwd, home, env }: SettingsPlaces): AgentSettings {
  const folder = env.CLAUDE_CONFIG_DIR ? resolve(env.CLAUDE_CONFIG_DIR) : join(home, '.claude');
  const managed = { darwin: '/Library/Application Support/ClaudeCode', win32: 'C:\\ProgramData\\ClaudeCode' };
  const system = managed[process.platform as 'darwin'] ?? '/etc/claude-code';
  return {
    settings: new Settings([
      read(join(folder, 'settings.json'), 'user'),
      read(join(cwd, '.claude', 'settings.json'), 'folder'),
      read(join(cwd, '.claude', 'settings.local.json'), 'folder'),
      read(join(system, 'managed-settings.json'), 'system'),
    ]),
    config: new Settings([read(join(env.CLAUDE_CONFIG_DIR ? folder : home, '.claude.json'), 'user')]),
  };
}

function read(path: string, scope: SettingsFile['scope']): SettingsFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { path, scope, value: undefined, ...(code === 'ENOENT' || code === 'ENOTDIR' ? {} : { error: message }) };
  }
  if (text.trim() === '') return { path, scope, value: undefined };
  try {
    return { path, scope, value: parseJsonc(text) };
  } catch (error) {
    return { path, scope, value: undefined, error: (error as Error).message };
  }
}
