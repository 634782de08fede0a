import type { Locality } from '../connection.ts';
import type { AcpAgent } from './agents.ts';

/** A child has what its user has here. */
export function childLocality({ name }: AcpAgent, workspace: string, pid: number | undefined): Locality {
  const process = pid === undefined ? 'is not running' : `a child of this window, process ${pid}`;
  return {
    kind: 'child',
    summary: `${name} runs on this machine as a child of this window, with your files and your login.`,
    workspace,
    facts: [
      { what: 'process', label: name, where: process },
      { what: 'files', label: 'Files', where: `${workspace}, on this machine; unsaved text is read from the editor` },
      { what: 'mcp', label: 'MCP servers', where: `${name}'s own configuration, on this machine` },
      { what: 'skills', label: 'Skills', where: `${name}'s own folders, on this machine` },
      { what: 'credentials', label: 'Credentials', where: `${name}'s own login, or the environment of this window` },
    ],
    warnings: [],
  };
}
