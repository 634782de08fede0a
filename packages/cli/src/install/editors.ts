import { posix, win32 } from 'node:path';

export type Platform = 'linux' | 'darwin' | 'win32';

/** Where to look, so that every system can be tested on any. */
export interface Machine {
  readonly platform: Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  exists(path: string): boolean;
}

export interface EditorProgram {
  readonly id: string;
  readonly name: string;
  /** What we have for it: an extension that its own command line installs, or nothing so far. */
  readonly plugin: 'vsix' | 'none';
  /** Names of its command, the usual one first. */
  readonly commands: readonly string[];
  /** Where its command is when it is not on the PATH. */
  readonly places?: Partial<Record<Platform, readonly string[]>>;
}

/** An application of the VS Code family: the same layout under another name. */
function family(
  id: string,
  name: string,
  command: string,
  app: { folder: string; mac: string; windows: string },
): EditorProgram {
  const bin = `bin/${command}`;
  return {
    id,
    name,
    plugin: 'vsix',
    commands: [command],
    places: {
      linux: [
        `/usr/share/${app.folder}/${bin}`,
        `/opt/${app.folder}/${bin}`,
        `/opt/${app.mac}/${bin}`,
        `/snap/bin/${command}`,
      ],
      darwin: ['/Applications', '~/Applications'].map(
        (where) => `${where}/${app.mac}.app/Contents/Resources/app/${bin}`,
      ),
      win32: ['%LOCALAPPDATA%\\Programs', '%ProgramFiles%', '%ProgramFiles(x86)%'].flatMap((where) => [
        `${where}\\${app.windows}\\bin\\${command}.cmd`,
        `${where}\\${app.windows}\\resources\\app\\bin\\${command}.cmd`,
      ]),
    },
  };
}

const app = (folder: string, mac: string, windows = mac) => ({ folder, mac, windows });

export const EDITORS: readonly EditorProgram[] = [
  family('vscode', 'VS Code', 'code', app('code', 'Visual Studio Code', 'Microsoft VS Code')),
  family(
    'vscode-insiders',
    'VS Code Insiders',
    'code-insiders',
    app('code-insiders', 'Visual Studio Code - Insiders', 'Microsoft VS Code Insiders'),
  ),
  family('vscodium', 'VSCodium', 'codium', app('codium', 'VSCodium')),
  family('cursor', 'Cursor', 'cursor', app('cursor', 'Cursor', 'cursor')),
  family('windsurf', 'Windsurf', 'windsurf', app('windsurf', 'Windsurf')),
  family('antigravity', 'Antigravity', 'antigravity', app('antigravity', 'Antigravity')),
  family('positron', 'Positron', 'positron', app('positron', 'Positron')),
  family('trae', 'Trae', 'trae', app('trae', 'Trae')),
  {
    id: 'code-server',
    name: 'code-server',
    plugin: 'vsix',
    commands: ['code-server'],
    places: {
      linux: ['/usr/lib/code-server/bin/code-server', '~/.local/bin/code-server'],
      darwin: ['/opt/homebrew/bin/code-server', '/usr/local/bin/code-server'],
    },
  },
  ...(
    [
      ['nvim', 'Neovim', 'nvim'],
      ['vim', 'Vim', 'vim'],
      ['emacs', 'Emacs', 'emacs'],
      ['helix', 'Helix', 'hx'],
      ['kakoune', 'Kakoune', 'kak'],
      ['zed', 'Zed', 'zed'],
      ['sublime', 'Sublime Text', 'subl'],
      ['jetbrains', 'a JetBrains IDE', 'idea'],
      ['xcode', 'Xcode', 'xed'],
    ] as const
  ).map(([id, name, command]) => ({ id, name, plugin: 'none' as const, commands: [command] })),
];

export function findEditor(id: string): EditorProgram | undefined {
  return EDITORS.find((editor) => editor.id === id);
}

/** The command of an editor: on the PATH, or where its installer puts it. */
export function findCommand(editor: EditorProgram, machine: Machine): string | undefined {
  const { join, delimiter } = machine.platform === 'win32' ? win32 : posix;
  const folders = (machine.env.PATH ?? machine.env.Path ?? '').split(delimiter).filter((folder) => folder !== '');
  const endings = machine.platform === 'win32' ? ['.cmd', '.exe'] : [''];
  const onPath = folders.flatMap((folder) =>
    editor.commands.flatMap((command) => endings.map((ending) => join(folder, command + ending))),
  );
  const places = (editor.places?.[machine.platform] ?? []).flatMap((place) => expand(place, machine) ?? []);
  return [...onPath, ...places].find((path) => machine.exists(path));
}

/** `~` and `%NAME%`; a place whose variable is not set does not exist. */
function expand(place: string, { env, home }: Machine): string | undefined {
  let isKnown = true;
  const path = place.replace(/^~/, home).replace(/%([^%]+)%/g, (_, name: string) => {
    const value = env[name] ?? env[name.toUpperCase()];
    if (!value) isKnown = false;
    return value ?? '';
  });
  return isKnown ? path : undefined;
}
