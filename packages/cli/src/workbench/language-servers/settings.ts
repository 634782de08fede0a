import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { contains } from '@tandem/core';
import * as z from 'zod';

/** The user's own file. A workspace has no say in what is run: whoever can write to it would run commands here. */
export function settingsFile(home: string): string {
  return join(home, '.tandem', 'settings.json');
}

const command = z
  .array(z.string())
  .min(1, 'names no command')
  .refine(([name = '']) => isAbsolute(name) || /^[^\\/]+$/.test(name), 'must begin with a name or an absolute path');

const schema = z.object({
  /** Language → command with its arguments; `false` for none. */
  languageServers: z
    .record(z.string(), z.union([command, z.literal(false)], 'must be a list like ["pylsp"], or false'))
    .default({}),
  /** Folders whose own tools (node_modules/.bin, TypeScript, build scripts) may be run. */
  trustedFolders: z.array(z.string().refine(isAbsolute, 'must be an absolute path')).default([]),
});

export interface LanguageSettings {
  readonly languageServers: Readonly<Record<string, readonly string[] | false>>;
  trusts(folder: string): boolean;
}

/** Throws with the file and the field when it says what cannot be meant. */
export function readLanguageSettings(file: string): LanguageSettings {
  const { languageServers, trustedFolders } = parse(file, contentOf(file));
  return { languageServers, trusts: (folder) => contains(trustedFolders, folder) };
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '{}';
    throw new Error(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function parse(file: string, content: string): z.infer<typeof schema> {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw new Error(`${file} is not JSON: ${(error as Error).message}`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the whole'}: ${issue.message}`);
  throw new Error(`${file}: ${wrong.join('; ')}`);
}
