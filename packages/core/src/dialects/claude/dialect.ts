import { join, resolve } from 'node:path';
import type { Dialect, DiscoveryFile, Publication } from '../port.ts';

export const claude: Dialect = {
  id: 'claude',
  agent: 'Claude Code',
  start: { line: 'claude --ide --permission-mode manual' },
  door: {
    kind: 'upgrade',
    path: '/',
    token: (headers) => single(headers['x-claude-code-ide-authorization']),
  },
  files,
  environment: (publication) => ({
    CLAUDE_CODE_SSE_PORT: String(publication.port),
    ENABLE_IDE_INTEGRATION: 'true', // older versions wanted it; harmless today
  }),
  load: async (house) => new (await import('./server.ts')).ClaudeServer(house),
};

/** A CLI with CLAUDE_CONFIG_DIR looks in both places, one without it only in the home folder. */
function files(publication: Publication): DiscoveryFile[] {
  const { home, env } = publication.places;
  const bases = [join(home, '.claude')];
  const configured = env.CLAUDE_CONFIG_DIR;
  if (configured) bases.push(resolve(configured));
  return [...new Set(bases)].map((base) => ({
    base,
    folders: ['ide'],
    name: `${publication.port}.lock`,
    content: {
      pid: publication.editor.pid,
      // Matched as text against the physical working directory, so real paths first.
      workspaceFolders: [...publication.folders, ...publication.aliases],
      ideName: publication.editor.displayName,
      transport: 'ws',
      runningInWindows: false,
      authToken: publication.token,
    },
  }));
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? undefined : value;
}
