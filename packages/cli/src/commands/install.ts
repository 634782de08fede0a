import { parse, usage } from '../arguments.ts';
import { CommandError } from '../errors.ts';
import { EDITORS, type EditorProgram, findCommand, findEditor } from '../install/editors.ts';
import { editorHere, thisMachine } from '../install/here.ts';
import { installVsix, type Outcome } from '../install/installer.ts';
import { findVsix, readVsix, type Vsix } from '../install/vsix.ts';
import { complain, paint, printable, printJson, shortPath, table } from '../print.ts';

const OPTIONS = { list: { type: 'boolean', default: false }, vsix: { type: 'string' } } as const;

export async function install(args: string[]): Promise<number> {
  const { values, positionals } = parse('install', args, OPTIONS);
  if (values.list) return list(values.json);
  const editors = chosenEditors('install', positionals);
  if (editors.length === 0) {
    complain(
      'this terminal belongs to no editor; name one',
      `found: ${
        found()
          .map(({ editor }) => editor.id)
          .join(', ') || 'none'
      }`,
    );
    return 1;
  }
  const needsVsix = editors.some(({ plugin }) => plugin === 'vsix');
  const vsix = needsVsix ? packageFrom(values.vsix) : undefined;
  return report(editors, values.json, (editor, command) => {
    if (!vsix) throw new Error('there is a package when an editor needs one');
    return installVsix(editor, command, vsix);
  });
}

/** Those that were named, or the one that this terminal belongs to. */
export function chosenEditors(command: string, names: readonly string[]): readonly EditorProgram[] {
  const here = names.length === 0 ? editorHere() : undefined;
  return [...names, ...(here === undefined ? [] : [here])].map((name) => {
    const editor = findEditor(name);
    if (!editor) throw usage(command, `"${name}" is none of ${EDITORS.map(({ id }) => id).join(', ')}`);
    return editor;
  });
}

/** Does it for each editor and says how it went; 1 if any failed. */
export async function report(
  editors: readonly EditorProgram[],
  json: boolean,
  act: (editor: EditorProgram, command: string) => Promise<Outcome>,
): Promise<number> {
  const outcomes: Outcome[] = [];
  for (const editor of editors) {
    const outcome = await actOn(editor, act);
    outcomes.push(outcome);
    if (!json)
      console.log(`${paint(outcome.ok ? 'green' : 'red', outcome.ok ? '✓' : '✗')} ${printable(outcome.message)}`);
  }
  if (json) printJson(outcomes);
  return outcomes.every(({ ok }) => ok) ? 0 : 1;
}

async function actOn(
  editor: EditorProgram,
  act: (editor: EditorProgram, command: string) => Promise<Outcome>,
): Promise<Outcome> {
  const failed = (message: string) => ({ editor: editor.id, ok: false, message });
  if (editor.plugin === 'none') {
    return failed(
      `there is no plugin for ${editor.name} yet; tandem workbench and tandem serve work beside any editor`,
    );
  }
  const command = findCommand(editor, thisMachine());
  if (command !== undefined) return act(editor, command);
  return failed(
    `${editor.name} is not found: no "${editor.commands[0]}" on the PATH nor where its installer puts it; in ${editor.name} run "Shell Command: Install '${editor.commands[0]}' command in PATH"`,
  );
}

function packageFrom(given: string | undefined): Vsix {
  const path = given ?? findVsix();
  if (path === undefined) {
    throw new CommandError(
      1,
      'the extension did not come with this tandem',
      'make it with: npm run package; or name one: --vsix FILE',
    );
  }
  try {
    return readVsix(path);
  } catch (error) {
    throw new CommandError(1, `${path}: ${(error as Error).message}`);
  }
}

function found(): readonly { editor: EditorProgram; command: string }[] {
  const machine = thisMachine();
  return EDITORS.flatMap((editor) => {
    const command = findCommand(editor, machine);
    return command === undefined ? [] : [{ editor, command }];
  });
}

function list(json: boolean): number {
  const here = editorHere();
  const rows = EDITORS.map((editor) => {
    const command = found().find((each) => each.editor === editor)?.command;
    return { id: editor.id, name: editor.name, plugin: editor.plugin, command, isHere: editor.id === here };
  });
  if (json) printJson(rows);
  else {
    const state = (row: (typeof rows)[number]) =>
      row.command === undefined ? paint('dim', 'not found') : shortPath(row.command);
    const more = (row: (typeof rows)[number]) =>
      [row.plugin === 'none' ? 'no plugin yet' : '', row.isHere ? 'this terminal' : '']
        .filter((each) => each !== '')
        .join(', ');
    console.log(table(rows.map((row) => [row.id, row.name, more(row), state(row)])));
  }
  return 0;
}
