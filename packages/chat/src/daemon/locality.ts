import * as z from 'zod';
import type { Locality, LocalityFact } from '../connection.ts';
import type { DaemonClient } from './client.ts';

const optional = <T extends z.ZodType>(type: T) => type.nullish().transform((value) => value ?? undefined);
const Cells = z.object({
  cells: z.array(
    z.object({
      kind: z.string(),
      name: optional(z.string()),
      status: z.string(),
      locality: optional(z.string()),
      present: optional(z.boolean()),
      hint: optional(z.string()),
      error: optional(z.string()),
      errorKind: optional(z.string()),
    }),
  ),
});
const Status = z.object({
  daemon: z.object({ pid: optional(z.number()) }).catch({ pid: undefined }),
  security: z
    .object({ tokenConfigured: optional(z.boolean()), loopbackBind: optional(z.boolean()) })
    .catch({ tokenConfigured: undefined, loopbackBind: undefined }),
});
const Mcp = z.object({ servers: z.array(z.object({ name: optional(z.string()), status: optional(z.string()) })) });
const Skills = z.object({ skills: z.array(z.object({ name: z.string(), level: optional(z.string()) })) });
const Providers = z.object({
  current: optional(z.object({ authType: optional(z.string()), modelId: optional(z.string()) })),
});

export const TOKENLESS =
  'This daemon has no token: every program on its machine can use it, write files and run commands through it.';

/** Whether the daemon lets in anybody; `undefined` when it does not say. */
export async function isTokenless(client: DaemonClient): Promise<boolean | undefined> {
  const status = await client.diagnostic('/daemon/status', Status);
  return status?.security.tokenConfigured === undefined ? undefined : !status.security.tokenConfigured;
}

/** From the daemon's own diagnostics. Of the environment only which names are set; addresses are left out. */
export async function daemonLocality(client: DaemonClient, workspace: string, own: boolean): Promise<Locality> {
  const [status, preflight, env, mcp, skills, providers] = await Promise.all([
    client.diagnostic('/daemon/status', Status),
    client.diagnostic('/workspace/preflight', Cells),
    client.diagnostic('/workspace/env', Cells),
    client.diagnostic('/workspace/mcp', Mcp),
    client.diagnostic('/workspace/skills', Skills),
    client.diagnostic('/workspace/providers', Providers),
  ]);
  const where = own ? 'a daemon that this window started' : 'the daemon';
  const pid = status?.daemon.pid;
  const facts: LocalityFact[] = [
    fact('process', 'Qwen Code', `${where}${pid === undefined ? '' : `, process ${pid}`}`),
    fact('files', 'Files', `${workspace}, on the daemon's machine`),
    ...named(
      'mcp',
      'MCP servers',
      mcp?.servers.map(({ name }) => name ?? ''),
    ),
    ...named(
      'skills',
      'Skills',
      skills?.skills.map(({ name }) => name),
    ),
    ...credentials(env),
  ];
  if (providers?.current) {
    const { modelId = 'unknown', authType } = providers.current;
    facts.push(fact('models', 'Model', `${modelId}, asked by the daemon${authType ? ` (${authType})` : ''}`));
  }
  facts.push(...checks(preflight));
  return {
    kind: 'daemon',
    summary: `Qwen Code works in ${where}. Files, MCP servers, skills and credentials are the daemon's, not this window's.`,
    workspace,
    facts,
    warnings: status?.security.tokenConfigured === false ? [TOKENLESS] : [],
  };
}

function fact(what: LocalityFact['what'], label: string, where: string): LocalityFact {
  return { what, label, where };
}

function named(what: 'mcp' | 'skills', label: string, names: readonly string[] | undefined): LocalityFact[] {
  if (names === undefined) return [];
  const detail = names.length === 0 ? 'none' : names.join(', ');
  return [{ ...fact(what, label, "the daemon's own configuration and file system"), detail }];
}

function credentials(env: z.infer<typeof Cells> | undefined): LocalityFact[] {
  const keys = env?.cells.filter(({ kind, present }) => kind === 'env_var' && present) ?? [];
  const names = keys
    .map(({ name }) => name ?? '')
    .filter((name) => /KEY|TOKEN/.test(name) && !name.startsWith('QWEN_SERVER'));
  const detail = names.length === 0 ? 'from its settings or login' : `${names.join(', ')}`;
  return [{ ...fact('credentials', 'Credentials', "the daemon's environment and settings"), detail }];
}

function checks(preflight: z.infer<typeof Cells> | undefined): LocalityFact[] {
  return (preflight?.cells ?? [])
    .filter(({ status }) => status === 'ok' || status === 'warning' || status === 'error')
    .map(({ kind, locality, status, hint, errorKind }) => ({
      what: 'check',
      label: kind.replaceAll('_', ' '),
      where: locality === 'acp' ? "the daemon's agent" : 'the daemon',
      status: status as 'ok' | 'warning' | 'error',
      ...(hint || errorKind ? { detail: hint ?? errorKind ?? '' } : {}),
    }));
}
