import { delimiter, join, resolve } from 'node:path';
import { connection, door, workspacePath } from '../ide-mcp/discovery.ts';
import type { Dialect, DiscoveryFile, Publication } from '../port.ts';

export const qwen: Dialect = {
  id: 'qwen',
  agent: 'Qwen Code',
  start: { line: 'qwen --approval-mode default', once: 'type /ide enable' },
  door,
  files,
  environment: (publication) => ({
    QWEN_CODE_IDE_SERVER_PORT: String(publication.port),
    QWEN_CODE_IDE_WORKSPACE_PATH: workspacePath(publication),
  }),
  load: async (house) => {
    const { IdeMcpServer } = await import('../ide-mcp/server.ts');
    return new IdeMcpServer(house, {
      id: 'qwen',
      name: 'Qwen Code',
      versionOf: () => undefined,
      takesEditsFromTerminal: false,
    });
  },
};

function files(publication: Publication): DiscoveryFile[] {
  const { home, tmp, env } = publication.places;
  const base = env.QWEN_HOME ? resolve(env.QWEN_HOME) : join(home, '.qwen');
  return [
    {
      base,
      folders: ['ide'],
      name: `${publication.port}.lock`,
      // Without a live ppid the CLI deletes the file.
      content: { ...connection(publication), workspacePath: unambiguous(publication), ppid: publication.editor.pid },
      newestWins: true,
    },
    // The place the specification names; current versions no longer look there.
    {
      base: tmp,
      folders: ['qwen', 'ide'],
      name: `qwen-code-ide-server-${publication.editor.pid}-${publication.port}.json`,
      content: connection(publication),
    },
  ];
}

/** Qwen also reads a JSON list, which survives a folder with the delimiter in its name. */
function unambiguous(publication: Publication): string {
  const ambiguous = publication.folders.some((folder) => folder.includes(delimiter));
  return ambiguous ? JSON.stringify(publication.folders) : workspacePath(publication);
}
