import { spawn } from 'node:child_process';
import { homedir, tmpdir } from 'node:os';
import { parse, parsePort } from '../arguments.ts';
import { ask, findCompanion } from '../control-client.ts';
import { printJson } from '../print.ts';
import { SERVING_OPTIONS, serveUntilAsked } from '../serving.ts';
import { Drafts } from '../workbench/drafts.ts';
import { attachLanguageServers } from '../workbench/language-servers/attach.ts';
import { Workbench } from '../workbench/workbench.ts';
import { WorkbenchEditor } from '../workbench/workbench-editor.ts';

const OPTIONS = {
  ...SERVING_OPTIONS,
  'no-open': { type: 'boolean', default: false },
  url: { type: 'boolean', default: false },
} as const;

export async function workbench(args: string[]): Promise<number> {
  const parsed = parse('workbench', args, OPTIONS);
  const { values } = parsed;
  if (values.url) return newAddress(parsePort('workbench', values.port), values.json);
  return serveUntilAsked(
    'workbench',
    parsed,
    (folders, reporter) => {
      const editor = new WorkbenchEditor(values.name, folders, { diagnostics: true });
      attachLanguageServers(editor, { home: homedir(), env: process.env });
      editor.told.on((notice) => reporter.notice(notice));
      return editor;
    },
    (companion, editor) => {
      const bench = new Workbench(
        companion,
        editor,
        new Drafts({ home: homedir(), tmp: tmpdir(), env: process.env }, editor),
      );
      return {
        start: async () => {
          await bench.start();
          if (!values['no-open'] && !values.json) openBrowser(bench.invite());
        },
        stop: () => bench.stop(),
        get address() {
          return bench.invite();
        },
      };
    },
  );
}

/** For another browser, from another terminal. */
async function newAddress(port: number | undefined, json: boolean): Promise<number> {
  const invitation = await ask<{ url: string }>(await findCompanion(port), 'invite');
  if (json) printJson(invitation);
  else console.log(invitation.url);
  return 0;
}

/** Where there is a screen to open it on; the address is printed in any case. */
export function openBrowser(url: string): void {
  const screen = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (!screen || process.env.SSH_CONNECTION || process.env.CI) return;
  const [command, ...args] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
  const child = spawn(command ?? '', [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
