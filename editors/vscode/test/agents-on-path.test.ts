import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { test } from 'node:test';
import { isOnPath, programOf, programOnPath } from '../src/agents-on-path.ts';
import { environmentText } from '../src/environment-text.ts';

test('the program of a line, quoted or not', () => {
  assert.equal(programOf('claude --ide'), 'claude');
  assert.equal(programOf('"/opt/my agents/qwen" -x'), '/opt/my agents/qwen');
  assert.equal(programOf(''), '');
});

test('a program is found where a shell finds it: executable files in the folders of PATH', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-path-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'claude'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(folder, 'notes'), 'text', { mode: 0o644 });
  mkdirSync(join(folder, 'gemini'));
  const env = { PATH: ['/nowhere', folder].join(delimiter) };
  assert.equal(isOnPath('claude', env), true);
  assert.equal(isOnPath('notes', env), false);
  assert.equal(isOnPath('gemini', env), false);
  assert.equal(isOnPath(join(folder, 'claude'), {}), true);
  assert.equal(isOnPath('claude', {}), false);
  assert.equal(isOnPath('', env), false);
  assert.equal(programOnPath('claude', env), join(folder, 'claude'));
  const here = { PATH: relative(process.cwd(), folder) };
  assert.equal(programOnPath('claude', here), undefined, 'a folder of the project is no place for programs');
});

test('the environment is quoted for the shell that the user has', () => {
  const variables = { A: "it's $HOME", B: '1' };
  assert.equal(environmentText(variables, '/bin/zsh'), "export A='it'\\''s $HOME'\nexport B='1'\n");
  assert.equal(environmentText(variables, '/usr/bin/fish'), "set -gx A 'it\\'s $HOME'\nset -gx B '1'\n");
  assert.equal(environmentText(variables, 'C:\\x\\pwsh.exe'), "$env:A = 'it''s $HOME'\n$env:B = '1'\n");
});
