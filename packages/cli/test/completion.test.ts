import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { tandem } from '../../../test/support/command.ts';
import { createWorld, until } from '../../../test/support/world.ts';
import { commandSpecs } from '../src/completion/spec.ts';
import { COMMAND_NAMES, help } from '../src/help.ts';
import { EDITORS } from '../src/install/editors.ts';
import { manPage } from '../src/man.ts';
import { VERSION } from '../src/version.ts';

function lacks(command: string): string | false {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).error !== undefined && `${command} is not installed`;
}

async function scriptFor(t: TestContext, shell: string) {
  const world = createWorld(t);
  const { code, stdout } = await tandem(world, ['completion', shell]);
  assert.equal(code, 0);
  const path = join(world.root, `tandem.${shell}`);
  writeFileSync(path, stdout);
  return { world, path };
}

/** What every shell must know. */
const CASES: [line: string, expected: string[]][] = [
  ['tandem st', ['status']],
  ['tandem re', ['review']],
  ['tandem run ', ['claude', 'gemini', 'qwen']],
  ['tandem run --with ', ['serve', 'workbench']],
  ['tandem env --shell ', ['bash', 'fish', 'nu', 'pwsh', 'zsh']],
  ['tandem doctor ge', ['gemini']],
  ['tandem doctor --f', ['--fix']],
  ['tandem install vscod', ['vscode', 'vscode-insiders', 'vscodium']],
  ['tandem review acc', ['accept']],
  ['tandem share ', ['auto', 'explicit', 'off']],
];

test('bash completes commands, words and options', { skip: lacks('bash') }, async (t) => {
  const { path } = await scriptFor(t, 'bash');
  for (const [line, expected] of CASES) {
    const words = line
      .split(' ')
      .map((word) => `'${word}'`)
      .join(' ');
    const script = `source '${path}'; COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _tandem; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const got = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' }).trim().split('\n');
    assert.deepEqual(got.sort(), expected, line);
  }
});

test('in bash what follows the agent’s name is not ours', { skip: lacks('bash') }, async (t) => {
  const { path } = await scriptFor(t, 'bash');
  const script = `source '${path}'; COMP_WORDS=(tandem run gemini --w); COMP_CWORD=3; _tandem; echo "\${#COMPREPLY[@]}"; complete -p tandem`;
  const got = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
  assert.match(got, /^0\n/);
  assert.match(got, /complete -o default -F _tandem tandem/);
});

test('fish completes commands, words and options', { skip: lacks('fish') }, async (t) => {
  const { world, path } = await scriptFor(t, 'fish');
  for (const [line, expected] of CASES) {
    const got = execFileSync('fish', ['--no-config', '-c', `source '${path}'; complete -C '${line}'`], {
      encoding: 'utf8',
      env: { HOME: world.home, PATH: '/usr/bin:/bin' },
      cwd: world.workspace,
    });
    const words = got
      .trim()
      .split('\n')
      .map((each) => each.split('\t')[0] ?? '');
    assert.deepEqual(words.sort(), expected, line);
  }
});

/** Types into a real zsh and reads what it puts on its line. */
test('zsh completes commands, words and options at its own prompt', { skip: lacks('zsh') }, async (t) => {
  const { world, path } = await scriptFor(t, 'zsh');
  mkdirSync(join(world.home, 'dump'));
  writeFileSync(
    join(world.home, '.zshrc'),
    `PS1='> '; unsetopt zle_bracketed_paste; autoload -Uz compinit; compinit -u -d "$HOME/dump/zcompdump"; source '${path}'; echo loaded\n`,
  );
  const shell = spawn('script', ['--quiet', '--flush', '--command', 'exec zsh -i', '/dev/null'], {
    cwd: world.workspace,
    env: { HOME: world.home, ZDOTDIR: world.home, PATH: '/usr/bin:/bin', TERM: 'dumb', SHELL: '/bin/zsh' },
  });
  let output = '';
  shell.stdout.on('data', (chunk) => (output += chunk));
  const ended = new Promise((resolve) => shell.on('close', resolve));
  t.after(async () => {
    shell.kill('SIGKILL');
    await ended;
  });
  await until('zsh to be ready', () => /loaded[\s\S]*> /.test(output), 15_000);
  // One candidate is put on the line at once, and the shell tells what the line has become.
  const single: [string, string][] = [
    ['tandem st', 'status'],
    ['tandem doctor ge', 'gemini'],
    ['tandem doctor --f', '--fix'],
    ['tandem run --with se', 'serve'],
    ['tandem env --shell pw', 'pwsh'],
    ['tandem review acc', 'accept'],
    ['tandem uninstall windsu', 'windsurf'],
  ];
  for (const [i, [line, expected]] of single.entries()) {
    shell.stdin.write(`${line}\t`);
    const completed = line.replace(/\S*$/, expected);
    await until(`zsh to complete ${line}`, () => output.includes(completed), 10_000).catch((error: Error) => {
      throw new Error(`${error.message}\n${output}`);
    });
    shell.stdin.write('\x15');
    shell.stdin.write(`echo next-$((${i} * 1000))\n`);
    await until('the next prompt', () => new RegExp(`next-${i * 1000}\\r`).test(output), 10_000);
  }
  shell.stdin.write('exit\n');
});

test('completion knows every command and says so for others', async (t) => {
  const world = createWorld(t);
  assert.deepEqual(
    commandSpecs().map(({ name }) => name),
    [...COMMAND_NAMES].sort(),
  );
  assert.equal((await tandem(world, ['completion'])).code, 2);
  assert.match((await tandem(world, ['completion', 'tcsh'])).stderr, /"tcsh" is none of bash, zsh, fish/);
  for (const { name, summary } of commandSpecs()) assert.ok(summary !== '' && !summary.includes('\n'), name);
});

test('every command has help with an example, and the editors in it are those that are known', () => {
  for (const name of COMMAND_NAMES) {
    assert.match(help(name), new RegExp(`^Usage: tandem ${name}\\b`), name);
    assert.match(help(name), /\nExamples?:\n {2}\S/, name);
  }
  const listed = /^Editors: (.*)\.$/m.exec(help('install'))?.[1]?.split(', ');
  assert.deepEqual(
    listed,
    EDITORS.filter(({ plugin }) => plugin === 'vsix').map(({ id }) => id),
  );
});

test('the manual page says what the help says', async () => {
  const page = readFileSync(join(import.meta.dirname, '..', 'man', 'tandem.1'), 'utf8');
  assert.equal(page, manPage(VERSION), 'npm run build writes it anew');
  for (const name of COMMAND_NAMES) assert.ok(page.includes(`.SS ${name}\n`), name);
});

test('the manual page is one that man reads without a complaint', { skip: lacks('man') }, () => {
  const path = join(import.meta.dirname, '..', 'man', 'tandem.1');
  const { stdout, stderr, status } = spawnSync('man', ['--warnings', '--encoding=utf8', '-l', path], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8', MANWIDTH: '140' },
  });
  assert.equal(status, 0);
  assert.equal(stderr, '');
  assert.match(stdout, /tandem run --undo \[agent…\]/);
});
