import { parse } from '../arguments.ts';
import { SERVING_OPTIONS, serveUntilAsked } from '../serving.ts';
import { TerminalEditor } from '../terminal-editor.ts';

export async function serve(args: string[]): Promise<number> {
  const parsed = parse('serve', args, SERVING_OPTIONS);
  return serveUntilAsked('serve', parsed, (folders, reporter) => {
    return new TerminalEditor(parsed.values.name, folders, { notice: (notice) => reporter.notice(notice) });
  });
}
