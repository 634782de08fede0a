import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJsonc, setJsonc, unsetJsonc, valueAt } from '../src/run/jsonc.ts';

const WRITTEN_BY_HAND = `// my settings
{
    "ui": { "theme": "dark" /* for the night */ }, // a trailing word
    "ide": {
        // off for now
        "enabled": false
    },
    "unknown": [1, 2, /* three */ 3]
}
`;

test('a changed setting leaves comments, order and indentation as they are', () => {
  const on = setJsonc(WRITTEN_BY_HAND, ['ide', 'enabled'], true);
  assert.equal(on, WRITTEN_BY_HAND.replace('"enabled": false', '"enabled": true'));
  const seen = setJsonc(on, ['ide', 'hasSeenNudge'], true);
  assert.equal(
    seen,
    on.replace('"enabled": true\n', '"enabled": true,\n        "hasSeenNudge": true\n'),
    'beside its neighbour, indented like it',
  );
  const mode = setJsonc(seen, ['tools', 'approvalMode'], 'default');
  assert.match(
    mode,
    / {4}"unknown": \[1, 2, \/\* three \*\/ 3\],\n {4}"tools": \{\n {8}"approvalMode": "default"\n {4}\}\n\}\n$/,
  );
  assert.deepEqual(parseJsonc(mode), {
    ui: { theme: 'dark' },
    ide: { enabled: true, hasSeenNudge: true },
    unknown: [1, 2, 3],
    tools: { approvalMode: 'default' },
  });
});

test('setting and taking back gives the same text, whatever was there', () => {
  const layouts = [
    WRITTEN_BY_HAND,
    '{}',
    '{}\n',
    '{ "a": 1 }',
    '{"a":1}',
    '{\n\t"a": {\n\t\t"b": 2\n\t}\n}\n',
    '{\r\n  "a": 1,\r\n  "ide": {\r\n    "x": 1\r\n  }\r\n}\r\n',
  ];
  for (const before of layouts) {
    for (const path of [['ide', 'hasSeenNudge'], ['tools', 'approvalMode'], ['z']]) {
      const after = setJsonc(before, path, true);
      assert.equal(valueAt(parseJsonc(after), path), true, after);
      assert.equal(unsetJsonc(after, path), before);
    }
  }
});

test('any settings, written in any layout, keep every other value', () => {
  const key = fc.constantFrom('ide', 'enabled', 'tools', 'a "quoted" key', 'é', '');
  const settings = fc.dictionary(
    key,
    fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 3 }, fc.jsonValue({ maxDepth: 1 }), fc.dictionary(key, tie('value'))),
    })).value,
  );
  fc.assert(
    fc.property(
      settings,
      fc.constantFrom(0, 1, 2, '\t'),
      fc.array(key, { minLength: 1, maxLength: 3 }),
      (value, space, path) => {
        const plain = JSON.parse(JSON.stringify(value));
        const blocked = path.some((_, depth) => {
          const on = valueAt(plain, path.slice(0, depth));
          return on !== undefined && (typeof on !== 'object' || on === null || Array.isArray(on));
        });
        const text = JSON.stringify(plain, null, space);
        if (blocked) return assert.throws(() => setJsonc(text, path, 'new'), SyntaxError);
        const after = setJsonc(text, path, 'new');
        const expected = structuredClone(plain);
        let current = expected;
        for (const step of path.slice(0, -1)) current = current[step] ??= {};
        current[path.at(-1) ?? ''] = 'new';
        assert.deepEqual(parseJsonc(after), expected);
        if (valueAt(plain, path) === undefined) {
          const back = parseJsonc(unsetJsonc(after, path));
          assert.equal(valueAt(back, path), undefined);
        }
      },
    ),
  );
});

test('what is no JSON is refused with the line, and never written over', () => {
  for (const text of ['{"a": }', '{"a": 1', '{"a": 01}', "{'a': 1}", '[1', '{"a": 1} x', '{"a" 1}', '"\\x"']) {
    assert.throws(() => parseJsonc(text), /it is not JSON at line 1/, text);
    assert.throws(() => setJsonc(text, ['b'], 1), SyntaxError, text);
  }
  assert.throws(() => parseJsonc('{\n\n  "a": nope\n}'), /line 3/);
  assert.deepEqual(parseJsonc('\uFEFF{"a": [1,],}'), { a: [1] });
});
