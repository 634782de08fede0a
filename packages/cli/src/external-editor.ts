import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CommandError } from './errors.ts';

/** The text after the user's own editor had it. Throws when the editor fails, so that nothing is decided by accident. */
export async function editText(path: string, text: string): Promise<string> {
  const editor = process.env.VISUAL || process.env.EDITOR;
  if (!editor) throw new CommandError(1, '$EDITOR is not set', 'for example: EDITOR=vi tandem review accept --edit');
  const directory = mkdtempSync(join(tmpdir(), 'tandem-review-'));
  try {
    // The file's own name keeps the syntax colours.
    const file = join(directory, basename(path));
    writeFileSync(file, text, { mode: 0o600 });
    await run(editor, file);
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Through a shell, because $EDITOR may carry arguments; the file name goes as an argument of its own. */
function run(editor: string, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
    child.on('error', (error) => reject(new CommandError(1, `${editor} cannot be started: ${error.message}`)));
    child.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new CommandError(1, `${editor} ended with ${code}; the review still waits`));
    });
  });
}
