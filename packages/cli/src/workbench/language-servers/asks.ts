import type { Workspace } from '@tandem/core';
import { LANGUAGE_METHODS, type Requests } from '@tandem/ui/protocol';
import * as z from 'zod';
import type { LanguageServers } from './language-servers.ts';

const place = z.object({ line: z.int().min(0), character: z.int().min(0) });

/** What a page may ask of a language server. Which document is not for the parameters to say. */
export const LSP_INPUT = z.object({
  path: z.string().max(4096),
  method: z.enum(LANGUAGE_METHODS),
  params: z.object({
    position: place.optional(),
    context: z
      .object({
        triggerKind: z.int(),
        triggerCharacter: z.string().max(8),
        isRetrigger: z.boolean(),
        activeSignatureHelp: z.unknown(),
        includeDeclaration: z.boolean(),
      })
      .partial()
      .optional(),
    newName: z.string().max(1000).optional(),
    options: z.object({ tabSize: z.int(), insertSpaces: z.boolean() }).optional(),
  }),
});

export function problemsOf(workspace: Workspace, servers: LanguageServers | undefined): Requests['problems']['output'] {
  return {
    files: workspace.diagnosedPaths.map((path) => ({ path, problems: workspace.diagnostics(path) })),
    servers: servers?.items ?? [],
  };
}
