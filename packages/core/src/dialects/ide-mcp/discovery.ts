import { delimiter } from 'node:path';
import type { Door, Publication } from '../port.ts';

/** Gemini CLI and Qwen Code knock at the same door; their tokens tell them apart. */
export const door: Door = {
  kind: 'http',
  path: '/mcp',
  token: (headers) => /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? '')?.[1],
};

/** The fields both agents read. */
export function connection(publication: Publication) {
  return {
    port: publication.port,
    workspacePath: workspacePath(publication),
    authToken: publication.token,
    ideInfo: { name: publication.editor.name, displayName: publication.editor.displayName },
  };
}

export function workspacePath(publication: Publication): string {
  return publication.folders.filter((folder) => folder !== '').join(delimiter);
}
