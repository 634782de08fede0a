import assert from 'node:assert/strict';
import { test } from 'node:test';
import { programOf } from '../src/agents-on-path.ts';
import { environmentText } from '../src/environment-text.ts';

test('the program of a line, quoted or not', () => {
  assert.equal(programOf('claude --ide'), 'claude');
  assert.equal(programOf('"/opt/my agents/qwen" -x'), '/opt/my agents/qwen');
  assert.equal(programOf(''), '');
});

test('the environment is quoted for the shell that the user has', () => {
  const variables = { A: "it's $HOME", B: '1' };
  assert.equal(environmentText(variables, '/bin/zsh'), "export A='it'\\''s $HOME'\nexport B='1'\n");
  assert.equal(environmentText(variables, '/usr/bin/fish'), "set -gx A 'it\\'s $HOME'\nset -gx B '1'\n");
  assert.equal(environmentText(variables, 'C:\\x\\pwsh.exe'), "$env:A = 'it''s $HOME'\n$env:B = '1'\n");
});
