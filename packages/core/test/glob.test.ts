import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import picomatch from 'picomatch';
import { compileGlobs } from '../src/editor/glob.ts';

const name = fc.stringMatching(/^[a-c.A_-]{1,4}$/).filter((text) => text !== '.' && text !== '..');
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => `/${names.join('/')}`);
const piece = fc.oneof(name, fc.constantFrom('*', '?', '**', 'a*', '*.b', '{a,b}', '{a,b*}c', '[ab]', '[a-c]'));
const glob = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join('/'));

/** What our rules mean in the library's words. */
function byLibrary(pattern: string): (path: string) => boolean {
  const folder = pattern.endsWith('/');
  const bare = folder ? pattern.slice(0, -1) : pattern;
  const anchored = bare.startsWith('/') || bare.startsWith('**/') ? bare : `**/${bare}`;
  const patterns = folder ? [`${anchored}/**`] : [anchored, `${anchored}/**`];
  return picomatch(patterns, { dot: true, nocase: true });
}

test('[ALL-13] whatever the library denies, our globs deny', () => {
  fc.assert(
    fc.property(glob, path, fc.boolean(), (pattern, candidate, folder) => {
      const whole = folder ? `${pattern}/` : pattern;
      if (byLibrary(whole)(candidate)) assert.match(candidate, compileGlobs([whole]), `${whole} against ${candidate}`);
    }),
    { numRuns: 5000 },
  );
});

test('[ALL-13] plain globs deny nothing more than the library does', () => {
  const plain = fc.array(fc.oneof(name, fc.constantFrom('a*', '*.b', '?b', '{a,b}')), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(
      plain.map((pieces) => pieces.join('/')),
      path,
      (pattern, candidate) => {
        if (compileGlobs([pattern]).test(candidate))
          assert.ok(byLibrary(pattern)(candidate), `${pattern} against ${candidate}`);
      },
    ),
    { numRuns: 5000 },
  );
});

test('a set may be turned round, as in a .gitignore', () => {
  assert.ok(compileGlobs(['[!a]c']).test('/x/bc'));
  assert.ok(!compileGlobs(['[!a]c']).test('/x/ac'));
  assert.ok(!compileGlobs(['x[!a]c']).test('/x/c'), 'a slash is no part of a name');
});

test('nothing given denies nothing, and odd patterns are taken literally', () => {
  assert.ok(!compileGlobs([]).test('/a'));
  assert.ok(compileGlobs(['a{b']).test('/x/a{b'));
  assert.ok(compileGlobs(['a(b)+.txt']).test('/x/a(b)+.txt'));
  assert.ok(!compileGlobs(['a.txt']).test('/x/abtxt'));
});
