import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Diagnostic, Severity } from '../../../editor/model.ts';
import { defineTool, json } from '../../tool.ts';
import type { ClaudeLink } from '../link.ts';

const SEVERITY: Readonly<Record<Severity, string>> = { error: 'Error', warning: 'Warning', info: 'Info', hint: 'Hint' };
/** The CLI gives up after 2 s; a language server needs a moment after the write. */
const FRESH_MS = 1_500;

export const getDiagnostics = defineTool({
  name: 'getDiagnostics',
  description: 'Problems that the editor shows, of one file or of all.',
  needs: 'diagnostics',
  input: z.object({ uri: z.string().optional() }),
  run: async ({ uri }, link: ClaudeLink, call) => {
    const { house } = link;
    if (uri === undefined) await link.freshDiagnostics(FRESH_MS, call.signal);
    const path = uri === undefined ? undefined : pathOf(uri);
    const found = house.policy.diagnostics(house.workspace, path);
    const files = [...found].map(([file, diagnostics]) => ({
      // The raw path: an encoded one counts as another file. The caller's own spelling comes back as it was.
      uri: uri ?? `file://${file}`,
      diagnostics: diagnostics.map(encode),
    }));
    const shown = files.filter((file) => file.diagnostics.length > 0);
    if (shown.length > 0) link.note('diagnostics', [...found.keys()], JSON.stringify(shown));
    return json(shown);
  },
});

/** Agents write `file://` + the raw path; others write a proper URI. */
function pathOf(uri: string): string {
  const raw = uri.replace(/^(file:\/\/|_claude_fs_(left|right):)/, '');
  if (!uri.startsWith('file://') || !raw.includes('%')) return raw;
  try {
    return fileURLToPath(uri);
  } catch {
    return raw;
  }
}

function encode(diagnostic: Diagnostic) {
  const { message, severity, range, source, code } = diagnostic;
  return {
    message,
    severity: SEVERITY[severity],
    range,
    ...(source === undefined ? {} : { source }),
    ...(code === undefined ? {} : { code }),
  };
}
