import type { Tool } from '../../tool.ts';
import type { ClaudeLink } from '../link.ts';
import { closeAllDiffTabs } from './close-all-diff-tabs.ts';
import { closeTab } from './close-tab.ts';
import { checkDocumentDirty, saveDocument } from './document.ts';
import { executeCode } from './execute-code.ts';
import { getDiagnostics } from './get-diagnostics.ts';
import { getOpenEditors } from './get-open-editors.ts';
import { getWorkspaceFolders } from './get-workspace-folders.ts';
import { openDiff } from './open-diff.ts';
import { openFile } from './open-file.ts';
import { getCurrentSelection, getLatestSelection } from './selection.ts';

/** In the order of the CLI's own documentation. */
export const TOOLS: readonly Tool<ClaudeLink>[] = [
  openFile,
  openDiff,
  getCurrentSelection,
  getLatestSelection,
  getOpenEditors,
  getWorkspaceFolders,
  getDiagnostics,
  checkDocumentDirty,
  saveDocument,
  closeTab,
  closeAllDiffTabs,
  executeCode,
];
