import { parse, usage } from '../arguments.ts';
import { uninstallVsix } from '../install/installer.ts';
import { chosenEditors, report } from './install.ts';

/** As editors list it. */
const EXTENSION = 'tandem.tandem-companion';

export async function uninstall(args: string[]): Promise<number> {
  const { values, positionals } = parse('uninstall', args, {});
  const editors = chosenEditors('uninstall', positionals);
  if (editors.length === 0) throw usage('uninstall', 'this terminal belongs to no editor; name one');
  return report(editors, values.json, (editor, command) => uninstallVsix(editor, command, EXTENSION));
}
