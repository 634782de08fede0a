import { connection, door, workspacePath } from '../ide-mcp/discovery.ts';
import type { Dialect } from '../port.ts';

export const gemini: Dialect = {
  id: 'gemini',
  agent: 'Gemini CLI',
  start: { line: 'gemini', once: 'type /ide enable' },
  door,
  files: (publication) => [
    {
      base: publication.places.tmp,
      folders: ['gemini', 'ide'],
      name: `gemini-ide-server-${publication.editor.pid}-${publication.port}.json`,
      content: connection(publication),
    },
  ],
  environment: (publication) => ({
    GEMINI_CLI_IDE_SERVER_PORT: String(publication.port),
    GEMINI_CLI_IDE_WORKSPACE_PATH: workspacePath(publication),
    GEMINI_CLI_IDE_AUTH_TOKEN: publication.token,
    GEMINI_CLI_IDE_PID: String(publication.editor.pid),
  }),
  load: async (house) => {
    const { IdeMcpServer } = await import('../ide-mcp/server.ts');
    return new IdeMcpServer(house, {
      id: 'gemini',
      name: 'Gemini CLI',
      // Its client names the CLI's own version; Qwen's does not.
      versionOf: (client) => client.version,
      takesEditsFromTerminal: true,
    });
  },
};
