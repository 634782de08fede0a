import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { targetOf } from '../src/chat/markdown/links.ts';

const FOLDERS = ['/ws', '/other'];
const at = (written: string) => targetOf(written, FOLDERS);

test('the web and people', () => {
  assert.deepEqual(at('https://example.com/a?b#c'), { kind: 'web', href: 'https://example.com/a?b#c' });
  assert.deepEqual(at(' HTTP://example.com '), { kind: 'web', href: 'HTTP://example.com' });
  assert.deepEqual(at('mailto:a@b.c'), { kind: 'web', href: 'mailto:a@b.c' });
});

test('files of the workspace, with their line', () => {
  assert.deepEqual(at('src/a.ts'), { kind: 'file', path: '/ws/src/a.ts' });
  assert.deepEqual(at('./src/../a.ts:12'), { kind: 'file', path: '/ws/a.ts', line: 11 });
  assert.deepEqual(at('a.ts:12:5'), { kind: 'file', path: '/ws/a.ts', line: 11 });
  assert.deepEqual(at('/other/b%20c.ts#L3-L9'), { kind: 'file', path: '/other/b c.ts', line: 2 });
  assert.deepEqual(at('file:///ws/x'), { kind: 'file', path: '/ws/x' });
});

test('nothing else leads anywhere', () => {
  for (const written of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'command:workbench.action.quit',
    'vscode://file/etc/passwd',
    'blob:x',
    '//evil.example/x',
    '\\\\server\\share',
    '../outside',
    '/etc/passwd',
    'file:///etc/passwd',
    'file://server/share',
    'src/../../etc/passwd',
    '%2e%2e/%2e%2e/etc/passwd',
    '#top',
    '?q',
    'http://',
    '',
  ])
    assert.deepEqual(at(written), { kind: 'none' }, written);
  assert.deepEqual(targetOf('a.ts', []), { kind: 'none' });
});

test('whatever is written, a link goes to http, https, mailto, or into a folder', () => {
  const part = fc.constantFrom(
    'javascript:',
    'file:///',
    '..',
    '/',
    '\\',
    '%2e',
    '%00',
    'a',
    ':',
    '#L1',
    ' ',
    'http://',
    'ws',
  );
  void fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const target = at(parts.join(''));
      if (target.kind === 'web') assert.match(target.href, /^(https?:\/\/|mailto:)/i);
      if (target.kind === 'file') {
        assert.ok(
          FOLDERS.some((folder) => target.path.startsWith(`${folder}/`)),
          target.path,
        );
        assert.ok(!target.path.split('/').includes('..'), target.path);
      }
    }),
    { numRuns: 2000 },
  );
});
