import type { Review } from '@tandem/core';
import type { WorkbenchEditor } from '../workbench-editor.ts';
import { LanguageServers } from './language-servers.ts';
import { settingsFile } from './settings.ts';

/** Gives an editor that is not started yet its language servers. */
export function attachLanguageServers(
  editor: WorkbenchEditor,
  places: { readonly home: string; readonly env: NodeJS.ProcessEnv; readonly backoffMs?: readonly number[] },
): LanguageServers {
  const servers = new LanguageServers({
    settingsFile: settingsFile(places.home),
    env: places.env,
    tell: (notice) => editor.tell(notice),
    text: (path) => editor.documents.get(path).text,
    watch: (folder) => editor.documents.watch(folder),
    ...(places.backoffMs ? { backoffMs: places.backoffMs } : {}),
  });
  editor.languageServers = servers;
  editor.documents.folderChanged.on((folder) => servers.folderChanged(folder));
  editor.reviewClosed.on((review) => isWritten(review) && servers.expectWrite(review.path));
  return servers;
}

function isWritten(review: Review): boolean {
  return review.state === 'accepted' || review.withdrawn === 'answered in the terminal';
}
