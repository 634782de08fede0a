import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { type AgentSettings, type FoundAgent, offerAgents } from '@tandem/chat';
import * as z from 'zod';
import { findCommand, searchPath } from './language-servers/find.ts';

const command = z
  .array(z.string())
  .min(1, 'names no command')
  .refine(([name = '']) => isAbsolute(name) || /^[^\\/]+$/.test(name), 'must begin with a name or an absolute path');

const schema = z.object({
  /** Name → command with its arguments, which speaks ACP on its standard streams. */
  'chat.agents': z.record(z.string().min(1), command).default({}),
  'qwen-code.experimentalDaemon.enabled': z.boolean().optional(),
  'qwen-code.experimentalDaemon.url': z.string().optional(),
  'qwen-code.experimentalDaemon.token': z.string().optional(),
});

export type ChatSettings = AgentSettings;

/** From the user's own file; a workspace has no say in what is run. Throws with the file and the field. */
export function readChatSettings(file: string): ChatSettings {
  const parsed = schema.safeParse(contentOf(file));
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the whole'}: ${issue.message}`);
    throw new Error(`${file}: ${wrong.join('; ')}`);
  }
  const { 'chat.agents': agents, ...daemon } = parsed.data;
  return {
    agents: Object.entries(agents).map(([name, [program = '', ...args]]) => ({
      id: `settings/${name}`,
      name,
      command: program,
      args,
    })),
    daemon: {
      enabled: daemon['qwen-code.experimentalDaemon.enabled'],
      url: daemon['qwen-code.experimentalDaemon.url'],
      token: daemon['qwen-code.experimentalDaemon.token'],
    },
  };
}

function contentOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Who can be talked to here. Only looked for; nothing is run. */
export function findAgents(
  settings: ChatSettings,
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
): readonly FoundAgent[] {
  // Not from the project's own tools: whoever wrote the project would choose what runs.
  const path = searchPath(folder, env.PATH, false);
  return offerAgents(settings, env, (command) => findCommand(command, path));
}
