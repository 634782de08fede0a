import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normaliseOpenFiles, type OpenFile } from '../src/index.ts';

const file = (path: string, timestamp: number, rest: Partial<OpenFile> = {}): OpenFile => ({
  path,
  timestamp,
  ...rest,
});

test('[GEM-16] [QWEN-5] newest first, one active, the rest without cursor and selection', () => {
  const cursor = { line: 1, character: 1 };
  const files = normaliseOpenFiles([
    file('/old', 1, { isActive: true, selectedText: 'x', cursor }),
    file('/new', 2, { isActive: true, selectedText: 'y', cursor }),
  ]);
  assert.deepEqual(files, [
    { path: '/new', timestamp: 2, isActive: true, selectedText: 'y', cursor },
    { path: '/old', timestamp: 1, isActive: false },
  ]);
});

test('[GEM-16] [QWEN-5] if the newest is not active, none is', () => {
  const files = normaliseOpenFiles([file('/a', 2), file('/b', 1, { isActive: true, selectedText: 'x' })]);
  assert.deepEqual(
    files.map((each) => each.isActive),
    [false, false],
  );
  assert.ok(!('selectedText' in (files[1] ?? {})));
});

test('[GEM-16] [QWEN-5] ten files and 16,384 characters are kept', () => {
  const many = Array.from({ length: 15 }, (_, i) =>
    file(`/${i}`, i, { isActive: i === 14, selectedText: 'x'.repeat(20_000) }),
  );
  const files = normaliseOpenFiles(many);
  assert.equal(files.length, 10);
  assert.equal(files[0]?.selectedText, `${'x'.repeat(16_384)}... [TRUNCATED]`);
});
