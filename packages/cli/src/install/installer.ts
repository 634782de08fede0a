import { execFile } from 'node:child_process';
import type { EditorProgram } from './editors.ts';
import type { Vsix } from './vsix.ts';

export interface Outcome {
  readonly editor: string;
  readonly ok: boolean;
  /** What was done, or exactly what failed. */
  readonly message: string;
  readonly command?: string;
}

const TIMEOUT_MS = 120_000;

/** Installs, then asks the editor whether it is there: some of them report success too early. */
export async function installVsix(editor: EditorProgram, command: string, vsix: Vsix): Promise<Outcome> {
  const failed = (message: string) => ({ editor: editor.id, ok: false, command, message });
  const installed = await run(command, ['--install-extension', vsix.path, '--force']);
  if (installed.code !== 0)
    return failed(`${command} --install-extension ended with ${installed.code}: ${lastWords(installed)}`);
  const version = await versionIn(command, vsix.id);
  if (version === undefined) {
    return failed(`${command} reported success, but does not list ${vsix.id}: ${lastWords(installed)}`);
  }
  if (version !== vsix.version) return failed(`${command} lists ${vsix.id} ${version} instead of ${vsix.version}`);
  const message = `${vsix.id} ${vsix.version} is installed in ${editor.name}; windows that are open want to be reloaded`;
  return { editor: editor.id, ok: true, command, message };
}

export async function uninstallVsix(editor: EditorProgram, command: string, id: string): Promise<Outcome> {
  const done = (ok: boolean, message: string) => ({ editor: editor.id, ok, command, message });
  if ((await versionIn(command, id)) === undefined) return done(true, `${id} is not installed in ${editor.name}`);
  const removed = await run(command, ['--uninstall-extension', id]);
  if (removed.code !== 0)
    return done(false, `${command} --uninstall-extension ended with ${removed.code}: ${lastWords(removed)}`);
  const still = await versionIn(command, id);
  return still === undefined
    ? done(true, `${id} is taken out of ${editor.name}`)
    : done(false, `${command} reported success, but still lists ${id} ${still}`);
}

async function versionIn(command: string, id: string): Promise<string | undefined> {
  const { stdout } = await run(command, ['--list-extensions', '--show-versions']);
  const line = stdout.split('\n').find((each) => each.toLowerCase().startsWith(`${id.toLowerCase()}@`));
  return line?.trim().split('@').at(-1);
}

interface Ran {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

function run(command: string, args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    // A .cmd file only runs in a shell; its arguments are ours, but paths may have spaces.
    const shell = /\.(cmd|bat)$/i.test(command);
    const [program, given] = shell ? [`"${command}"`, args.map((arg) => `"${arg}"`)] : [command, args];
    execFile(program, given, { timeout: TIMEOUT_MS, shell, maxBuffer: 4 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.killed ? `no answer after ${TIMEOUT_MS / 1000} s` : (error.code ?? 1);
      resolve({ code, stdout: `${stdout}`, stderr: `${stderr}` });
    });
  });
}

/** The line that says most: the last one on standard error, or else on standard output. */
function lastWords({ stdout, stderr }: Ran): string {
  const lines = (text: string) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  return lines(stderr).at(-1) ?? lines(stdout).at(-1) ?? 'it said nothing';
}
