import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DIALECTS } from '@tandem/core';
import { terminalVariables } from '../src/terminal-variables.ts';

const published = (...ids: string[]) =>
  DIALECTS.filter(({ id }) => ids.includes(id)).map((dialect) => ({ dialect, environment: { [dialect.id]: 'port' } }));
const nowhere = () => false;

test('terminals get what every published agent wants', () => {
  assert.deepEqual(terminalVariables(published('gemini', 'qwen'), {}, nowhere), { gemini: 'port', qwen: 'port' });
  const failed = published('gemini').map((each) => ({ ...each, error: 'no' }));
  assert.deepEqual(
    terminalVariables(failed, {}, () => true),
    {},
  );
});

test('Claude Code does not install another extension beside this one', () => {
  const { CLAUDE_CODE_IDE_SKIP_AUTO_INSTALL } = terminalVariables(published('claude'), {}, nowhere);
  assert.equal(CLAUDE_CODE_IDE_SKIP_AUTO_INSTALL, '1');
});

test('in a container Gemini CLI is told that its editor is in there too, unless it knows', () => {
  const inside = (path: string): boolean => path === '/.dockerenv';
  const session = (env: Record<string, string>, exists = inside) =>
    terminalVariables(published('gemini'), env, exists).VSCODE_REMOTE_CONTAINERS_SESSION;
  assert.equal(session({}), '1');
  assert.equal(session({ REMOTE_CONTAINERS: 'true' }), undefined);
  assert.equal(session({ SSH_CONNECTION: 'x' }), undefined);
  assert.equal(session({}, nowhere), undefined);
});
