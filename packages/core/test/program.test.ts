import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { test } from 'node:test';
import { findProgram } from '../src/discovery/program.ts';

test('a program is found where a shell finds it: executable files in the folders of PATH', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-path-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'claude'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(folder, 'notes'), 'text', { mode: 0o644 });
  mkdirSync(join(folder, 'gemini'));
  const env = { PATH: ['/nowhere', folder].join(delimiter) };
  assert.ok(findProgram('claude', env));
  assert.equal(findProgram('notes', env), undefined);
  assert.equal(findProgram('gemini', env), undefined);
  assert.ok(findProgram(join(folder, 'claude'), {}));
  assert.equal(findProgram('claude', {}), undefined);
  assert.equal(findProgram('', env), undefined);
  assert.equal(findProgram('claude', env), join(folder, 'claude'));
  const here = { PATH: relative(process.cwd(), folder) };
  assert.equal(findProgram('claude', here), undefined, 'a folder of the project is no place for programs');
  writeFileSync(join(folder, 'claude.CMD'), '');
  const windows = { PATHEXT: '.EXE;.CMD' };
  assert.equal(findProgram('claude', windows, [folder], 'win32'), join(folder, 'claude.CMD'), 'not the shell script');
});
